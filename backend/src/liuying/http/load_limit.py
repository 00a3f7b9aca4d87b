"""Shed excess load with 503: answering everyone late helps nobody."""

from __future__ import annotations

from typing import Any, cast

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from liuying.kit.refusals import FAILURE, send_refusal

# Answers computed at once. Each takes about two milliseconds, so nobody waits much over a second.
MAX_AT_ONCE = 400
RETRY_AFTER_S = b"1"
# From so many at once on, further requests have to wait for others.
BUSY = 3


class LoadLimit:
    """An ASGI application that works on a limited number of requests at once; the others get 503
    with `Retry-After`.

    A request whose body is still arriving does not count: slow senders take nobody's place.

    Args:
        app: The application behind it.
        most: Maximum number of requests at once.
    """

    def __init__(self, app: ASGIApp, most: int = MAX_AT_ONCE) -> None:
        self._app = app
        self._most = most
        self._working = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._working >= self._most:
            await send_refusal(send, 503, FAILURE, [(b"retry-after", RETRY_AFTER_S)])
            return
        work = _Work(self, receive)
        if cast("HTTPScope", scope)["method"] in {"GET", "HEAD"}:
            work.begin()
        try:
            await self._app(scope, work.receive, send)
        finally:
            work.end()

    @property
    def is_busy(self) -> bool:
        """Whether another answer would have to wait for its turn."""
        return self._working >= BUSY

    def count(self, change: int) -> None:
        """Record that work began (1) or ended (-1)."""
        self._working += change


class _Work:
    """One request's share of the limit."""

    def __init__(self, limit: LoadLimit, receive: Receive) -> None:
        self._limit = limit
        self._receive = receive
        self._is_counted = False

    def begin(self) -> None:
        if not self._is_counted:
            self._is_counted = True
            self._limit.count(1)

    def end(self) -> None:
        if self._is_counted:
            self._limit.count(-1)

    async def receive(self) -> Any:
        """The next message, passed on; the last one of a body begins the work."""
        message = await self._receive()
        if message["type"] == "http.request" and not message.get("more_body", False):
            self.begin()
        return message
