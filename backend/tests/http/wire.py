"""A connection without a socket: what a test says arrives, in its pieces, and time passes when the
test says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from liuying.http.cached_response_protocol import CachedResponseProtocol


class Timer:
    """A call that waits for its time."""

    def __init__(self, when: float, call: Callable[[], None]) -> None:
        self.when, self.call = when, call
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Task:
    """One that never ends."""

    def add_done_callback(self, _call: object) -> None:
        pass


class Loop:
    """What the protocol needs of an event loop.

    Attributes:
        asked: How many requests were handed to the application, which never answers.
    """

    def __init__(self) -> None:
        self.now = 1000.0
        self.asked = 0
        self._soon: list[Callable[[], None]] = []
        self._timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_soon(self, call: Callable[[], None]) -> None:
        self._soon.append(call)

    def call_later(self, delay: float, call: Callable[[], None]) -> Timer:
        self._timers.append(Timer(self.now + delay, call))
        return self._timers[-1]

    def create_task(self, work: Coroutine[Any, Any, None]) -> Task:
        work.close()
        self.asked += 1
        return Task()

    @property
    def waiting(self) -> int:
        """How many timers run."""
        return sum(not one.is_cancelled for one in self._timers)

    def end_turn(self) -> None:
        soon, self._soon = self._soon, []
        for call in soon:
            call()

    def pass_time(self, seconds: float) -> None:
        """Let time go on, from one timer to the next."""
        end = self.now + seconds
        while due := [one for one in self._timers if one.when <= end and not one.is_cancelled]:
            first = min(due, key=lambda one: one.when)
            self._timers.remove(first)
            self.now = max(self.now, first.when)
            first.call()
        self.now = end


class Transport(asyncio.Transport):
    """Takes what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_open = True

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return not self.is_open

    def close(self) -> None:
        self.is_open = False

    abort = close

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading


class CountingProtocol(CachedResponseProtocol):
    """Counts the requests that its parser meets."""

    parsed = 0

    def on_message_begin(self) -> None:
        self.parsed += 1
        super().on_message_begin()


class Wire:
    """A connection of a protocol."""

    def __init__(self, protocol: type[CountingProtocol], loop: Loop, keep_alive: int = 15) -> None:
        config = uvicorn.Config(
            no_application, timeout_keep_alive=keep_alive, ws="none", log_config=None
        )
        self.loop, self.transport, self.state = loop, Transport(), ServerState()
        self.state.default_headers = [(b"date", b"Sun, 22 Nov 2026 05:00:00 GMT")]
        self.protocol = protocol(config, self.state, {}, loop)  # type: ignore[arg-type]  # all of a loop that it needs
        self.protocol.connection_made(self.transport)

    @property
    def parsed(self) -> int:
        """How many requests the parser has met."""
        return self.protocol.parsed

    def receive(self, *pieces: bytes) -> None:
        """Let pieces arrive in one turn."""
        for piece in pieces:
            self.protocol.data_received(piece)

    def ask(self, *pieces: bytes) -> bytes:
        """The same, and what was written by the end of the turn."""
        before = len(self.transport.written)
        self.receive(*pieces)
        self.loop.end_turn()
        return self.transport.written[before:]


async def no_application(_scope: object, _receive: object, _send: object) -> None:
    """Stands for one that takes long."""
