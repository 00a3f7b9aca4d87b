"""Detecting guesses: a network that presents many different data codes (docs/security.md#t1)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from liuying.kit.client_network import ClientNetwork, site_of
from liuying.kit.clock import Clock, ForwardClock, day_number
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import MINUTE, FirstUse, Limit, Limits, Rule
from liuying.kit.visitor_code import VisitorCode

UNSEEN_CODE = Limit("unseen code", (Rule(60, MINUTE),))
# All networks of an IPv6 /48 together; the customers of a carrier share one.
UNSEEN_CODE_OF_SITE = Limit("unseen code of a site", (Rule(600, MINUTE),))
# Remembered codes: at most some 20 MB. Beyond that the least recently used are dropped.
MAX_SEEN = 200_000
SEEN_BYTES = 16


class CheckedCode(NamedTuple):
    """A code that was counted.

    Attributes:
        mark: The keyed hash by which a process remembers it.
        refusal: Why it does not pass; None if it does.
    """

    mark: bytes
    refusal: TooManyRequestsError | None


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
        day = day_number(self._clock())
        today = self._mark(code, network, day)
        if today not in self._seen and (
            # Where others share the limits, they learn of today by a mark of today.
            self.waits or self._mark(code, network, day - 1) not in self._seen
        ):
            return False
        with self._lock:
            self._note(today)
        return True

    def check(self, code: VisitorCode, network: ClientNetwork) -> None:
        """Count a code that is new from this network, whether or not anybody uses it.

        Codes seen yesterday or today never count, so people who share a network (carrier NAT) do
        not lock each other out by returning. A refused code stays new.

        Raises:
            TooManyRequestsError: Too many new codes in a minute: somebody is guessing.
        """
        if self._limits.waits:
            (refused,) = self.check_many([(code, network)])
            if refused is not None:
                raise refused
            return
        today, first = self._first(code, network)
        with self._lock:
            if today not in self._seen and bytes.fromhex(first.mark_before) not in self._seen:
                self._limits.check_first(first)
            self._note(today)

    def check_many(
        self, presented: Sequence[tuple[VisitorCode, ClientNetwork]]
    ) -> list[TooManyRequestsError | None]:
        """Count several codes that this process has not seen (`knows`), where others share the
        limits: the database decides which of two was first.

        Returns:
            For each None where it passes, otherwise the error.
        """
        checked = self.check_within(None, presented)
        self.remember(checked)
        return [one.refusal for one in checked]

    def check_within(
        self,
        connection: sa.Connection | None,
        presented: Sequence[tuple[VisitorCode, ClientNetwork]],
    ) -> list[CheckedCode]:
        """Count several (`check_many`) in a transaction, which is committed whatever was refused.

        Returns:
            For each what is to be remembered after the commit.
        """
        if not presented:
            return []
        firsts = [self._first(code, network) for code, network in presented]
        told = self._limits.check_many_first([first for _, first in firsts], connection)
        return [
            CheckedCode(today, refusal) for (today, _), refusal in zip(firsts, told, strict=True)
        ]

    def remember(self, checked: Iterable[CheckedCode]) -> None:
        """Remember codes that passed, so that this process need not ask again."""
        with self._lock:
            for one in checked:
                if one.refusal is None:
                    self._note(one.mark)

    def _first(self, code: VisitorCode, network: ClientNetwork) -> tuple[bytes, FirstUse]:
        day = day_number(self._clock())
        today, yesterday = (self._mark(code, network, one) for one in (day, day - 1))
        uses = [(UNSEEN_CODE, network)]
        if (site := site_of(network)) is not None:
            uses.append((UNSEEN_CODE_OF_SITE, site))
        return today, FirstUse(today.hex(), yesterday.hex(), tuple(uses))

    def _mark(self, code: VisitorCode, network: ClientNetwork, day: int) -> bytes:
        return self._hashes.digest("seen", network, code, day)[:SEEN_BYTES]

    def _note(self, today: bytes) -> None:
        self._seen[today] = None
        self._seen.move_to_end(today)
        while len(self._seen) > MAX_SEEN:
            self._seen.popitem(last=False)
