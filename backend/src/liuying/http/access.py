"""Who may call `/api`: pages of listed origins (docs/security.md#t10) and, with authentication
on, only holders of a token.
"""

from __future__ import annotations

from collections.abc import Iterable

from litestar.types import HTTPScope, Message, Send

from liuying.features.embedding.rules import is_valid_token
from liuying.kit.clock import Clock
from liuying.kit.refusals import MESSAGES, send_refusal
from liuying.kit.representation import Header
from liuying.kit.strict_query import is_call

# Needed before a client can have a token (docs/product.md#r36).
OPEN_CALLS = frozenset(
    {("GET", "/api/config"), ("HEAD", "/api/config"), ("POST", "/api/vendor/exchange")}
)
METHODS = b"GET, HEAD, POST, DELETE"
REQUEST_HEADERS = b"authorization, content-type, x-age-confirmed, x-visitor-code"
PREFLIGHT_LIFETIME_S = 600
BEARER = "bearer "
PRIVATE: Header = (b"cache-control", b"private, no-store")
VARY_AUTHORIZATION: Header = (b"vary", b"authorization")
VARY_ORIGIN: Header = (b"vary", b"origin")


class AccessRules:
    """Decides on every request for `/api` before anything answers it, cached responses included.

    Args:
        origins: Origins whose pages may call, in the spelling of `kit.origins`.
        token_key: Signs the tokens of sessions; None if everybody may call.
        clock: The time that tokens are compared with.
    """

    def __init__(self, origins: frozenset[str], token_key: bytes | None, clock: Clock) -> None:
        self.origins = frozenset(origin.encode() for origin in origins)
        self._token_key = token_key
        self._clock = clock

    @property
    def is_auth_required(self) -> bool:
        return self._token_key is not None

    @property
    def vary(self) -> bytes:
        """What cached responses vary by, beside their encoding."""
        return b"origin" if self.origins else b""

    async def admit(self, scope: HTTPScope, send: Send) -> Send | None:
        """Where to send the answer; None if the request was answered here."""
        if not is_call(scope["path"]):
            return send
        added: list[Header] = []
        if self.origins:
            origin = _only(scope["headers"], b"origin")
            added += [VARY_ORIGIN, *self._signed_urls(origin)]
            if (
                scope["method"] == "OPTIONS"
                and origin
                and _only(scope["headers"], b"access-control-request-method")
            ):
                await self._answer_preflight(origin, send)
                return None
        if self._token_key is not None and (scope["method"], scope["path"]) not in OPEN_CALLS:
            private = _adding(send, [*added, PRIVATE, VARY_AUTHORIZATION])
            if self._holds_token(scope["headers"]):
                return private
            await send_refusal(private, 401, MESSAGES[401], [(b"www-authenticate", b"Bearer")])
            return None
        return _adding(send, added) if added else send

    def _signed_urls(self, origin: bytes) -> list[Header]:
        """The headers that let a page of an origin read the answer: none unless it is listed,
        compared as text.
        """
        if origin not in self.origins:
            return []
        return [
            (b"access-control-allow-origin", origin),
            (b"access-control-allow-credentials", b"true"),
        ]

    async def _answer_preflight(self, origin: bytes, send: Send) -> None:
        headers: list[Header] = [
            (b"vary", b"origin, access-control-request-method, access-control-request-headers"),
            (b"cache-control", b"no-store"),
        ]
        if grants := self._signed_urls(origin):
            headers += [
                *grants,
                (b"access-control-allow-methods", METHODS),
                (b"access-control-allow-headers", REQUEST_HEADERS),
                (b"access-control-max-age", b"%d" % PREFLIGHT_LIFETIME_S),
            ]
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _holds_token(self, headers: Iterable[Header]) -> bool:
        given = _only(headers, b"authorization").decode("latin-1")
        if self._token_key is None or not given.lower().startswith(BEARER):
            return False
        return is_valid_token(given[len(BEARER) :].strip(), self._token_key, self._clock())


def _only(headers: Iterable[Header], name: bytes) -> bytes:
    """A header's value; empty if it is missing or repeated, which no browser does."""
    values = [value for one, value in headers if one == name]
    return values[0] if len(values) == 1 else b""


def _adding(send: Send, added: list[Header]) -> Send:
    """A `send` that adds headers: a single `Vary` with all its lists, and the last
    `Cache-Control`.
    """
    replaced = {name for name, _ in added}

    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            present = list(message["headers"])
            varies = [value for name, value in (*present, *added) if name.lower() == b"vary"]
            unique = dict.fromkeys(
                one.strip().lower() for value in varies for one in value.split(b",")
            )
            headers = [
                header for header in present if header[0].lower() not in replaced | {b"vary"}
            ]
            headers += [header for header in added if header[0] != b"vary"]
            message = {**message, "headers": [*headers, (b"vary", b", ".join(unique))]}
        await send(message)

    return send_more
