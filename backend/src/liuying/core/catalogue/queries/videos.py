"""Rows of videos and what belongs to them.

Statements are built once: building them is a good part of an answer's cost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.queries.gating import IS_GATED
from liuying.core.catalogue.queries.listing import PLAYABLE, is_listed
from liuying.core.catalogue.rows import ArtistIdRow, LabelRow, VideoRow
from liuying.core.catalogue.tables import artist, category, label, video, video_artist, video_label
from liuying.kit.changes import NEWEST, CacheTopic
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.driver_rows import read_row
from liuying.kit.packed_rows import PackedRows
from liuying.kit.rows import insert_row
from liuying.kit.updating import update_each

ROW = (
    video.c.id,
    video.c.title,
    video.c.category_id,
    category.c.name.label("category_name"),
    video.c.created_at,
    video.c.updated_at,
    video.c.pageviews,
    video.c.asset_key,
    video.c.duration,
    video.c.width,
    video.c.height,
    video.c.playlist,
    video.c.cover,
    IS_GATED.label("is_gated"),
)


def select_rows() -> sa.Select[Any]:
    """Videos with their category, as `service.items_from_rows` reads them."""
    return sa.select(*ROW).join(category, category.c.id == video.c.category_id)


_SOME = sa.bindparam("ids", type_=sa.Integer, expanding=True)
_PLAYABLE_ROW = select_rows().where(PLAYABLE, video.c.id == sa.bindparam("id"))
_ROWS = PackedRows(
    select_rows().add_columns(video.c.is_listed, video.c.is_hidden).where(video.c.id.in_(_SOME)),
    VideoRow,
)
_LABELS = PackedRows(
    sa.select(video_label.c.video_id, video_label.c.position, label.c.id, label.c.name)
    .join(label, label.c.id == video_label.c.label_id)
    .where(video_label.c.video_id.in_(_SOME)),
    LabelRow,
)
_ARTIST_IDS = PackedRows(
    sa.select(video_artist.c.video_id, video_artist.c.artist_id).where(
        video_artist.c.video_id.in_(_SOME)
    ),
    ArtistIdRow,
)
_LABEL_IDS = (
    sa.select(video_label.c.label_id)
    .where(video_label.c.video_id == sa.bindparam("id"))
    .order_by(video_label.c.position, video_label.c.label_id)
)


def video_row(connection: sa.Connection, video_id: int) -> AnyRow | None:
    """A playable video, including one whose title keeps it out of lists."""
    return connection.execute(_PLAYABLE_ROW, {"id": video_id}).one_or_none()


# The catalogue's newest change, and a video's views, as of one moment.
_OF_CATALOGUE_AND_VIEWS = (
    f"SELECT ({NEWEST[CacheTopic.CATALOGUE]}),"  # noqa: S608  # our own constants only
    " (SELECT pageviews FROM video WHERE id = ?)"
)


def catalogue_and_views(connection: sa.Connection, video_id: int) -> tuple[int, int]:
    """The number of the catalogue's newest change, and a video's views; 0 for what there is not."""
    of_catalogue, views = read_row(connection, _OF_CATALOGUE_AND_VIEWS, video_id)
    return of_catalogue or 0, views or 0


def rows_by_id(connection: sa.Connection, ids: Collection[int]) -> dict[int, VideoRow]:
    """The listed videos among some ids."""
    return {row.id: row for row in _ROWS.read(connection, {"ids": list(ids)}) if is_listed(row)}


def labels_of(connection: sa.Connection, video_ids: Iterable[int]) -> list[LabelRow]:
    """Labels of some videos, in each video's order."""
    found = _LABELS.read(connection, {"ids": list(video_ids)})
    return sorted(found, key=lambda row: (row.video_id, row.position, row.id))


def artist_names_of(connection: sa.Connection, video_ids: Collection[int]) -> Sequence[AnyRow]:
    """`video_id` and `name` of the artists of some videos, by name."""
    statement = (
        sa.select(video_artist.c.video_id, artist.c.name)
        .join(artist, artist.c.id == video_artist.c.artist_id)
        .where(video_artist.c.video_id.in_(video_ids))
        .order_by(video_artist.c.video_id, artist.c.initial, artist.c.name)
    )
    return connection.execute(statement).all()


def artists_of(connection: sa.Connection, video_id: int) -> Sequence[AnyRow]:
    """The artists of a video, by name."""
    statement = (
        sa.select(artist)
        .join(video_artist, video_artist.c.artist_id == artist.c.id)
        .where(video_artist.c.video_id == video_id)
        .order_by(artist.c.initial, artist.c.name)
    )
    return connection.execute(statement).all()


def label_ids_of(connection: sa.Connection, video_id: int) -> list[int]:
    """A video's label ids."""
    return list(connection.execute(_LABEL_IDS, {"id": video_id}).scalars())


def artist_ids_of(connection: sa.Connection, video_ids: Collection[int]) -> dict[int, list[int]]:
    """Artists of those videos that have any."""
    found: dict[int, list[int]] = {}
    for row in sorted(_ARTIST_IDS.read(connection, {"ids": list(video_ids)})):
        found.setdefault(row.video_id, []).append(row.artist_id)
    return found


def asset_key_row(connection: sa.Connection, video_id: int) -> AnyRow | None:
    """The row with a video's asset (`asset_key`), which may be null; None if the video does not
    exist.
    """
    return connection.execute(sa.select(video.c.asset_key).where(video.c.id == video_id)).first()


def whole_row(connection: sa.Connection, video_id: int) -> AnyRow | None:
    """All columns of a video, hidden or not."""
    return connection.execute(sa.select(video).where(video.c.id == video_id)).one_or_none()


def ids_after(connection: sa.Connection, video_id: int, limit: int) -> list[int]:
    """The next videos by id, including hidden ones."""
    statement = sa.select(video.c.id).where(video.c.id > video_id).order_by(video.c.id)
    return list(connection.execute(statement.limit(limit)).scalars())


def titles_of(connection: sa.Connection, ids: Collection[int]) -> dict[int, str]:
    """Titles of some videos, including hidden ones."""
    rows = connection.execute(sa.select(video.c.id, video.c.title).where(video.c.id.in_(ids)))
    return {row.id: row.title for row in rows}


def insert_video(connection: sa.Connection, values: Mapping[str, object]) -> int:
    """Insert a video and return its id."""
    return insert_row(connection, video, values)


def video_of_asset(connection: sa.Connection, key: str) -> sa.Row[int, int]:
    """Id and category of the video that shows an asset."""
    statement = sa.select(video.c.id, video.c.category_id).where(video.c.asset_key == key)
    return connection.execute(statement).one()


def delete_video_of_asset(connection: sa.Connection, key: str) -> int | None:
    """Delete the video that shows an asset and return its id; None if there was none."""
    statement = sa.delete(video).where(video.c.asset_key == key).returning(video.c.id)
    return connection.execute(statement).scalar()


def set_playlist(connection: sa.Connection, key: str, playlist: str) -> None:
    """Point players of an asset to another master playlist."""
    connection.execute(sa.update(video).where(video.c.asset_key == key).values(playlist=playlist))


def playlist_of(connection: sa.Connection, video_id: int) -> str:
    """Path of a video's master playlist; empty where it has none."""
    statement = sa.select(video.c.playlist).where(video.c.id == video_id)
    return connection.execute(statement).scalar() or ""


def set_length(connection: sa.Connection, video_id: int, duration: Milliseconds) -> None:
    """Say how long a video plays."""
    connection.execute(sa.update(video).where(video.c.id == video_id).values(duration=duration))


def add_views(connection: sa.Connection, views: Mapping[int, int]) -> list[tuple[int, int, int]]:
    """Add views to videos.

    Returns:
        Id, views and publication time of each, as search needs them.
    """
    update_each(connection, video.c.pageviews, views, is_added=True)
    columns = (video.c.id, video.c.pageviews, video.c.created_at)
    rows = connection.execute(sa.select(*columns).where(video.c.id.in_(views)))
    return [(row.id, row.pageviews, row.created_at) for row in rows]


def playable_ids(connection: sa.Connection, ids: Collection[int]) -> set[int]:
    """The playable ones among some ids."""
    statement = sa.select(video.c.id).join(category, category.c.id == video.c.category_id)
    return set(connection.execute(statement.where(PLAYABLE, video.c.id.in_(ids))).scalars())


def existing_ids(connection: sa.Connection, ids: Collection[int]) -> set[int]:
    """Those of some ids that belong to videos, hidden or not."""
    return set(connection.execute(sa.select(video.c.id).where(video.c.id.in_(ids))).scalars())
