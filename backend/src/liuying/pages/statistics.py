"""What visitors did, summed up for the operator. Days and hours are UTC, like the buckets."""

from __future__ import annotations

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.videos import titles_of
from liuying.core.jobs.service import Queue, measure_queue
from liuying.features.views.service import PlayHealth, list_failing, list_health
from liuying.kit.clock import DAY_MS, HOUR_MS, Milliseconds, day_number, hour_of, to_iso
from liuying.pages.queries import statistics as queries

TOP = 10
HOURS = 24


class Count(msgspec.Struct, frozen=True):
    """A count for a day (`2026-12-01`) or an hour (`2026-12-01T08:00`)."""

    moment: str
    count: int


class VideoCount(msgspec.Struct, frozen=True):
    """A count for a video."""

    id: int
    title: str
    count: int


class VideoHealth(msgspec.Struct, frozen=True):
    """How well a video played: `mean_wait_ms` until the first frame, `share` of failed attempts
    (0 to 1).
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
    """All-time totals, except `views_in_period`."""

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
    """All sums of a period of `days` days, including today."""

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
    """Sum up a period.

    Args:
        days: 1 to 30: hourly buckets are kept no longer.
    """
    by_hour = queries.views_by_hour(connection, (day_number(now) - days + 1) * 24)
    day_of = [(hour // 24, views) for hour, views in by_hour.items()]
    begin = (day_number(now) - days + 1) * DAY_MS
    return Statistics(
        made_at=to_iso(now),
        days=days,
        totals=Totals(views_in_period=sum(by_hour.values()), **queries.totals(connection)),
        queue=measure_queue(connection, now),
        views_by_day=_days(day_of, now, days),
        views_by_hour=[
            Count(to_iso(hour * HOUR_MS)[:16], by_hour.get(hour, 0))
            for hour in range(hour_of(now) - HOURS + 1, hour_of(now) + 1)
        ],
        favourites_by_day=_days(queries.favourites_by_day(connection, begin), now, days),
        shares_by_day=_days(queries.shares_by_day(connection, begin), now, days),
        top_videos=_titled_counts(connection, queries.most_watched(connection, begin, TOP)),
        top_favourites=_titled_counts(connection, queries.most_favourited(connection, begin, TOP)),
        health=health_of(connection, now, days),
    )


def health_of(
    connection: sa.Connection, now: Milliseconds, days: int, *, most: int = TOP
) -> list[VideoHealth]:
    """Videos with reported failures or stalls, most failures first.

    Args:
        days: Number of days, including today; whether a video fails for many refers to the same
            days.
    """
    sums = [one for one in list_health(connection, now, days) if one.failures or one.stalls][:most]
    return _titled(connection, sums)


def failing_videos(connection: sa.Connection, now: Milliseconds) -> list[VideoHealth]:
    """Videos that fail for many now."""
    return _titled(connection, list_failing(connection, now))


def _titled(connection: sa.Connection, sums: list[PlayHealth]) -> list[VideoHealth]:
    titles = titles_of(connection, [one.video_id for one in sums])
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


def _days(counts: list[tuple[int, int]], now: Milliseconds, days: int) -> list[Count]:
    """One count per day, including zeros."""
    sums: dict[int, int] = {}
    for day, count in counts:
        sums[day] = sums.get(day, 0) + count
    today = day_number(now)
    return [
        Count(to_iso(day * DAY_MS)[:10], sums.get(day, 0))
        for day in range(today - days + 1, today + 1)
    ]


def _titled_counts(connection: sa.Connection, counts: queries.Counted) -> list[VideoCount]:
    titles = titles_of(connection, [video_id for video_id, _ in counts])
    return [VideoCount(video_id, titles[video_id], found) for video_id, found in counts]
