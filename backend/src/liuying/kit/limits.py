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

from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage

from liuying.kit.client_network import ClientNetwork, site_of
from liuying.kit.clock import Clock, day_number
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.visitor_code import VisitorCode

# Windows counted at once, for each limit (none pushes out another's), and codes remembered: some 20 MB each at the
# most. Where there are more, the longest unused are forgotten.
MOST_COUNTED = 50_000
MOST_SEEN = 200_000
SEEN_BYTES = 16


class Limited(StrEnum):
    """What is limited."""

    UNSEEN_CODE = "unseen code"
    UNSEEN_CODE_OF_SITE = "unseen code of a site"
    FEEDBACK = "feedback"
    SHARE_VISIT = "share visit"
    VENDOR_EXCHANGE = "vendor exchange"
    PLAY_EVENT = "play event"
    VIEW = "view"
    FAVOURITE = "favourite"
    SEARCH_EVENT = "search event"
    SUGGESTION = "suggestion"


RULES: dict[Limited, Sequence[RateLimitItem]] = {
    Limited.UNSEEN_CODE: (RateLimitItemPerMinute(60),),
    # All networks of an IPv6 /48 together; a carrier's customers share one.
    Limited.UNSEEN_CODE_OF_SITE: (RateLimitItemPerMinute(600),),
    Limited.FEEDBACK: (RateLimitItemPerMinute(5), RateLimitItemPerDay(30)),
    Limited.SHARE_VISIT: (RateLimitItemPerMinute(60),),
    Limited.VENDOR_EXCHANGE: (RateLimitItemPerMinute(60),),
    # Some 50 people behind one carrier's address who swipe through the short feed.
    Limited.PLAY_EVENT: (RateLimitItemPerMinute(600),),
    # Of one video: whoever invents data codes is still one network.
    Limited.VIEW: (RateLimitItemPerHour(30),),
    # Adding and removing. A minute takes the largest file that the web imports (1,000) and the neighbours beside it; an
    # hour keeps one network from filling the disk.
    Limited.FAVOURITE: (RateLimitItemPerMinute(1200), RateLimitItemPerHour(4000)),
    # Of what counts for hot words; more is answered, but not counted.
    Limited.SEARCH_EVENT: (RateLimitItemPerMinute(10), RateLimitItemPerDay(200)),
    # Of those that are not kept ready: some ten people behind one address who type without a break.
    Limited.SUGGESTION: (RateLimitItemPerMinute(300),),
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
        self._counted: dict[Limited, OrderedDict[str, None]] = {what: OrderedDict() for what in Limited}
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, what: Limited, network: ClientNetwork, about: int | None = None) -> None:
        """Count one use.

        Args:
            what: The limit.
            network: Who uses it.
            about: What is used, where each has a limit of its own (a video's number).

        Raises:
            TooManyRequestsError: The limit is reached; this use does not count.
        """
        day = day_number(self._clock())
        with self._lock:
            self._count(what, network, day, about)

    def allows(self, what: Limited, network: ClientNetwork, about: int | None = None) -> bool:
        """Count one use where the limit is not reached, and say whether it counted."""
        try:
            self.check(what, network, about)
        except TooManyRequestsError:
            return False
        return True

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
                if (site := site_of(network)) is not None:
                    self._count(Limited.UNSEEN_CODE_OF_SITE, site, day)
            self._seen[today] = None
            self._seen.move_to_end(today)
            while len(self._seen) > MOST_SEEN:
                self._seen.popitem(last=False)

    def reset(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._storage.reset()
            for counted in self._counted.values():
                counted.clear()
            self._seen.clear()

    def _count(self, what: Limited, network: ClientNetwork, day: int, about: int | None = None) -> None:
        purpose = what if about is None else f"{what} of {about}"
        # A window may have begun under yesterday's key.
        names = [self._hashes.network(purpose, network, one) for one in (day, day - 1)]
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
            self._remember(self._counted[what], key)

    def _remember(self, counted: OrderedDict[str, None], key: str) -> None:
        counted[key] = None
        counted.move_to_end(key)
        while len(counted) > MOST_COUNTED:
            forgotten, _ = counted.popitem(last=False)
            with self._storage.locks[forgotten]:  # the storage's own clean-up runs beside this
                self._storage.clear(forgotten)


def _seconds_until(moment: float) -> int:
    # The storage counts by this clock.
    return max(1, math.ceil(moment - time.time()))
