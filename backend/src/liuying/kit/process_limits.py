"""Rate limits counted in the memory of one process: bounded, and forgotten when it ends."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import sqlalchemy as sa

from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Clock, ForwardClock, day_number
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import FirstUse, Limit, Limits, Rule, purpose_of, refusal
from liuying.kit.sliding_windows import MovingWindows

# Keys counted at once per rule, so that one rule never evicts another's: at most some 20 MB. Beyond
# that the least recently used are dropped.
MAX_COUNTED = 50_000


class ProcessLimits(Limits):
    """Limits of this process alone.

    Args:
        hashes: Hide the networks' addresses.
        clock: Says what the time is.
    """

    waits = False

    def __init__(self, hashes: KeyedHashes, clock: Clock) -> None:
        self._hashes = hashes
        self._clock = ForwardClock(clock)
        self._counted: dict[tuple[str, Rule], MovingWindows] = {}
        self._lock = threading.Lock()

    def check(self, limit: Limit, network: ClientNetwork, about: int | None = None) -> None:
        """Count one use (`Limits.check`)."""
        with self._lock:
            self._count([(limit, network)], self._clock(), about)

    def check_many(
        self,
        connection: sa.Connection,
        limit: Limit,
        uses: Sequence[tuple[ClientNetwork, int | None]],
    ) -> list[TooManyRequestsError | None]:
        """Count several uses (`Limits.check_many`); the database is not asked."""
        del connection
        return [self._refusal_of([(limit, network)], about) for network, about in uses]

    def check_many_first(
        self, firsts: Sequence[FirstUse], connection: sa.Connection | None = None
    ) -> list[TooManyRequestsError | None]:
        """Count uses of several limits (`Limits.check_many_first`). Whoever asks keeps the marks:
        there is no other process.
        """
        del connection
        return [self._refusal_of(one.uses) for one in firsts]

    def reset(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._counted.clear()

    def _refusal_of(
        self, uses: Sequence[tuple[Limit, ClientNetwork]], about: int | None = None
    ) -> TooManyRequestsError | None:
        try:
            with self._lock:
                self._count(uses, self._clock(), about)
        except TooManyRequestsError as error:
            return error
        return None

    def _count(
        self, uses: Sequence[tuple[Limit, ClientNetwork]], now: int, about: int | None = None
    ) -> None:
        day = day_number(now)
        counted: list[tuple[str, MovingWindows]] = []
        for limit, network in uses:
            # A window may have begun under yesterday's key.
            today, yesterday = (
                self._hashes.network(purpose_of(limit, about), network, one)
                for one in (day, day - 1)
            )
            for rule in limit.rules:
                windows = self._windows(limit, rule)
                used = [*windows.uses(yesterday, now), *windows.uses(today, now)]
                if len(used) >= rule.most:
                    raise refusal(rule, used, now)
                counted.append((today, windows))
        for key, windows in counted:
            windows.add(key, now)

    def _windows(self, limit: Limit, rule: Rule) -> MovingWindows:
        if (limit.name, rule) not in self._counted:
            self._counted[limit.name, rule] = MovingWindows(rule.seconds * 1000, MAX_COUNTED)
        return self._counted[limit.name, rule]
