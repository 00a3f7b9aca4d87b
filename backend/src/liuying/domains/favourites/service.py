"""What visitors have favourited. Which of it is shown, `pages.favourites` knows: that depends on the catalogue."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from liuying.domains.favourites.tables import favourite
from liuying.kit.clock import Milliseconds
from liuying.kit.inserting import insert_if_absent


def add(connection: sa.Connection, visitor_id: int, site: str, video_id: int, now: Milliseconds) -> Milliseconds:
    """Favourite a video; the second time changes nothing.

    Returns:
        When it was favourited first.
    """
    values = {"visitor_id": visitor_id, "site": site, "video_id": video_id, "created_at": now}
    insert_if_absent(connection, favourite, values)
    first = sa.select(favourite.c.created_at).where(_is(visitor_id, site, video_id))
    return int(connection.execute(first).scalar_one())


def remove(connection: sa.Connection, visitor_id: int, site: str, video_id: int) -> None:
    """Take a video out of the favourites; nothing happens where it is none."""
    connection.execute(sa.delete(favourite).where(_is(visitor_id, site, video_id)))


def among(connection: sa.Connection, visitor_id: int, site: str, video_ids: Collection[int]) -> set[int]:
    """The favourited ones of `video_ids`."""
    statement = sa.select(favourite.c.video_id).where(
        favourite.c.visitor_id == visitor_id, favourite.c.site == site, favourite.c.video_id.in_(video_ids)
    )
    return set(connection.execute(statement).scalars())


def has_favourites(connection: sa.Connection, visitor_id: int) -> bool:
    """Whether a visitor has favourites, shown or not."""
    return bool(connection.execute(sa.select(sa.exists().where(favourite.c.visitor_id == visitor_id))).scalar())


def _is(visitor_id: int, site: str, video_id: int) -> sa.ColumnElement[bool]:
    return sa.and_(favourite.c.visitor_id == visitor_id, favourite.c.site == site, favourite.c.video_id == video_id)
