"""Rate limits per client network (docs/security.md#t1, docs/security.md#t14). What is limited, and
how much, stands in the nouns' rules.

The state lives in this process, is bounded and may be lost. It identifies a network by a keyed hash
that changes daily (docs/security.md#t25).
"""

from __future__ import annotations

import math
import threading

import msgspec

from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Clock, ForwardClock, day_number
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.sliding_windows import MovingWindows

# Keys counted at once per rule, so that one rule never evicts another's: at most some 20 MB. Beyond
# that the least recently used are dropped.
MAX_COUNTED = 50_000


class Rule(msgspec.Struct, frozen=True):
    """At most `most` uses within `seconds`."""

    most: int
    seconds: int


MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class Limit(msgspec.Struct, frozen=True):
    """What is limited, and the rules that must all allow a use.

    Attributes:
        name: Separates limits from each other, in hashes of networks too.
        rules: How often.
    """

    name: str
    rules: tuple[Rule, ...]


class Limits:
    """Sliding windows per network.

    Args:
        hashes: Hide the networks' addresses.
        clock: Says what the time is.
    """

    def __init__(self, hashes: KeyedHashes, clock: Clock) -> None:
        self._hashes = hashes
        self._clock = ForwardClock(clock)
        self._counted: dict[tuple[str, Rule], MovingWindows] = {}
        self._lock = threading.Lock()

    def check(self, limit: Limit, network: ClientNetwork, about: int | None = None) -> None:
        """Count one use.

        Args:
            limit: What is limited.
            network: Who uses it.
            about: What is used, where each item has a limit of its own (a video's number).

        Raises:
            TooManyRequestsError: The limit is reached; this use does not count.
        """
        now = self._clock()
        with self._lock:
            self._count(limit, network, now, about)

    def allows(self, limit: Limit, network: ClientNetwork, about: int | None = None) -> bool:
        """Count one use if the limit allows it, and tell whether it did."""
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
