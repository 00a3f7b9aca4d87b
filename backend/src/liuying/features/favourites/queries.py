"""Statements of favourites. Each runs inside the caller's transaction.

Hidden and removed videos are neither listed nor counted; a favourite reappears with its video. A
title with a leading ★ is in no list (specification §4), but its heart is filled on the player page.
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
from liuying.kit.inserting import insert_if_absent, upsert
from liuying.kit.paging import PageRequest


def insert_favourite(
    connection: sa.Connection, visitor_id: int, site: str, video_id: int, now: Milliseconds
) -> bool:
    """Add a favourite; returns whether it is new.

    Raises:
        sqlalchemy.exc.IntegrityError: No such video.
    """
    values = {"visitor_id": visitor_id, "site": site, "video_id": video_id, "created_at": now}
    return insert_if_absent(connection, favourite, values)


def favourited_at(
    connection: sa.Connection, visitor_id: int, site: str, video_id: int
) -> Milliseconds:
    """When a video became a favourite."""
    statement = sa.select(favourite.c.created_at).where(_is(visitor_id, site, video_id))
    return int(connection.execute(statement).scalar_one())


def has_more_than(connection: sa.Connection, visitor_id: int, site: str, number: int) -> bool:
    """Whether a visitor has more than a given number of favourites, visible or not."""
    own = sa.select(favourite.c.video_id).where(_is_own(visitor_id, site))
    return connection.execute(own.offset(number).limit(1)).first() is not None


def note_activity(connection: sa.Connection, visitor_id: int, site: str, now: Milliseconds) -> None:
    """Record when a visitor last added a favourite."""
    values = {"visitor_id": visitor_id, "site": site, "active_at": now}
    # The clock may be behind that of another process.
    is_later = favourite_activity.c.active_at < now
    upsert(connection, favourite_activity, values, ["visitor_id", "site"], is_later)


def remove(connection: sa.Connection, visitor_id: int, site: str, video_id: int) -> None:
    """Remove a favourite, if it is one. The visitor's row must be locked."""
    connection.execute(sa.delete(favourite).where(_is(visitor_id, site, video_id)))
    left = sa.exists().where(_is_own(visitor_id, site))
    connection.execute(
        sa.delete(favourite_activity).where(_is_activity(visitor_id, site), sa.not_(left))
    )


def has_favourites(connection: sa.Connection, visitor_id: int) -> bool:
    """Whether a visitor has favourites, visible or not."""
    statement = sa.select(sa.exists().where(favourite.c.visitor_id == visitor_id))
    return bool(connection.execute(statement).scalar())


def count(connection: sa.Connection, visitor_id: int, site: str) -> int:
    """Number of a visitor's listed favourites."""
    statement = (
        sa.select(sa.func.count())
        .select_from(favourite)
        .join(video, video.c.id == favourite.c.video_id)
    )
    return connection.execute(statement.where(_listed_of(visitor_id, site))).scalar_one()


def listed_rows(
    connection: sa.Connection, visitor_id: int, site: str, request: PageRequest
) -> Sequence[AnyRow]:
    """One page of a visitor's listed favourites with `favourited_at`, newest first."""
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
    """The favourites among `video_ids` that are playable."""
    statement = (
        sa.select(video.c.id)
        .join(favourite, favourite.c.video_id == video.c.id)
        .where(listing.PLAYABLE, _is_own(visitor_id, site), favourite.c.video_id.in_(video_ids))
    )
    return set(connection.execute(statement).scalars())


def active_visitors(
    connection: sa.Connection, site: str, *, other_than: int, offset: int, limit: int
) -> list[int]:
    """Visitors with listed favourites, most recently active first."""
    listed = _listed_of(favourite_activity.c.visitor_id, site)
    # Not EXISTS: PostgreSQL would join all visitors' favourites before taking the first page.
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
