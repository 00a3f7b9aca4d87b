"""How often a client's network may do something (docs/security.md#t1, docs/security.md#t14). What
is limited, and how much, stands with the rules of the noun.

The state lives in this process alone and may be lost with it; it is bounded, and names a network by
a keyed hash that changes every day (docs/security.md#t25).
"""

from __future__ import annotations

import math
import threading

import msgspec

from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Clock, day_number
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.sliding_windows import MovingWindows

# Keys counted at once, for each rule (none pushes out another's): some 20 MB at the most. Where
# there are more, the longest unused are forgotten.
MAX_COUNTED = 50_000


class Rule(msgspec.Struct, frozen=True):
    """So many uses within the last so many seconds."""

    most: int
    seconds: int


MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class Limit(msgspec.Struct, frozen=True):
    """What is limited, and how often a network may do it: as often as every rule allows.

    Attributes:
        name: Tells limits apart, also in hashes of networks.
        rules: How often.
    """

    name: str
    rules: tuple[Rule, ...]


class Limits:
    """Moving windows for each network.

    Args:
        hashes: Names networks without their addresses.
        clock: Says what the time is.
    """

    def __init__(self, hashes: KeyedHashes, clock: Clock) -> None:
        self._hashes = hashes
        self._clock = clock
        self._counted: dict[tuple[str, Rule], MovingWindows] = {}
        self._lock = threading.Lock()

    def check(self, limit: Limit, network: ClientNetwork, about: int | None = None) -> None:
        """Count one use.

        Args:
            limit: What is limited.
            network: Who uses it.
            about: What is used, where each has a limit of its own (a video's number).

        Raises:
            TooManyRequestsError: The limit is reached; this use does not count.
        """
        now = self._clock()
        with self._lock:
            self._count(limit, network, now, about)

    def allows(self, limit: Limit, network: ClientNetwork, about: int | None = None) -> bool:
        """Count one use where the limit is not reached, and say whether it counted."""
        try:
            self.check(limit, network, about)
        except TooManyRequestsError:
            return False
        return True

    def reset(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._counted.clear()

    def _count(
        self, limit: Limit, network: ClientNetwork, now: int, about: int | None = None
    ) -> None:
        purpose = limit.name if about is None else f"{limit.name} of {about}"
        day = day_number(now)
        # A window may have begun under yesterday's key.
        today, yesterday = (self._hashes.network(purpose, network, one) for one in (day, day - 1))
        counted = [(rule, self._windows(limit, rule)) for rule in limit.rules]
        for rule, windows in counted:
            uses = [*windows.uses(yesterday, now), *windows.uses(today, now)]
            if len(uses) >= rule.most:
                raise TooManyRequestsError(
                    retry_after=_seconds(min(uses) + rule.seconds * 1000 - now)
                )
        for _, windows in counted:
            windows.add(today, now)

    def _windows(self, limit: Limit, rule: Rule) -> MovingWindows:
        if (limit.name, rule) not in self._counted:
            self._counted[limit.name, rule] = MovingWindows(rule.seconds * 1000, MAX_COUNTED)
        return self._counted[limit.name, rule]


def _seconds(milliseconds: int) -> int:
    return max(1, math.ceil(milliseconds / 1000))
