"""Pure rules of views and ranks (docs/product.md#playback, docs/product.md#operator)."""

from __future__ import annotations

from typing import Literal

from liuying.kit.clock import DAY_MS, HOUR_MS, Milliseconds, hour_of
from liuying.kit.limits import HOUR, MINUTE, Limit, Rule

RANK_PLACES = 100

# A video fails for many if, over today and yesterday (UTC), failures came from at least so many
# networks and are at least this share of all attempts to play it.
MANY_NETWORKS, MANY_SHARE = 5, 0.2
FAILURE_DAYS = 2

RankKind = Literal["pageviews", "favorites", "new"]
Period = Literal["day", "week", "month", "all"]
KINDS: tuple[RankKind, ...] = ("pageviews", "favorites", "new")
PERIODS: tuple[Period, ...] = ("day", "week", "month", "all")
DAYS: dict[Period, int] = {"day": 1, "week": 7, "month": 30}
# Hourly buckets beyond the longest period are useless.
KEPT_MS = DAYS["month"] * DAY_MS + DAY_MS
# Some 50 people behind one carrier address who swipe through the short feed.
PLAY_EVENTS = Limit("play event", (Rule(600, MINUTE),))
# Per video: whoever invents data codes is still one network.
VIEWS = Limit("view", (Rule(30, HOUR),))


def period_start(period: Period, now: Milliseconds) -> Milliseconds:
    """The start of a rolling period; 0 for all time. It is a full hour, as buckets are."""
    days = DAYS.get(period)
    return 0 if days is None else (hour_of(now) - 24 * days + 1) * HOUR_MS


def fails_for_many(starts: int, failures: int, failed_networks: int) -> bool:
    """Whether the operator must look at a video.

    Args:
        starts: How often its first frame was shown.
        failures: How often playback ended with an error.
        failed_networks: Number of networks with failures, each counted once a day.
    """
    return failed_networks >= MANY_NETWORKS and failures >= MANY_SHARE * (starts + failures)
