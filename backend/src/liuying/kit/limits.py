"""How often a client's network may do something (docs/security.md#t1, docs/security.md#t14).

The state lives in this process alone and may be lost with it; it is bounded, and names a network by
a keyed hash that changes every day (docs/security.md#t25).
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from liuying.kit.client_network import ClientNetwork, site_of
from liuying.kit.clock import Clock, day_number
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.sliding_windows import MovingWindows
from liuying.kit.visitor_code import VisitorCode

# Keys counted at once, for each rule (none pushes out another's), and codes remembered: some 20 MB
# each at the most. Where there are more, the longest unused are forgotten.
MAX_COUNTED = 50_000
MAX_SEEN = 200_000
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


class Rule(msgspec.Struct, frozen=True):
    """So many uses within the last so many seconds."""

    most: int
    seconds: int


MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR

RULES: dict[Limited, Sequence[Rule]] = {
    Limited.UNSEEN_CODE: (Rule(60, MINUTE),),
    # All networks of an IPv6 /48 together; a carrier's customers share one.
    Limited.UNSEEN_CODE_OF_SITE: (Rule(600, MINUTE),),
    Limited.FEEDBACK: (Rule(5, MINUTE), Rule(30, DAY)),
    Limited.SHARE_VISIT: (Rule(60, MINUTE),),
    Limited.VENDOR_EXCHANGE: (Rule(60, MINUTE),),
    # Some 50 people behind one carrier's address who swipe through the short feed.
    Limited.PLAY_EVENT: (Rule(600, MINUTE),),
    # Of one video: whoever invents data codes is still one network.
    Limited.VIEW: (Rule(30, HOUR),),
    # Adding and removing. A minute takes the largest file that the web imports (1,000) and the
    # neighbours beside it; an hour keeps one network from filling the disk.
    Limited.FAVOURITE: (Rule(1200, MINUTE), Rule(4000, HOUR)),
    # Of what counts for hot words; more is answered, but not counted.
    Limited.SEARCH_EVENT: (Rule(10, MINUTE), Rule(200, DAY)),
    # Of those that are not kept ready: some ten people behind one address who type without a break.
    Limited.SUGGESTION: (Rule(300, MINUTE),),
}


class Limits:
    """Moving windows for each network.

    Args:
        hashes: Names networks without their addresses.
        clock: Says what the time is.
    """

    def __init__(self, hashes: KeyedHashes, clock: Clock) -> None:
        self._hashes = hashes
        self._clock = clock
        self._counted: dict[tuple[Limited, Rule], MovingWindows] = {}
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
        now = self._clock()
        with self._lock:
            self._count(what, network, now, about)

    def allows(self, what: Limited, network: ClientNetwork, about: int | None = None) -> bool:
        """Count one use where the limit is not reached, and say whether it counted."""
        try:
            self.check(what, network, about)
        except TooManyRequestsError:
            return False
        return True

    def check_code(self, code: VisitorCode, network: ClientNetwork) -> None:
        """Count a code that this network has not presented before, whether or not anybody uses it.

        Codes that were seen yesterday or today never count: those who share a network (carrier NAT)
        do not lock one another out by coming back. A refused code stays unseen.

        Raises:
            TooManyRequestsError: Too many unseen codes in a minute: somebody guesses.
        """
        now = self._clock()
        day = day_number(now)
        today, yesterday = (
            self._hashes.digest("seen", network, code, one)[:SEEN_BYTES] for one in (day, day - 1)
        )
        with self._lock:
            if today not in self._seen and yesterday not in self._seen:
                self._count(Limited.UNSEEN_CODE, network, now)
                if (site := site_of(network)) is not None:
                    self._count(Limited.UNSEEN_CODE_OF_SITE, site, now)
            self._seen[today] = None
            self._seen.move_to_end(today)
            while len(self._seen) > MAX_SEEN:
                self._seen.popitem(last=False)

    def reset(self) -> None:
        """Forget everything, as a restart does."""
        with self._lock:
            self._counted.clear()
            self._seen.clear()

    def _count(
        self, what: Limited, network: ClientNetwork, now: int, about: int | None = None
    ) -> None:
        purpose = what if about is None else f"{what} of {about}"
        day = day_number(now)
        # A window may have begun under yesterday's key.
        today, yesterday = (self._hashes.network(purpose, network, one) for one in (day, day - 1))
        counted = [(rule, self._windows(what, rule)) for rule in RULES[what]]
        for rule, windows in counted:
            uses = [*windows.uses(yesterday, now), *windows.uses(today, now)]
            if len(uses) >= rule.most:
                raise TooManyRequestsError(
                    retry_after=_seconds(min(uses) + rule.seconds * 1000 - now)
                )
        for _, windows in counted:
            windows.add(today, now)

    def _windows(self, what: Limited, rule: Rule) -> MovingWindows:
        if (what, rule) not in self._counted:
            self._counted[what, rule] = MovingWindows(rule.seconds * 1000, MAX_COUNTED)
        return self._counted[what, rule]


def _seconds(milliseconds: int) -> int:
    return max(1, math.ceil(milliseconds / 1000))
