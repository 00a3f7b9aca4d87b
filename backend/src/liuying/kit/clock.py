"""Time as the product keeps it: whole milliseconds since 1970 in UTC."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

Milliseconds = int
Clock = Callable[[], Milliseconds]


def system_clock() -> Milliseconds:
    """The machine's time."""
    return time.time_ns() // 1_000_000


def to_iso(moment: Milliseconds) -> str:
    """`1_700_000_000_000` → `2023-11-14T22:13:20Z`, the form of every time on the wire."""
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day_number(moment: Milliseconds) -> int:
    """Days since 1970 in UTC: the seed of what changes once a day."""
    return moment // 86_400_000
