"""What visitors did with one video, in figures without anybody's identity."""

from __future__ import annotations

import msgspec
from litestar import get
from litestar.types import ControllerRouterHandler

from liuying.console.access import needs
from liuying.console.given import GivenServices
from liuying.console.videos import queries
from liuying.core.catalogue.rules import is_locked
from liuying.features.operators.rules import Role
from liuying.features.views.rules import FAILURE_DAYS, fails_for_many
from liuying.kit.clock import DAY_MS, day_number, to_iso
from liuying.kit.database import AnyRow
from liuying.kit.envelope import Envelope
from liuying.kit.errors import NotFoundError
from liuying.kit.responses import MISSING, UNAUTHORIZED, PathIdentifier
from liuying.pages.statistics import Count

# Hourly buckets are kept no longer.
DAYS = 30


class VideoFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Sums about a video. Those of `days` days include today; the others are of all time.

    Attributes:
        views_by_day: Oldest first, zeros included; days are UTC.
        failures_by_day: How often playback ended with an error, likewise.
        starts: How often its first picture was shown.
        mean_wait_ms: Until then.
        stalls: How often it stood still.
        failed_networks: Networks with failures, each counted once a day.
        fails_for_many: Whether it fails for many today and yesterday.
        share_visits: Visits by other networks that count for its links.
        unlocks: Visitors for whom it is unlocked; None where it is not locked.
    """

    days: int
    views: int
    views_by_day: list[Count]
    failures_by_day: list[Count]
    starts: int
    mean_wait_ms: int
    stalls: int
    failures: int
    failed_networks: int
    fails_for_many: bool
    favourites: int
    shares: int
    share_visits: int
    unlocks: int | None
    reports: int


@get(
    "/api/videos/{video_id:int}/figures",
    sync_to_thread=True,
    summary="What visitors did with a video",
    opt=needs(Role.VIEWER),
    responses={**UNAUTHORIZED, **MISSING},
)
def video_figures(video_id: PathIdentifier, services: GivenServices) -> Envelope[VideoFigures]:
    """Summed up at each call."""
    today = day_number(services.clock())
    first = today - DAYS + 1
    with services.database.read() as connection:
        row = queries.rows_of(connection, [video_id]).get(video_id)
        if row is None:
            raise NotFoundError(f"没有编号为 {video_id} 的视频")
        views = queries.views_by_day(connection, video_id, first)
        health = queries.health_by_day(connection, video_id, first)
        favourites = queries.count_favourites(connection, video_id)
        shares, visits, unlocked = queries.share_sums(connection, video_id)
        reports = queries.count_reports(connection, video_id)
    sums = _sums(list(health.values()))
    now = _sums([one for day, one in health.items() if day > today - FAILURE_DAYS])
    return Envelope(
        VideoFigures(
            days=DAYS,
            views=row.pageviews,
            views_by_day=[Count(_name(day), views.get(day, 0)) for day in range(first, today + 1)],
            failures_by_day=[
                Count(_name(day), health[day].failures if day in health else 0)
                for day in range(first, today + 1)
            ],
            starts=sums["starts"],
            mean_wait_ms=round(sums["start_ms"] / sums["starts"]) if sums["starts"] else 0,
            stalls=sums["stalls"],
            failures=sums["failures"],
            failed_networks=sums["failed_networks"],
            fails_for_many=fails_for_many(now["starts"], now["failures"], now["failed_networks"]),
            favourites=favourites,
            shares=shares,
            share_visits=visits,
            unlocks=unlocked if is_locked(row.category_id) else None,
            reports=reports,
        )
    )


def _sums(rows: list[AnyRow]) -> dict[str, int]:
    names = ("starts", "start_ms", "stalls", "failures", "failed_networks")
    return {name: sum(int(getattr(row, name)) for row in rows) for name in names}


def _name(day: int) -> str:
    return to_iso(day * DAY_MS)[:10]


ROUTES: list[ControllerRouterHandler] = [video_figures]
