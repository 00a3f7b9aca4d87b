"""Sums for the operator. Days and hours are UTC, like the buckets."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.visitors.tables import visitor
from liuying.features.favourites.tables import favourite
from liuying.features.feedback.tables import feedback
from liuying.features.sharing.tables import share, share_visit
from liuying.features.views.tables import view_hour
from liuying.kit.clock import DAY_MS, HOUR_MS, Milliseconds

# A number (a day, a video) and a count.
Counted = list[tuple[int, int]]


def views_by_hour(connection: sa.Connection, first_hour: int) -> dict[int, int]:
    """Views of each hour that has any, from a given hour on."""
    total = sa.func.sum(view_hour.c.views)
    statement = sa.select(view_hour.c.hour, total).where(view_hour.c.hour >= first_hour)
    rows = connection.execute(statement.group_by(view_hour.c.hour))
    return {int(hour): int(views) for hour, views in rows}


def favourites_by_day(connection: sa.Connection, begin: Milliseconds) -> Counted:
    """New favourites of each day that has any."""
    return _by_day(connection, favourite.c.created_at, begin)


def shares_by_day(connection: sa.Connection, begin: Milliseconds) -> Counted:
    """New shares of each day that has any."""
    return _by_day(connection, share.c.created_at, begin)


def _by_day(connection: sa.Connection, column: sa.Column[Any], begin: Milliseconds) -> Counted:
    day = (column // DAY_MS).label("day")
    statement = sa.select(day, sa.func.count()).where(column >= begin).group_by(day)
    return [(int(number), int(count)) for number, count in connection.execute(statement)]


def most_watched(connection: sa.Connection, begin: Milliseconds, limit: int) -> Counted:
    """The videos with the most views since a moment."""
    views = sa.func.sum(view_hour.c.views)
    return _most(connection, view_hour.c.video_id, views, view_hour.c.hour, begin, limit)


def most_favourited(connection: sa.Connection, begin: Milliseconds, limit: int) -> Counted:
    """The videos with the most new favourites since a moment."""
    hour = favourite.c.created_at // HOUR_MS
    return _most(connection, favourite.c.video_id, sa.func.count(), hour, begin, limit)


def _most(
    connection: sa.Connection,
    video_id: sa.Column[Any],
    count: sa.ColumnElement[int],
    hour: sa.ColumnElement[int],
    begin: Milliseconds,
    limit: int,
) -> Counted:
    total = count.label("total")
    statement = (
        sa.select(video_id.label("id"), total)
        .where(hour >= begin // HOUR_MS)
        .group_by(video_id)
        .order_by(total.desc(), video_id)
        .limit(limit)
    )
    return [(int(row[0]), int(row[1])) for row in connection.execute(statement)]


def totals(connection: sa.Connection) -> dict[str, int]:
    """All-time totals by the names of `statistics.Totals`."""
    settled = _sum(connection, share.c.settled)
    return {
        "videos": _count(connection, video),
        "hidden": _count(connection, video, video.c.is_hidden),
        "views": _sum(connection, video.c.pageviews),
        "visitors": _count(connection, visitor),
        "favourites": _count(connection, favourite),
        "shares": _count(connection, share),
        "share_visits": _count(connection, share_visit, ~share_visit.c.is_sharer) + settled,
        "unread_feedback": _count(connection, feedback, ~feedback.c.is_read),
    }


def _count(connection: sa.Connection, table: sa.Table, *conditions: sa.ColumnElement[bool]) -> int:
    statement = sa.select(sa.func.count()).select_from(table).where(*conditions)
    return int(connection.execute(statement).scalar_one())


def _sum(connection: sa.Connection, column: sa.Column[int]) -> int:
    return int(connection.execute(sa.select(sa.func.coalesce(sa.func.sum(column), 0))).scalar_one())
