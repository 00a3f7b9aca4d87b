"""HTTP connections that cannot be held open by sending slowly (threats 18)."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# From the first byte of a request to its last one: headers and body together.
REQUEST_DEADLINE_S = 20.0


class DeadlineProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which closes a connection whose request takes too long to arrive.

    uvicorn itself waits for headers for ever. The time runs from the connection's start or from the first byte after
    the previous answer, and ends with the last byte of the request.
    """

    request_deadline = REQUEST_DEADLINE_S
    _deadline: asyncio.TimerHandle | None = None
    _is_arriving = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
        super().connection_made(transport)
        self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # A request that came in one piece needs no timer. Stray line ends begin no request, yet they stop uvicorn's
        # own timer for idle connections.
        if self._deadline is None and (self._is_arriving or self._is_unwatched()):
            self._start_deadline()

    def on_message_begin(self) -> None:
        self._is_arriving = True
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._note_arrival()
        super().on_message_complete()

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

    def _cut(self) -> None:
        self._deadline = None
        transport: Any = self.transport
        if transport is not None and not transport.is_closing():
            transport.abort()
