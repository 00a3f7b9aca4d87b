"""How often a client's network may do something (threats 1, 14).

The state lives in this process alone and may be lost with it; it is bounded, and names a network by a keyed hash
that changes every day (threats 25).
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from enum import StrEnum

from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerMinute
from limits.storage import MemoryStorage

from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Clock, day_number
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.visitor_code import VisitorCode

# Networks counted at once, for all limits together, and codes remembered: some 20 MB each at the most. Where there
# are more, the longest unused are forgotten.
MOST_COUNTED = 50_000
MOST_SEEN = 200_000
SEEN_BYTES = 16


class Limited(StrEnum):
    """What is limited."""

    UNSEEN_CODE = "unseen code"
    FEEDBACK = "feedback"
    SHARE_VISIT = "share visit"
    VENDOR_EXCHANGE = "vendor exchange"


RULES: dict[Limited, Sequence[RateLimitItem]] = {
    Limited.UNSEEN_CODE: (RateLimitItemPerMinute(60),),
    Limited.FEEDBACK: (RateLimitItemPerMinute(5), RateLimitItemPerDay(30)),
    Limited.SHARE_VISIT: (RateLimitItemPerMinute(60),),
    Limited.VENDOR_EXCHANGE: (RateLimitItemPerMinute(60),),
}


class Limits:
    """Moving windows for each network.

    Args:
        hashes: Names networks without their addresses.
        clock: Says which day it is; the windows themselves follow the machine's time.
    """

    def __init__(self, hashes: KeyedHashes, clock: Clock) -> None:
        self._hashes = hashes
        self._clock = clock
        self._storage = MemoryStorage()
        self._counted: OrderedDict[str, None] = OrderedDict()
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, what: Limited, network: ClientNetwork) -> None:
        """Count one use.

        Raises:
            TooManyRequestsError: The limit is reached; this use does not count.
        """
        day = day_number(self._clock())
        with self._lock:
            self._count(what, network, day)

    def check_code(self, code: VisitorCode, network: ClientNetwork) -> None:
        """Count a code that this network has not presented before, whether or not anybody uses it.

        Codes that were seen yesterday or today never count: those who share a network (carrier NAT) do not lock one
        another out by coming back. A refused code stays unseen.

        Raises:
            TooManyRequestsError: Too many unseen codes in a minute: somebody guesses.
        """
        day = day_number(self._clock())
        today, yesterday = (self._hashes.digest("seen", network, code, one)[:SEEN_BYTES] for one in (day, day - 1))
        with self._lock:
            if today not in self._seen and yesterday not in self._seen:
                self._count(Limited.UNSEEN_CODE, network, day)
            self._seen[today] = None
            self._seen.move_to_end(today)
            while len(self._seen) > MOST_SEEN:
                self._seen.popitem(last=False)

    def reset(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._storage.reset()
            self._counted.clear()
            self._seen.clear()

    def _count(self, what: Limited, network: ClientNetwork, day: int) -> None:
        # A window may have begun under yesterday's key.
        names = [self._hashes.network(what, network, one) for one in (day, day - 1)]
        for rule in RULES[what]:
            windows = [
                self._storage.get_moving_window(rule.key_for(name), rule.amount, rule.get_expiry()) for name in names
            ]
            if sum(used for _, used in windows) >= rule.amount:
                oldest = min(start for start, used in windows if used)
                raise TooManyRequestsError(retry_after=_seconds_until(oldest + rule.get_expiry()))
        for rule in RULES[what]:
            key = rule.key_for(names[0])
            self._storage.acquire_entry(key, rule.amount, rule.get_expiry())
            self._remember(key)

    def _remember(self, key: str) -> None:
        self._counted[key] = None
        self._counted.move_to_end(key)
        while len(self._counted) > MOST_COUNTED:
            forgotten, _ = self._counted.popitem(last=False)
            with self._storage.locks[forgotten]:  # the storage's own clean-up runs beside this
                self._storage.clear(forgotten)


def _seconds_until(moment: float) -> int:
    # The storage counts by this clock.
    return max(1, math.ceil(moment - time.time()))
