"""Statements of favourites. Each runs inside the caller's transaction.

What is hidden or removed is neither listed nor counted, and comes back with the video. A title that
begins with ★ is in no list (specification §4), though its heart is filled on the player page.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.queries import listing, videos
from liuying.core.catalogue.tables import video
from liuying.features.favourites.tables import favourite, favourite_activity
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_if_absent
from liuying.kit.paging import PageRequest


def insert_favourite(
    connection: sa.Connection, visitor_id: int, site: str, video_id: int, now: Milliseconds
) -> bool:
    """Favourite a video; whether it was none.

    Raises:
        sqlalchemy.exc.IntegrityError: There is no such video.
    """
    values = {"visitor_id": visitor_id, "site": site, "video_id": video_id, "created_at": now}
    return insert_if_absent(connection, favourite, values)


def favourited_at(
    connection: sa.Connection, visitor_id: int, site: str, video_id: int
) -> Milliseconds:
    """When a favourite became one."""
    statement = sa.select(favourite.c.created_at).where(_is(visitor_id, site, video_id))
    return int(connection.execute(statement).scalar_one())


def has_more_than(connection: sa.Connection, visitor_id: int, site: str, number: int) -> bool:
    """Whether a visitor has more favourites than a number, shown or not."""
    own = sa.select(favourite.c.video_id).where(_is_own(visitor_id, site))
    return connection.execute(own.offset(number).limit(1)).first() is not None


def note_activity(connection: sa.Connection, visitor_id: int, site: str, now: Milliseconds) -> None:
    """Remember when a visitor last favourited a video."""
    values = {"visitor_id": visitor_id, "site": site, "active_at": now}
    if not insert_if_absent(connection, favourite_activity, values):
        # A clock may stand behind another process's.
        is_later = sa.and_(_is_activity(visitor_id, site), favourite_activity.c.active_at < now)
        connection.execute(sa.update(favourite_activity).where(is_later).values(active_at=now))


def remove(connection: sa.Connection, visitor_id: int, site: str, video_id: int) -> None:
    """Take a video out of the favourites; nothing happens where it is none. The visitor's row must
    be locked.
    """
    connection.execute(sa.delete(favourite).where(_is(visitor_id, site, video_id)))
    left = sa.exists().where(_is_own(visitor_id, site))
    connection.execute(
        sa.delete(favourite_activity).where(_is_activity(visitor_id, site), sa.not_(left))
    )


def has_favourites(connection: sa.Connection, visitor_id: int) -> bool:
    """Whether a visitor has favourites, shown or not."""
    statement = sa.select(sa.exists().where(favourite.c.visitor_id == visitor_id))
    return bool(connection.execute(statement).scalar())


def count(connection: sa.Connection, visitor_id: int, site: str) -> int:
    """How many favourites a visitor's list has."""
    statement = (
        sa.select(sa.func.count())
        .select_from(favourite)
        .join(video, video.c.id == favourite.c.video_id)
    )
    return connection.execute(statement.where(_listed_of(visitor_id, site))).scalar_one()


def listed_rows(
    connection: sa.Connection, visitor_id: int, site: str, request: PageRequest
) -> Sequence[AnyRow]:
    """A page of a visitor's listed favourites with `favourited_at`, the newest first."""
    statement: sa.Select[Any] = (
        videos.select_rows()
        .add_columns(favourite.c.created_at.label("favourited_at"))
        .join(favourite, favourite.c.video_id == video.c.id)
        .where(_listed_of(visitor_id, site))
        .order_by(favourite.c.created_at.desc(), favourite.c.video_id.desc())
        .offset(request.offset)
        .limit(request.per_page)
    )
    return connection.execute(statement).all()


def favourited_among(
    connection: sa.Connection, visitor_id: int, site: str, video_ids: Collection[int]
) -> set[int]:
    """The favourited ones of `video_ids` that can be played."""
    statement = (
        sa.select(video.c.id)
        .join(favourite, favourite.c.video_id == video.c.id)
        .where(listing.PLAYABLE, _is_own(visitor_id, site), favourite.c.video_id.in_(video_ids))
    )
    return set(connection.execute(statement).scalars())


def active_visitors(
    connection: sa.Connection, site: str, *, other_than: int, offset: int, limit: int
) -> list[int]:
    """Visitors with listed favourites, the last active first."""
    listed = _listed_of(favourite_activity.c.visitor_id, site)
    # Not EXISTS: PostgreSQL would join all visitors' favourites before it takes the first page.
    first = sa.select(video.c.id).where(favourite.c.video_id == video.c.id, listed).limit(1)
    is_shown = first.correlate(favourite_activity).scalar_subquery().is_not(None)
    statement = (
        sa.select(favourite_activity.c.visitor_id)
        .where(
            favourite_activity.c.site == site,
            favourite_activity.c.visitor_id != other_than,
            is_shown,
        )
        .order_by(favourite_activity.c.active_at.desc(), favourite_activity.c.visitor_id.desc())
        .offset(offset)
        .limit(limit)
    )
    return list(connection.execute(statement).scalars())


def _listed_of(visitor_id: int | sa.ColumnElement[int], site: str) -> sa.ColumnElement[bool]:
    return sa.and_(listing.LISTED, _is_own(visitor_id, site))


def _is_own(visitor_id: int | sa.ColumnElement[int], site: str) -> sa.ColumnElement[bool]:
    return sa.and_(favourite.c.visitor_id == visitor_id, favourite.c.site == site)


def _is(visitor_id: int, site: str, video_id: int) -> sa.ColumnElement[bool]:
    return sa.and_(_is_own(visitor_id, site), favourite.c.video_id == video_id)


def _is_activity(visitor_id: int, site: str) -> sa.ColumnElement[bool]:
    return sa.and_(favourite_activity.c.visitor_id == visitor_id, favourite_activity.c.site == site)
