"""Whoever presents many data codes guesses (docs/security.md#t1)."""

from __future__ import annotations

import threading
from collections import OrderedDict

from liuying.kit.client_network import ClientNetwork, site_of
from liuying.kit.clock import Clock, day_number
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import MINUTE, Limit, Limits, Rule
from liuying.kit.visitor_code import VisitorCode

UNSEEN_CODE = Limit("unseen code", (Rule(60, MINUTE),))
# All networks of an IPv6 /48 together; a carrier's customers share one.
UNSEEN_CODE_OF_SITE = Limit("unseen code of a site", (Rule(600, MINUTE),))
# Codes remembered: some 20 MB at the most. Where there are more, the longest unused are forgotten.
MAX_SEEN = 200_000
SEEN_BYTES = 16


class PresentedCodes:
    """The codes that each network has presented yesterday and today, as keyed hashes.

    Args:
        limits: Counts those that are presented first.
        hashes: Names networks and codes without storing them.
        clock: Says what the time is.
    """

    def __init__(self, limits: Limits, hashes: KeyedHashes, clock: Clock) -> None:
        self._limits = limits
        self._hashes = hashes
        self._clock = clock
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, code: VisitorCode, network: ClientNetwork) -> None:
        """Count a code that this network has not presented before, whether or not anybody uses it.

        Codes that were seen yesterday or today never count: those who share a network (carrier NAT)
        do not lock one another out by coming back. A refused code stays unseen.

        Raises:
            TooManyRequestsError: Too many unseen codes in a minute: somebody guesses.
        """
        day = day_number(self._clock())
        today, yesterday = (
            self._hashes.digest("seen", network, code, one)[:SEEN_BYTES] for one in (day, day - 1)
        )
        with self._lock:
            if today not in self._seen and yesterday not in self._seen:
                self._limits.check(UNSEEN_CODE, network)
                if (site := site_of(network)) is not None:
                    self._limits.check(UNSEEN_CODE_OF_SITE, site)
            self._seen[today] = None
            self._seen.move_to_end(today)
            while len(self._seen) > MAX_SEEN:
                self._seen.popitem(last=False)
