"""Detecting guesses: a network that presents many different data codes (docs/security.md#t1)."""

from __future__ import annotations

import threading
from collections import OrderedDict

from liuying.kit.client_network import ClientNetwork, site_of
from liuying.kit.clock import Clock, ForwardClock, day_number
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import MINUTE, Limit, Limits, Rule
from liuying.kit.visitor_code import VisitorCode

UNSEEN_CODE = Limit("unseen code", (Rule(60, MINUTE),))
# All networks of an IPv6 /48 together; the customers of a carrier share one.
UNSEEN_CODE_OF_SITE = Limit("unseen code of a site", (Rule(600, MINUTE),))
# Remembered codes: at most some 20 MB. Beyond that the least recently used are dropped.
MAX_SEEN = 200_000
SEEN_BYTES = 16


class PresentedCodes:
    """The codes that each network presented yesterday and today, as keyed hashes.

    Args:
        limits: Limits the number of new codes.
        hashes: Hide the networks and codes.
        clock: Says what the time is.
    """

    def __init__(self, limits: Limits, hashes: KeyedHashes, clock: Clock) -> None:
        self._limits = limits
        self._hashes = hashes
        self._clock = ForwardClock(clock)
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def waits(self) -> bool:
        """Whether a code that is not known may wait for a database."""
        return self._limits.waits

    def knows(self, code: VisitorCode, network: ClientNetwork) -> bool:
        """Whether this process has seen the code from this network lately. Never waits."""
        today, yesterday = self._marks(code, network)
        with self._lock:
            # Where others share the limits, they learn of today by a mark of today.
            if today not in self._seen and (self.waits or yesterday not in self._seen):
                return False
            self._note(today)
        return True

    def check(self, code: VisitorCode, network: ClientNetwork) -> None:
        """Count a code that is new from this network, whether or not anybody uses it.

        Codes seen yesterday or today never count, so people who share a network (carrier NAT) do
        not lock each other out by returning. A refused code stays new.

        Raises:
            TooManyRequestsError: Too many new codes in a minute: somebody is guessing.
        """
        today, yesterday = self._marks(code, network)
        uses = [(UNSEEN_CODE, network)]
        if (site := site_of(network)) is not None:
            uses.append((UNSEEN_CODE_OF_SITE, site))
        if self._limits.waits:
            # Without the lock: the database decides which of two was first.
            if not self.knows(code, network):
                self._limits.check_first(today.hex(), yesterday.hex(), uses)
            with self._lock:
                self._note(today)
            return
        with self._lock:
            if today not in self._seen and yesterday not in self._seen:
                self._limits.check_first(today.hex(), yesterday.hex(), uses)
            self._note(today)

    def _marks(self, code: VisitorCode, network: ClientNetwork) -> tuple[bytes, bytes]:
        day = day_number(self._clock())
        today, yesterday = (
            self._hashes.digest("seen", network, code, one)[:SEEN_BYTES] for one in (day, day - 1)
        )
        return today, yesterday

    def _note(self, today: bytes) -> None:
        self._seen[today] = None
        self._seen.move_to_end(today)
        while len(self._seen) > MAX_SEEN:
            self._seen.popitem(last=False)
