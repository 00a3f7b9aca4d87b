"""HTTP connections that cannot be held open or filled by slow senders or by clients that do not
read (docs/security.md#t18, docs/security.md#t19), and whose headers are only those of the head.
"""

from __future__ import annotations

import asyncio
import re
import select
from typing import Any, Self

import msgspec
from litestar.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from liuying.kit.client_network import ClientNetwork
from liuying.kit.connection_limit import PRESSURE, ConnectionLimit
from liuying.kit.envelope import Problem
from liuying.kit.refusals import FAILURE, send_refusal
from liuying.kit.waiting_connections import WaitingConnections

# From the first byte of a request to its last one, headers and body together.
REQUEST_DEADLINE_S = 20.0
# How long an answer may wait for a client that does not read.
WRITE_DEADLINE_S = 30.0
# Request line and headers together; a browser's are below 8 KiB.
MAX_HEAD_BYTES = 64 * 1024
HEAD_TOO_LARGE = "请求头过大"
# `: ` and the line's end.
LINE_BYTES = 4
# RFC 3986 §3.2.2: a name or IPv4 address, or an IPv6 address in brackets, with or without a port.
HOST = re.compile(rb"(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?")
# Requests on one connection that wait for earlier answers.
MAX_PIPELINED = 16

RETRY_AFTER_S = b"1"


async def refuse_connection(_scope: Scope, _receive: Receive, send: Send) -> None:
    """An ASGI application for requests on a connection that is one too many."""
    headers = [(b"retry-after", RETRY_AFTER_S), (b"connection", b"close")]
    await send_refusal(send, 503, FAILURE, headers)


class DeadlineProtocol(HttpToolsProtocol):
    """uvicorn's protocol with the limits that it lacks.

    It closes a connection whose request takes too long to arrive (from the connection's start, or
    from the first byte after the previous answer, to the last byte of the request), whose client
    does not read its answer, whose headers do not end, or on which too many requests wait.
    """

    request_deadline = REQUEST_DEADLINE_S
    write_deadline = WRITE_DEADLINE_S
    # Shared by all connections of a server; None where nobody shares them out.
    connection_limit: ConnectionLimit | None = None
    # Of the server's listener; None where the event loop alone takes connections.
    waiting_connections: WaitingConnections | None = None
    network: ClientNetwork | None = None
    # Of a server that is about to end: every answer is the last one of its connection.
    is_ending = False
    _connected_at = 0.0
    _deadline: asyncio.TimerHandle | None = None
    _write_deadline: asyncio.TimerHandle | None = None
    _is_arriving = False
    _is_head_open = False
    _head_bytes = 0
    # Of what is being parsed, and of what the head began in, which `_head_bytes` leaves out.
    _packet_bytes = _first_packet_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
        super().connection_made(transport)
        # Requests that were handed to the application and are not answered yet.
        self._open_cycles: list[RequestResponseCycle] = []
        self._connected_at = self.loop.time()
        self._start_deadline()
        if self.connection_limit is not None:
            self._ask_for_room(self.connection_limit)
        if self.waiting_connections is not None:
            self.waiting_connections.take(self.loop, self._make_another)

    def _make_another(self) -> Self:
        return type(self)(self.config, self.server_state, self.app_state, self.loop)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.connection_limit is not None:
            self.connection_limit.release(self)
        self._stop_deadline()
        self._stop_write_deadline()
        super().connection_lost(exc)
        # uvicorn tells the last request alone that its client is gone.
        for cycle in self._open_cycles:
            cycle.disconnected = True
            cycle.message_event.set()
        self._open_cycles = []
        self.pipeline.clear()

    @property
    def idle_since(self) -> float | None:
        """Since when nothing is asked or answered here, in the event loop's seconds; None while
        something is.
        """
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if is_answering or self._is_arriving or self.flow.write_paused:
            return None
        timer = self.timeout_keep_alive_task
        if timer is None or self.transport.is_closing():
            return None if self.transport.is_closing() else self._connected_at
        return timer.when() - self.timeout_keep_alive

    def close_idle(self) -> None:
        """Close the connection, as after too long a pause."""
        self.transport.close()

    def _ask_for_room(self, limit: ConnectionLimit) -> None:
        now = self.loop.time()
        if not limit.admit(self, self.client[0] if self.client else None, now):
            self.transport.abort()
        elif self.limit_concurrency and len(self.connections) > PRESSURE * self.limit_concurrency:
            limit.relieve(self, now)

    def data_received(self, data: bytes) -> None:
        self._packet_bytes = len(data)
        if self._is_head_open:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self._refuse(431, HEAD_TOO_LARGE)
                return
        super().data_received(data)
        # A request that came in one piece needs no timer. Stray line ends begin no request, yet
        # stop uvicorn's own timer for idle connections.
        if self._deadline is None and (self._is_arriving or self._is_unwatched()):
            self._start_deadline()

    def on_message_begin(self) -> None:
        self._is_arriving = self._is_head_open = True
        self._head_bytes = 0
        self._first_packet_bytes = self._packet_bytes
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header of the request's head.

        Fields after a chunked body are trailers (RFC 9110 §6.5) and do not belong to the head:
        anybody may send them through a proxy that has already written its own headers, so a
        forwarding header among them would be trusted (docs/security.md#t4).
        """
        if self._is_head_open:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._note_head()
        if self._is_crowded():
            self._refuse_connection()
        else:
            super().on_headers_complete()
        if self.cycle is not None:
            self._open_cycles = [one for one in self._open_cycles if not one.response_complete]
            self._open_cycles.append(self.cycle)
            self.cycle.keep_alive &= not self.is_ending
        if len(self.pipeline) > MAX_PIPELINED:
            # The parser passes this on as its own error, which ends the connection.
            raise ValueError("too many requests wait on one connection")

    def on_message_complete(self) -> None:
        self._note_arrival()
        super().on_message_complete()

    def shutdown(self) -> None:
        """The server ends. A request that is here already is answered first: a proxy may not send
        it again to another server, since it cannot know that nothing was done.
        """
        if not (self._is_arriving or self._has_unread()):
            super().shutdown()

    def _has_unread(self) -> bool:
        """Whether something has arrived that the event loop has not read yet."""
        if (connection := self.transport.get_extra_info("socket")) is None:
            return False
        poll = select.poll()
        poll.register(connection.fileno(), select.POLLIN)
        return bool(poll.poll(0))

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._write_deadline is None:
            self._write_deadline = self.loop.call_later(self.write_deadline, self._cut)

    def resume_writing(self) -> None:
        self._stop_write_deadline()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """uvicorn's answer to a request that is not HTTP, in our envelope."""
        del msg  # English, and about the parser.
        self._refuse(400, "请求格式有误")

    def _refuse(self, code: int, message: str) -> None:
        """Refuse what cannot be read, and close. In the middle of another answer nothing can be
        said: its bytes would not be the answer's.
        """
        if self._is_answering():
            self.transport.abort()
            return
        body = msgspec.json.encode(Problem(code=code, msg=message))
        head = (
            f"HTTP/1.1 {code} Refused\r\ncontent-type: application/json\r\ncontent-length: "
            f"{len(body)}\r\n"
            "cache-control: no-store\r\nconnection: close\r\n\r\n"
        )
        if not self.transport.is_closing():
            self.transport.write(head.encode() + body)
            self.transport.close()

    def _is_crowded(self) -> bool:
        """Whether the server holds all the connections that it takes."""
        return self.limit_concurrency is not None and (
            len(self.connections) >= self.limit_concurrency
        )

    def _refuse_connection(self) -> None:
        """Answer 503 in our envelope. uvicorn's own refusal says neither why nor when to come
        again, and logs a line each time.
        """
        limit, self.limit_concurrency = self.limit_concurrency, None
        app, self.app = self.app, refuse_connection
        try:
            super().on_headers_complete()
        finally:
            self.limit_concurrency, self.app = limit, app

    def _is_answering(self) -> bool:
        """Whether an answer is on its way, or requests wait for one."""
        if self.pipeline:
            return True
        return (
            self.cycle is not None
            and not self.cycle.response_complete
            and (getattr(self.cycle, "response_started", True))
        )

    def _note_head(self) -> None:
        """The head is complete: what it must be, before anything is answered.

        Raises:
            ValueError: It is refused; the parser hands this on as its own error, which ends the
                connection.
        """
        self._is_head_open = False
        # Counted only where it may be too much: a head may come with others in one packet.
        if self._first_packet_bytes + self._head_bytes > MAX_HEAD_BYTES:
            lengths = (len(name) + len(value) + LINE_BYTES for name, value in self.headers)
            if len(self.url) + sum(lengths) > MAX_HEAD_BYTES:
                self._refuse(431, HEAD_TOO_LARGE)
                raise ValueError("the head is too large")
        hosts = [value for name, value in self.headers if name == b"host"]
        # RFC 9112 §3.2. Caches in front go by the host: none may read another one than we do.
        is_old = not hosts and self.parser.get_http_version() == "1.0"
        if not is_old and (len(hosts) != 1 or HOST.fullmatch(hosts[0]) is None):
            raise ValueError("no host, or more than one, or none that can be")

    def _note_arrival(self) -> None:
        self._is_arriving = False
        self._stop_deadline()

    def _is_unwatched(self) -> bool:
        is_idle = self.cycle is None or self.cycle.response_complete
        return is_idle and self.timeout_keep_alive_task is None

    def _start_deadline(self) -> None:
        self._deadline = self.loop.call_later(self.request_deadline, self._cut)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _stop_write_deadline(self) -> None:
        if self._write_deadline is not None:
            self._write_deadline.cancel()
            self._write_deadline = None

    def _cut(self) -> None:
        self._deadline = self._write_deadline = None
        transport: Any = self.transport
        # Not only while it is open: a closing transport still waits for a client that does not
        # read.
        if transport is not None:
            transport.abort()
