"""Rate limits per client network (docs/security.md#t1, docs/security.md#t14). What is limited, and
how much, stands in the nouns' rules.

A network is identified by a keyed hash that changes daily (docs/security.md#t25). One process
counts in its own memory (`process_limits`), several in their database (`shared_limits`).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import Milliseconds
from liuying.kit.errors import TooManyRequestsError


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


class FirstUse(msgspec.Struct, frozen=True):
    """A use of several limits that counts once.

    Attributes:
        mark: Today's; the use counts unless it was left.
        mark_before: Yesterday's, likewise.
        uses: Limits without rules of a day, and networks.
    """

    mark: str
    mark_before: str
    uses: tuple[tuple[Limit, ClientNetwork], ...]


class Limits(ABC):
    """Sliding windows per network.

    Attributes:
        waits: Whether counting may wait for a database, so that it belongs into a thread.
    """

    waits: bool

    @abstractmethod
    def check(self, limit: Limit, network: ClientNetwork, about: int | None = None) -> None:
        """Count one use.

        Args:
            limit: What is limited.
            network: Who uses it.
            about: What is used, where each item has a limit of its own (a video's number).

        Raises:
            TooManyRequestsError: The limit is reached; this use does not count.
        """

    def allows(self, limit: Limit, network: ClientNetwork, about: int | None = None) -> bool:
        """Count one use if the limit allows it, and tell whether it did."""
        try:
            self.check(limit, network, about)
        except TooManyRequestsError:
            return False
        return True

    @abstractmethod
    def check_many(
        self,
        connection: sa.Connection,
        limit: Limit,
        uses: Sequence[tuple[ClientNetwork, int | None]],
    ) -> list[TooManyRequestsError | None]:
        """Count several uses at once, in a transaction that is committed whatever was refused.

        Args:
            limit: Has no rule of a day beside others: what one rule refuses is not taken back from
                another.
            uses: Network, and what is used where each item has a limit of its own.

        Returns:
            For each use None where it counts, otherwise the error.
        """

    def check_first(self, first: FirstUse) -> None:
        """Count a use of several limits unless a mark was left today or yesterday; then leave it.

        Raises:
            TooManyRequestsError: One of the limits is reached; the mark is not left.
        """
        (refused,) = self.check_many_first([first])
        if refused is not None:
            raise refused

    @abstractmethod
    def check_many_first(
        self, firsts: Sequence[FirstUse], connection: sa.Connection | None = None
    ) -> list[TooManyRequestsError | None]:
        """Count several (`check_first`).

        Args:
            firsts: The uses.
            connection: A transaction that is committed whatever was refused; None for one of its
                own.

        Returns:
            For each None where it passes, otherwise the error.
        """

    @abstractmethod
    def reset(self) -> None:
        """Forget everything."""


def purpose_of(limit: Limit, about: int | None) -> str:
    """What the hash of a network is for."""
    return limit.name if about is None else f"{limit.name} of {about}"


def refusal(rule: Rule, uses: Sequence[Milliseconds], now: Milliseconds) -> TooManyRequestsError:
    """The error where a rule's uses are spent: when the oldest of them leaves the window."""
    rest = min(uses) + rule.seconds * 1000 - now
    return TooManyRequestsError(retry_after=max(1, math.ceil(rest / 1000)))
