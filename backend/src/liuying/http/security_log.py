"""What an operator should see of attempts: refused sessions and codes, locked files, limits.

A line names the call, the event and an alias of the network that changes daily; no address, no code
and no signature (docs/security.md#t24, docs/security.md#t25).
"""

from __future__ import annotations

import logging
from collections.abc import Collection

from litestar.types import HTTPScope, Message, Send

from liuying.http.measuring import route_class
from liuying.kit.client_network import ProxyTrust
from liuying.kit.clock import Clock, day_number
from liuying.kit.keyed_hashes import KeyedHashes

LOG = logging.getLogger("liuying.security")
ALIAS_DIGITS = 8
EXCHANGE_PATH = "/api/vendor/exchange"
# Status → event, and what the line says.
EVENTS = {
    401: ("session-refused", "a session was missing, over or forged: %s"),
    403: ("not-allowed", "something locked or forbidden was asked for: %s"),
    429: ("limit-reached", "a network reached a limit: %s"),
}
CODE_REFUSED = ("code-refused", "a partner's code was refused: %s")


class SecurityLog:
    """Notes refusals that somebody may have provoked.

    Args:
        hashes: Make the networks' aliases.
        clock: Names the day of an alias.
        trust: Which peers speak for others.
        paths: Calls that may be named by their path, because nothing of a visitor is in it.
    """

    def __init__(
        self, hashes: KeyedHashes, clock: Clock, trust: ProxyTrust, paths: Collection[str]
    ) -> None:
        self._hashes = hashes
        self._clock = clock
        self._trust = trust
        self._paths = frozenset(paths)

    def follow(self, scope: HTTPScope, send: Send) -> Send:
        """A `send` that notes how the request was refused."""

        async def send_noted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in EVENTS:
                self._note(scope, message["status"])
            await send(message)

        return send_noted

    def _note(self, scope: HTTPScope, status: int) -> None:
        path = scope["path"]
        is_exchange = status == 401 and path == EXCHANGE_PATH
        event, sentence = CODE_REFUSED if is_exchange else EVENTS[status]
        peer = scope["client"]
        network = self._trust.network_of(peer[0] if peer else None, scope["headers"])
        alias = self._hashes.network("security log", network, day_number(self._clock()))
        extra = {"event": event, "network": alias[:ALIAS_DIGITS]}
        LOG.warning(sentence, path if path in self._paths else route_class(path), extra=extra)
