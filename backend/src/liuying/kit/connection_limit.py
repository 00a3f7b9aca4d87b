"""Connections are shared out: no network holds all of them, and idle connections yield to new ones
(docs/security.md#t37).
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Protocol

from liuying.kit.client_network import ClientNetwork, ProxyTrust

# Of all connections that the server takes, so many are open before idle ones are closed.
PRESSURE = 0.9
# Of the connections that are looked through, so many are closed at once: looking costs more than
# closing.
CLOSED_SHARE = 0.05
# When all are too many, a connection is idle only after so many seconds: before, its next request
# is probably on its way, and closing would lose it.
RESTING_S = 2.0
# After nothing idle was found, nobody looks again for so long.
PAUSE_S = 1.0


class Connection(Protocol):
    """One connection, as the limit sees it."""

    network: ClientNetwork | None

    @property
    def idle_since(self) -> float | None:
        """Since when nothing is asked or answered, in the event loop's seconds; None while
        something is.
        """

    def close_idle(self) -> None:
        """Close it, as after too long a pause."""


class ConnectionLimit:
    """Decides who may connect, for all connections of one server.

    A network at its limit gets a new connection only for an idle one of its own. When the server
    as a whole runs short, those idle longest are closed, of the networks with most connections
    first. Trusted proxies speak for many: they have no limit, and keep what they hold open.

    Args:
        trust: Which peers are proxies.
        per_network: Connections of one IPv4 address, or of one IPv6 /64.
    """

    def __init__(self, trust: ProxyTrust, per_network: int) -> None:
        self._trust = trust
        self._per_network = per_network
        # The oldest first: of those idle equally long they go first.
        self._open: dict[Connection, None] = {}
        self._counts: Counter[ClientNetwork] = Counter()
        self._looks_again: dict[ClientNetwork | None, float] = {}

    def admit(self, connection: Connection, peer: str | None, now: float) -> bool:
        """Take a connection in; `release` must follow when it is lost.

        Args:
            peer: The address that it comes from.
            now: The event loop's seconds.

        Returns:
            False where it must be closed instead.
        """
        if self._trust.is_proxy(peer):
            return True
        network = connection.network = self._trust.network_of(peer, ())
        self._open[connection] = None
        self._counts[network] += 1
        if self._counts[network] <= self._per_network:
            return True
        return self._close_idle(connection, network, now)

    def release(self, connection: Connection) -> None:
        """Forget a connection."""
        network, connection.network = connection.network, None
        if network is None:
            return
        self._open.pop(connection, None)
        self._counts[network] -= 1
        if self._counts[network] <= 0:
            del self._counts[network]
            self._looks_again.pop(network, None)

    def relieve(self, newcomer: Connection, now: float) -> None:
        """Close idle connections, for one just admitted, because all together are too many."""
        self._close_idle(newcomer, None, now)

    def _close_idle(self, newcomer: Connection, network: ClientNetwork | None, now: float) -> bool:
        """Close those idle longest, of one network or of all; False where none is idle.

        The newcomer has asked nothing yet, but the place is made for it.
        """
        if now < self._looks_again.get(network, 0.0):
            return False
        among = [
            one
            for one in self._open
            if one is not newcomer and (network is None or one.network == network)
        ]
        idle = [(one.idle_since, one) for one in among]
        latest = now - RESTING_S if network is None else math.inf
        waiting = [
            # The event loop counts milliseconds; beyond them are rounding errors.
            (
                -self._counts[one.network] if network is None and one.network else 0,
                round(since, 3),
                one,
            )
            for since, one in idle
            if since is not None and since <= latest
        ]
        if not waiting:
            self._looks_again[network] = now + PAUSE_S
            return False
        waiting.sort(key=lambda entry: entry[:2])
        for _, _, one in waiting[: max(1, round(len(among) * CLOSED_SHARE))]:
            one.close_idle()
        return True
