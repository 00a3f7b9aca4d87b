"""What visitors have favourited. What is shown of it depends on the catalogue: `queries`."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from liuying.features.favourites.tables import favourite, favourite_activity
from liuying.kit.clock import Milliseconds
from liuying.kit.errors import ForbiddenError
from liuying.kit.inserting import insert_if_absent

# Whoever lists or counts a visitor's favourites reads them all.
MAX_FAVOURITES = 10_000
FULL_MESSAGE = f"收藏最多 {MAX_FAVOURITES} 个，请先移除一些"


def add(
    connection: sa.Connection, visitor_id: int, site: str, video_id: int, now: Milliseconds
) -> Milliseconds:
    """Favourite a video; the second time changes nothing. The visitor's row must be locked.

    Returns:
        When it was favourited first.

    Raises:
        ForbiddenError: The list is full; what the transaction wrote must be rolled back.
    """
    values = {"visitor_id": visitor_id, "site": site, "video_id": video_id, "created_at": now}
    if insert_if_absent(connection, favourite, values):
        _refuse_more(connection, visitor_id, site)
        _note_activity(connection, visitor_id, site, now)
    first = sa.select(favourite.c.created_at).where(_is(visitor_id, site, video_id))
    return int(connection.execute(first).scalar_one())


def remove(connection: sa.Connection, visitor_id: int, site: str, video_id: int) -> None:
    """Take a video out of the favourites; nothing happens where it is none. The visitor's row must
    be locked.
    """
    connection.execute(sa.delete(favourite).where(_is(visitor_id, site, video_id)))
    left = sa.exists().where(favourite.c.visitor_id == visitor_id, favourite.c.site == site)
    connection.execute(
        sa.delete(favourite_activity).where(_is_activity(visitor_id, site), sa.not_(left))
    )


def among(
    connection: sa.Connection, visitor_id: int, site: str, video_ids: Collection[int]
) -> set[int]:
    """The favourited ones of `video_ids`."""
    statement = sa.select(favourite.c.video_id).where(
        favourite.c.visitor_id == visitor_id,
        favourite.c.site == site,
        favourite.c.video_id.in_(video_ids),
    )
    return set(connection.execute(statement).scalars())


def has_favourites(connection: sa.Connection, visitor_id: int) -> bool:
    """Whether a visitor has favourites, shown or not."""
    return bool(
        connection.execute(
            sa.select(sa.exists().where(favourite.c.visitor_id == visitor_id))
        ).scalar()
    )


def _refuse_more(connection: sa.Connection, visitor_id: int, site: str) -> None:
    own = sa.select(favourite.c.video_id).where(
        favourite.c.visitor_id == visitor_id, favourite.c.site == site
    )
    if connection.execute(own.offset(MAX_FAVOURITES).limit(1)).first() is not None:
        raise ForbiddenError(FULL_MESSAGE)


def _note_activity(
    connection: sa.Connection, visitor_id: int, site: str, now: Milliseconds
) -> None:
    values = {"visitor_id": visitor_id, "site": site, "active_at": now}
    if not insert_if_absent(connection, favourite_activity, values):
        # A clock may stand behind another process's.
        is_later = sa.and_(_is_activity(visitor_id, site), favourite_activity.c.active_at < now)
        connection.execute(sa.update(favourite_activity).where(is_later).values(active_at=now))


def _is_activity(visitor_id: int, site: str) -> sa.ColumnElement[bool]:
    return sa.and_(favourite_activity.c.visitor_id == visitor_id, favourite_activity.c.site == site)


def _is(visitor_id: int, site: str, video_id: int) -> sa.ColumnElement[bool]:
    return sa.and_(
        favourite.c.visitor_id == visitor_id,
        favourite.c.site == site,
        favourite.c.video_id == video_id,
    )
