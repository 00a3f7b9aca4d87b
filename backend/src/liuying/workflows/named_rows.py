"""Labels and artists, known by their names: what is new is made by whoever names it first."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, label, video_artist, video_label
from liuying.workflows.pinyin_initials import initial_of


def set_labels(connection: sa.Connection, video_id: int, names: Sequence[str]) -> None:
    """Give a video these labels, in order, and no others; names that are new become labels."""
    connection.execute(sa.delete(video_label).where(video_label.c.video_id == video_id))
    for position, name in enumerate(dict.fromkeys(names)):
        row = {
            "video_id": video_id,
            "label_id": _named(connection, label, name),
            "position": position,
        }
        connection.execute(sa.insert(video_label).values(row))


def set_artists(connection: sa.Connection, video_id: int, names: Sequence[str]) -> None:
    """Give a video these artists and no others; names that are new become artists."""
    connection.execute(sa.delete(video_artist).where(video_artist.c.video_id == video_id))
    for name in dict.fromkeys(names):
        artist_id = _named(connection, artist, name, initial=initial_of(name))
        connection.execute(sa.insert(video_artist).values(video_id=video_id, artist_id=artist_id))


def _named(connection: sa.Connection, table: sa.Table, name: str, **values: object) -> int:
    """Id of a row by its unique name; the row is made where it is missing."""
    known = connection.execute(sa.select(table.c.id).where(table.c.name == name)).scalar()
    if known is not None:
        return int(known)
    try:
        with connection.begin_nested():
            statement = sa.insert(table).values(name=name, **values).returning(table.c.id)
            return int(connection.execute(statement).scalar_one())
    except sa.exc.IntegrityError:  # another writer was faster (PostgreSQL; SQLite has one writer)
        return int(
            connection.execute(sa.select(table.c.id).where(table.c.name == name)).scalar_one()
        )
