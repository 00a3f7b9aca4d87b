"""Time as the product stores it: whole milliseconds since 1970, UTC."""

from __future__ import annotations

import threading
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


class ForwardClock:
    """A clock that never goes back: where the one behind it is set back, this one goes on from
    where it was.

    For what is only compared with itself in one process, such as limits: nobody is locked out until
    the old time comes again, and nothing is counted anew.

    Args:
        clock: Says what the time is.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: Milliseconds = 0
        self._ahead: Milliseconds = 0
        self._lock = threading.Lock()

    def __call__(self) -> Milliseconds:
        """The time, at least that of the last call."""
        with self._lock:
            now = self._clock()
            self._ahead += max(0, self._last - now)
            self._last = now
            return now + self._ahead


def to_iso(moment: Milliseconds) -> str:
    """`1_700_000_000_000` → `2023-11-14T22:13:20Z`, the form of every time on the wire."""
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def to_iso_if_known(moment: Milliseconds | None) -> str | None:
    """The same; None where there is no moment."""
    return None if moment is None else to_iso(moment)


def day_number(moment: Milliseconds) -> int:
    """Days since 1970, UTC: the seed for everything that changes daily."""
    return moment // DAY_MS


def hour_of(moment: Milliseconds) -> int:
    """Hours since 1970 in UTC."""
    return moment // HOUR_MS
