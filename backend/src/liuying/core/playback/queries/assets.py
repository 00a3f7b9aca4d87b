"""Assets and their renditions. Each function runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import sqlalchemy as sa

from liuying.core.playback.tables import asset, audio_track, rendition, subtitle
from liuying.kit.database import AnyRow, database_now
from liuying.kit.object_keys import MediaPlace

VISIBLE = ("low", "complete")


def asset_exists(connection: sa.Connection, key: str) -> bool:
    """Whether an asset with this key exists."""
    return connection.execute(sa.select(asset.c.key).where(asset.c.key == key)).first() is not None


def content_of(connection: sa.Connection, key: str | None) -> str | None:
    """SHA-256 of the source file of an asset."""
    return connection.execute(sa.select(asset.c.source_hash).where(asset.c.key == key)).scalar()


def all_keys(connection: sa.Connection) -> set[str]:
    """Keys of all assets."""
    return set(connection.execute(sa.select(asset.c.key)).scalars())


def complete_keys(connection: sa.Connection) -> set[str]:
    """Keys of the completely encoded assets."""
    statement = sa.select(asset.c.key).where(asset.c.state == "complete")
    return set(connection.execute(statement).scalars())


def unfinished_keys(connection: sa.Connection) -> set[str]:
    """Keys of the assets whose import has more to publish."""
    statement = sa.select(asset.c.key).where(asset.c.state != "complete")
    return set(connection.execute(statement).scalars())


def place_of(connection: sa.Connection, key: str) -> MediaPlace:
    """The place of an existing asset."""
    return _places(connection, asset.c.key == key)[key]


def visible_assets(connection: sa.Connection) -> dict[str, MediaPlace]:
    """The place of each asset of which something is playable, by key."""
    return _places(connection, asset.c.state.in_(VISIBLE))


def kept_apart(connection: sa.Connection) -> dict[str, MediaPlace]:
    """The place of each asset that is not open, by key."""
    return _places(connection, sa.or_(asset.c.is_protected, asset.c.is_removed))


def _places(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> dict[str, MediaPlace]:
    columns = (asset.c.key, asset.c.is_protected, asset.c.is_removed)
    rows = connection.execute(sa.select(*columns).where(condition).order_by(asset.c.key))
    return {
        row.key: MediaPlace.of(is_protected=row.is_protected, is_removed=row.is_removed)
        for row in rows
    }


def unfinished_assets(connection: sa.Connection) -> Sequence[AnyRow]:
    """`key`, `source_name`, `state` and `cause` of every unfinished import, by name; `is_held` says
    whether a machine has it in hand, in a store that several share.
    """
    is_held = sa.func.coalesce(asset.c.held_until > database_now(connection), sa.false())
    columns = (
        asset.c.key,
        asset.c.source_name,
        asset.c.state,
        asset.c.cause,
        is_held.label("is_held"),
    )
    statement = sa.select(*columns).where(asset.c.state != "complete")
    return connection.execute(statement.order_by(asset.c.source_name)).all()


def count_states(connection: sa.Connection) -> dict[str, int]:
    """Number of assets by state."""
    statement = sa.select(asset.c.state, sa.func.count()).group_by(asset.c.state)
    return {state: int(count) for state, count in connection.execute(statement)}


def replace_asset(connection: sa.Connection, key: str, values: Mapping[str, object]) -> None:
    """Replace an asset's row, without renditions."""
    delete_renditions(connection, key)
    delete_asset(connection, key)
    connection.execute(sa.insert(asset).values(key=key, **values))


def update_asset(connection: sa.Connection, key: str, values: Mapping[str, object]) -> None:
    """Change columns of an asset."""
    connection.execute(sa.update(asset).where(asset.c.key == key).values(**values))


def note_failure(connection: sa.Connection, key: str, cause: str) -> None:
    """Store why an import stopped; an asset that is only registered thereby fails."""
    failed = sa.case((asset.c.state == "registered", "failed"), else_=asset.c.state)
    connection.execute(sa.update(asset).where(asset.c.key == key).values(state=failed, cause=cause))


def delete_asset(connection: sa.Connection, key: str) -> None:
    """Delete an asset with its renditions, audio tracks and subtitles."""
    connection.execute(sa.delete(asset).where(asset.c.key == key))


def delete_unpublished(connection: sa.Connection, key: str) -> None:
    """Delete an asset of which nothing was ever playable."""
    is_unpublished = asset.c.state.in_(["registered", "failed"])
    connection.execute(sa.delete(asset).where(asset.c.key == key, is_unpublished))


def insert_renditions(connection: sa.Connection, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert renditions."""
    connection.execute(sa.insert(rendition), [dict(row) for row in rows])


def delete_renditions(connection: sa.Connection, key: str) -> None:
    """Delete an asset's renditions and audio tracks."""
    for table in (rendition, audio_track):
        connection.execute(sa.delete(table).where(table.c.asset_key == key))


def insert_audio_tracks(connection: sa.Connection, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert audio tracks, if there are any."""
    if rows:
        connection.execute(sa.insert(audio_track), [dict(row) for row in rows])


def audio_track_numbers(connection: sa.Connection, key: str) -> list[int]:
    """Numbers of an asset's audio tracks; none if its renditions contain the sound."""
    statement = sa.select(audio_track.c.number).where(audio_track.c.asset_key == key)
    return list(connection.execute(statement.order_by(audio_track.c.number)).scalars())


def audio_track_labels(connection: sa.Connection, key: str | None) -> list[str]:
    """What viewers choose an asset's audio tracks by."""
    statement = sa.select(audio_track.c.label).where(audio_track.c.asset_key == key)
    return list(connection.execute(statement.order_by(audio_track.c.number)).scalars())


def published_folders(connection: sa.Connection, key: str) -> set[str]:
    """Names of the folders of an asset's renditions and audio tracks."""
    return {
        PurePosixPath(path).parent.name
        for table in (rendition, audio_track)
        for path in connection.execute(
            sa.select(table.c.path).where(table.c.asset_key == key)
        ).scalars()
    }


def rendition_labels(connection: sa.Connection, key: str | None) -> list[str]:
    """Labels of an asset's renditions, lowest first."""
    statement = sa.select(rendition.c.label).where(rendition.c.asset_key == key)
    return list(connection.execute(statement.order_by(rendition.c.bandwidth)).scalars())


def rendition_paths(connection: sa.Connection) -> list[tuple[str, str]]:
    """Label and path of every rendition."""
    rows = connection.execute(sa.select(rendition.c.label, rendition.c.path))
    return [(row.label, row.path) for row in rows]


def replace_subtitles(
    connection: sa.Connection, key: str, rows: Sequence[Mapping[str, object]]
) -> None:
    """Replace an asset's subtitle tracks."""
    connection.execute(sa.delete(subtitle).where(subtitle.c.asset_key == key))
    if rows:
        connection.execute(sa.insert(subtitle), [dict(row) for row in rows])


def subtitle_path(connection: sa.Connection, key: str, lang: str) -> str | None:
    """Path of an asset's subtitle track in a language."""
    is_meant = (subtitle.c.asset_key == key, subtitle.c.lang == lang)
    return connection.execute(sa.select(subtitle.c.path).where(*is_meant)).scalar()


def count_subtitles(connection: sa.Connection, key: str) -> int:
    """Number of an asset's subtitle tracks."""
    statement = sa.select(sa.func.count()).select_from(subtitle)
    return connection.execute(statement.where(subtitle.c.asset_key == key)).scalar_one()


def replace_subtitle(
    connection: sa.Connection, key: str, lang: str, row: Mapping[str, object] | None
) -> None:
    """Replace an asset's track in the same language; None removes it."""
    is_meant = (subtitle.c.asset_key == key, subtitle.c.lang == lang)
    connection.execute(sa.delete(subtitle).where(*is_meant))
    if row is not None:
        connection.execute(sa.insert(subtitle).values(**row))


def paths_of_assets(connection: sa.Connection) -> dict[str, list[str]]:
    """Paths of the renditions, audio tracks and subtitles of each asset."""
    paths: dict[str, list[str]] = {}
    for table in (rendition, audio_track, subtitle):
        for key, path in connection.execute(sa.select(table.c.asset_key, table.c.path)):
            paths.setdefault(key, []).append(path)
    return paths
