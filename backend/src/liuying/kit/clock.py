"""Time as the product stores it: whole milliseconds since 1970, UTC."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

Milliseconds = int
Clock = Callable[[], Milliseconds]
HOUR_MS: Milliseconds = 3_600_000
DAY_MS: Milliseconds = 24 * HOUR_MS


def system_clock() -> Milliseconds:
    """The machine's time."""
    return time.time_ns() // 1_000_000


def to_iso(moment: Milliseconds) -> str:
    """`1_700_000_000_000` → `2023-11-14T22:13:20Z`, the form of every time on the wire."""
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day_number(moment: Milliseconds) -> int:
    """Days since 1970, UTC: the seed for everything that changes daily."""
    return moment // DAY_MS


def hour_of(moment: Milliseconds) -> int:
    """Hours since 1970 in UTC."""
    return moment // HOUR_MS
