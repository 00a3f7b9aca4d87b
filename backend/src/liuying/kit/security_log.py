"""What an operator should see of attempts: refused sessions and codes, locked files, limits, and
attempts on the console.

A line names the call, the event and an alias of the network that changes daily; no address, no code
and no signature (docs/security.md#t24, docs/security.md#t25). Equal lines are left out after the
first few (`installation/json_logs.py`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

import msgspec
from litestar.types import HTTPScope, Message, Send

from liuying.kit.client_network import ProxyTrust
from liuying.kit.clock import Clock, day_number
from liuying.kit.keyed_hashes import KeyedHashes

LOG = logging.getLogger("liuying.security")
ALIAS_DIGITS = 8


class SecurityEvent(msgspec.Struct, frozen=True):
    """A kind of refusal.

    Attributes:
        name: Stable, for whoever filters the log.
        sentence: What the line says; `%s` is the call.
    """

    name: str
    sentence: str


class SecurityLog:
    """Notes refusals that somebody may have provoked.

    Args:
        hashes: Make the networks' aliases.
        clock: Names the day of an alias.
        trust: Which peers speak for others.
        name_of: The call that a path may be named by, because nothing of a visitor is in it.
        events: Which answers are noted: by status, or by status and path.
    """

    def __init__(
        self,
        hashes: KeyedHashes,
        clock: Clock,
        trust: ProxyTrust,
        name_of: Callable[[str], str],
        events: Mapping[int | tuple[int, str], SecurityEvent],
    ) -> None:
        self._hashes = hashes
        self._clock = clock
        self._trust = trust
        self._name_of = name_of
        self._events = events

    def follow(self, scope: HTTPScope, send: Send) -> Send:
        """A `send` that notes how the request was refused."""

        async def send_noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                event = self._events.get((status, scope["path"])) or self._events.get(status)
                if event is not None:
                    self.note(scope, event)
            await send(message)

        return send_noted

    def note(self, scope: HTTPScope, event: SecurityEvent) -> None:
        """Write a line about a request."""
        peer = scope["client"]
        network = self._trust.network_of(peer[0] if peer else None, scope["headers"])
        alias = self._hashes.network("security log", network, day_number(self._clock()))
        extra = {"event": event.name, "network": alias[:ALIAS_DIGITS]}
        LOG.warning(event.sentence, self._name_of(scope["path"]), extra=extra)
