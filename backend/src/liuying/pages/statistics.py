"""What visitors did, summed for the operator. Days and hours are of UTC, as the buckets are."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.jobs.service import Queue, measure_queue
from liuying.core.visitors.tables import visitor
from liuying.features.favourites.tables import favourite
from liuying.features.feedback.tables import feedback
from liuying.features.sharing.tables import share, share_visit
from liuying.features.views.service import PlayHealth, list_failing, list_health
from liuying.features.views.tables import view_hour
from liuying.kit.clock import DAY_MS, HOUR_MS, Milliseconds, day_number, hour_of, to_iso

TOP = 10
HOURS = 24


class Count(msgspec.Struct, frozen=True):
    """How often something happened in a day (`2026-12-01`) or an hour (`2026-12-01T08:00`)."""

    moment: str
    count: int


class VideoCount(msgspec.Struct, frozen=True):
    """How often something happened to a video."""

    id: int
    title: str
    count: int


class VideoHealth(msgspec.Struct, frozen=True):
    """How well a video played: `mean_wait_ms` to the first frame, `share` of failures among all
    attempts (0 to 1).
    """

    id: int
    title: str
    starts: int
    mean_wait_ms: int
    stalls: int
    failures: int
    failed_networks: int
    share: float
    fails_for_many: bool


class Totals(msgspec.Struct, frozen=True):
    """Of all time, but `views_in_period`."""

    videos: int
    hidden: int
    views: int
    views_in_period: int
    visitors: int
    favourites: int
    shares: int
    share_visits: int
    unread_feedback: int


class Statistics(msgspec.Struct, frozen=True):
    """All sums of a period of `days` days, the current one included."""

    made_at: str
    days: int
    totals: Totals
    queue: Queue
    views_by_day: list[Count]
    views_by_hour: list[Count]
    favourites_by_day: list[Count]
    shares_by_day: list[Count]
    top_videos: list[VideoCount]
    top_favourites: list[VideoCount]
    health: list[VideoHealth]


def read_statistics(connection: sa.Connection, now: Milliseconds, days: int) -> Statistics:
    """Sum a period up.

    Args:
        days: 1 to 30: hourly buckets are kept no longer.
    """
    by_hour = _views(connection, (day_number(now) - days + 1) * 24)
    day_of = [(hour // 24, views) for hour, views in by_hour.items()]
    begin = (day_number(now) - days + 1) * DAY_MS
    return Statistics(
        made_at=to_iso(now),
        days=days,
        totals=_totals(connection, sum(by_hour.values())),
        queue=measure_queue(connection, now),
        views_by_day=_days(day_of, now, days),
        views_by_hour=[
            Count(to_iso(hour * HOUR_MS)[:16], by_hour.get(hour, 0))
            for hour in range(hour_of(now) - HOURS + 1, hour_of(now) + 1)
        ],
        favourites_by_day=_days(_by_day(connection, favourite.c.created_at, begin), now, days),
        shares_by_day=_days(_by_day(connection, share.c.created_at, begin), now, days),
        top_videos=_top(
            connection,
            view_hour.c.video_id,
            sa.func.sum(view_hour.c.views),
            view_hour.c.hour,
            begin,
        ),
        top_favourites=_top(
            connection,
            favourite.c.video_id,
            sa.func.count(),
            favourite.c.created_at // HOUR_MS,
            begin,
        ),
        health=health_of(connection, now, days),
    )


def health_of(
    connection: sa.Connection, now: Milliseconds, days: int, *, most: int = TOP
) -> list[VideoHealth]:
    """The videos that were reported to fail or to stall, most failures first.

    Args:
        days: How many are summed, today included; whether a video fails for many is said of the
            same days.
    """
    sums = [one for one in list_health(connection, now, days) if one.failures or one.stalls][:most]
    return _titled(connection, sums)


def failing_videos(connection: sa.Connection, now: Milliseconds) -> list[VideoHealth]:
    """The videos that fail for many now."""
    return _titled(connection, list_failing(connection, now))


def _titled(connection: sa.Connection, sums: list[PlayHealth]) -> list[VideoHealth]:
    titles = _titles(connection, [one.video_id for one in sums])
    return [
        VideoHealth(
            id=one.video_id,
            title=titles[one.video_id],
            starts=one.starts,
            mean_wait_ms=round(one.start_ms / one.starts) if one.starts else 0,
            stalls=one.stalls,
            failures=one.failures,
            failed_networks=one.failed_networks,
            share=round(one.failures / max(1, one.starts + one.failures), 4),
            fails_for_many=one.fails_for_many,
        )
        for one in sums
    ]


def _views(connection: sa.Connection, first_hour: int) -> dict[int, int]:
    statement = (
        sa.select(view_hour.c.hour, sa.func.sum(view_hour.c.views))
        .where(view_hour.c.hour >= first_hour)
        .group_by(view_hour.c.hour)
    )
    return {int(hour): int(views) for hour, views in connection.execute(statement)}


def _by_day(
    connection: sa.Connection, column: sa.Column[Any], begin: Milliseconds
) -> list[tuple[int, int]]:
    day = (column // DAY_MS).label("day")
    statement = sa.select(day, sa.func.count()).where(column >= begin).group_by(day)
    return [(int(number), int(count)) for number, count in connection.execute(statement)]


def _days(counts: list[tuple[int, int]], now: Milliseconds, days: int) -> list[Count]:
    """One count for each day, those without any too."""
    sums: dict[int, int] = {}
    for day, count in counts:
        sums[day] = sums.get(day, 0) + count
    today = day_number(now)
    return [
        Count(to_iso(day * DAY_MS)[:10], sums.get(day, 0))
        for day in range(today - days + 1, today + 1)
    ]


def _top(
    connection: sa.Connection,
    video_id: sa.Column[Any],
    count: sa.ColumnElement[int],
    hour: sa.ColumnElement[int],
    begin: Milliseconds,
) -> list[VideoCount]:
    total = count.label("total")
    statement = (
        sa.select(video_id.label("id"), total)
        .where(hour >= begin // HOUR_MS)
        .group_by(video_id)
        .order_by(total.desc(), video_id)
        .limit(TOP)
    )
    counts = [(int(row[0]), int(row[1])) for row in connection.execute(statement)]
    titles = _titles(connection, [one for one, _ in counts])
    return [VideoCount(one, titles[one], found) for one, found in counts]


def _titles(connection: sa.Connection, ids: list[int]) -> dict[int, str]:
    rows = connection.execute(sa.select(video.c.id, video.c.title).where(video.c.id.in_(ids)))
    return {row.id: row.title for row in rows}


def _totals(connection: sa.Connection, views_in_period: int) -> Totals:
    def count(table: sa.Table, *conditions: sa.ColumnElement[bool]) -> int:
        return int(
            connection.execute(
                sa.select(sa.func.count()).select_from(table).where(*conditions)
            ).scalar_one()
        )

    views = connection.execute(
        sa.select(sa.func.coalesce(sa.func.sum(video.c.pageviews), 0))
    ).scalar_one()
    settled = connection.execute(
        sa.select(sa.func.coalesce(sa.func.sum(share.c.settled), 0))
    ).scalar_one()
    return Totals(
        videos=count(video),
        hidden=count(video, video.c.is_hidden),
        views=int(views),
        views_in_period=views_in_period,
        visitors=count(visitor),
        favourites=count(favourite),
        shares=count(share),
        share_visits=count(share_visit, ~share_visit.c.is_sharer) + int(settled),
        unread_feedback=count(feedback, ~feedback.c.is_read),
    )
