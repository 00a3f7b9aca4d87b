"""Cached responses written by the protocol itself: no task, no scope, no framework for what is
ready to send.
"""

from __future__ import annotations

import asyncio
import math

from liuying.http.repeated_requests import Reply
from liuying.http.response_cache import ResponseCache
from liuying.kit.deadline_protocol import DeadlineProtocol
from liuying.kit.responses import CODE_PARAMETER

# Headers that make a request more than a plain read: it then goes through the application.
UNUSUAL = frozenset({b"content-length", b"transfer-encoding", b"upgrade", b"expect", b"range"})
# Headers that hold what works like a password.
SECRETS = frozenset({CODE_PARAMETER.lower().encode(), b"authorization"})
# Bytes of a connection's answers that may wait for the end of the turn: beyond it the transport's
# own limits apply.
MAX_UNSENT_BYTES = 64 * 1024


class Outbox:
    """Answers of one turn of the event loop, sent together at its end.

    Sent between two requests, each answer would wake its reader, usually on another processor,
    which costs the sender more than the answer does. A reader woken by the first answer takes the
    others along.
    """

    def __init__(self) -> None:
        self._waiting: list[CachedResponseProtocol] = []

    def add(self, protocol: CachedResponseProtocol, loop: asyncio.AbstractEventLoop) -> None:
        """Send a connection's answers when this turn ends."""
        self._waiting.append(protocol)
        if len(self._waiting) == 1:
            loop.call_soon(self._send)

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, []
        for protocol in waiting:
            protocol.send_unsent()


class WireDate:
    """The headers that the server adds to every answer in wire form, renewed once a second."""

    _headers: list[tuple[bytes, bytes]] | None = None
    _text = b""

    def text(self, headers: list[tuple[bytes, bytes]]) -> bytes:
        """The header lines and the empty line after them."""
        # The server makes a new list when the second changes.
        if headers is not self._headers:
            self._headers = headers
            self._text = b"".join(b"%b: %b\r\n" % header for header in headers) + b"\r\n"
        return self._text


class CachedResponseProtocol(DeadlineProtocol):
    """A protocol that answers plain reads of cached responses without the application.

    This applies only to ordinary requests: GET in HTTP/1.1 on a persistent connection, without a
    body, with no answer under way, and from a client that reads what it is sent. Everything else
    takes the usual way.

    A request that arrived whole and was answered this way is remembered, and answered without the
    parser when it comes again.

    Attributes:
        response_cache: The cached responses.
        unusual: Names of the headers that make a request more than a plain read.
        is_aside: Every request goes to the application, since not everybody may read everything.
        outbox: Where answers wait for the end of the turn.
        date: The headers at the end of every answer.
    """

    response_cache: ResponseCache
    outbox: Outbox
    date: WireDate
    unusual = UNUSUAL
    is_aside = False
    _is_answered = False
    _unsent: bytes = b""
    # Concerns the bytes that are being parsed.
    _messages = 0
    _reply: Reply | None = None
    # When a request was last answered without the parser, in seconds of the event loop.
    _repeated_at = -math.inf

    @property
    def idle_since(self) -> float | None:
        """As the protocol says, with the requests that were answered without the parser."""
        since = super().idle_since
        return None if since is None else max(since, self._repeated_at)

    def send_unsent(self) -> None:
        """Send what waits before anything else is written to this connection."""
        if self._unsent and not self.transport.is_closing():
            self.transport.write(self._unsent)
        self._unsent = b""

    def shutdown(self) -> None:
        self.send_unsent()
        super().shutdown()

    def _refuse(self, code: int, message: str) -> None:
        self.send_unsent()
        super()._refuse(code, message)

    def data_received(self, data: bytes) -> None:
        if self._is_arriving or not self._is_free():
            super().data_received(data)
            return
        repeated = self.response_cache.find_repeated(data, self._is_crowded)
        if repeated is not None:
            self._note_repeated()
            self._answer(repeated)
            return
        self._messages, self._reply = 0, None
        super().data_received(data)
        if (reply := self._reply_to_one()) is not None and not self._is_secret():
            self.response_cache.remember(data, self.headers, reply)

    def on_message_begin(self) -> None:
        self._messages += 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        reply = self._cached_reply()
        if reply is None:
            self.send_unsent()
            super().on_headers_complete()
            return
        self._note_head()
        self._is_answered = True
        self._reply = reply
        self._answer(reply)

    def on_message_complete(self) -> None:
        if not self._is_answered:
            super().on_message_complete()
            return
        self._is_answered = False
        self._note_arrival()
        self.on_response_complete()

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection if it was idle for long. Requests that were not parsed did not
        reset the timer.
        """
        rest = self._repeated_at + self.timeout_keep_alive - self.loop.time()
        if rest <= 0 or self.transport.is_closing():
            super().timeout_keep_alive_handler()
        else:
            self._start_keep_alive(rest)

    def _start_keep_alive(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(
            seconds, self.timeout_keep_alive_handler
        )

    def _note_repeated(self) -> None:
        """Record what uvicorn and the deadlines record of a whole request and its answer."""
        self.server_state.total_requests += 1
        self._repeated_at = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self._note_arrival()
            self._start_keep_alive(self.timeout_keep_alive)

    def _answer(self, reply: Reply) -> None:
        self.response_cache.counts.direct[not reply.body] += 1
        if not self._unsent:
            self.outbox.add(self, self.loop)
        date = self.date.text(self.server_state.default_headers)
        self._unsent = b"".join((self._unsent, reply.head, date, reply.body))
        if len(self._unsent) > MAX_UNSENT_BYTES:
            self.send_unsent()

    def _reply_to_one(self) -> Reply | None:
        """The reply, if the parsed bytes are exactly one whole request."""
        return self._reply if self._messages == 1 else None

    def _is_secret(self) -> bool:
        """Whether the request says who asks, though the answer is everybody's: such bytes are not
        kept (docs/security.md#t3).
        """
        return any(name in SECRETS for name, _ in self.headers)

    def _is_free(self) -> bool:
        """Whether no answer is under way, the client reads what it is sent, and the connection goes
        on after the answer.
        """
        is_busy = self.cycle is not None and not self.cycle.response_complete
        is_last = self.is_ending or self.transport.is_closing()
        return not (is_busy or self.flow.write_paused or is_last)

    def _is_plain_read(self, unusual: frozenset[bytes]) -> bool:
        """Whether the request whose head is complete may be answered past the application.

        Args:
            unusual: Names of the headers that make it more than a plain read.
        """
        if not self._is_free() or self.parser.get_method() != b"GET":
            return False
        if self.parser.get_http_version() != "1.1" or not self.parser.should_keep_alive():
            return False
        return not any(name in unusual for name, _ in self.headers)

    def _cached_reply(self) -> Reply | None:
        """What to send; None if the application must answer."""
        if self.is_aside or not self._is_plain_read(self.unusual):
            return None
        # Of requests that arrive together only one is composed: the others take turns with other
        # connections.
        may_compose = self._messages <= 1 and not self._is_crowded()
        return self.response_cache.find_reply(self.url, self.headers, may_compose=may_compose)
