"""The threads that compute answers: some for reading, others for writing.

A writer may have to wait for the database's lock. A reader needs none, so it never waits behind a
writer (docs/decisions/0002-one-synchronous-database-layer.md).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from litestar import Request

from liuying.kit.database import WRITE_DEADLINE
from liuying.kit.responses import WRITING_OPTION

# The interpreter runs one thread at a time, and every row from the database lets another one in:
# with more threads, switching takes more time than answering.
READING = 3
# SQLite has one writer at a time; while one waits for the disk, the next one prepares.
WRITING = 2
# From the request's arrival, including the wait for a thread.
LOCK_WAIT_S = 2.0
P = ParamSpec("P")
T = TypeVar("T")


def note_writing(request: Request[Any, Any, Any]) -> None:
    """Record until when a writing request may wait, and that any other request does not write; call
    it before anything is computed.
    """
    is_writing = WRITING_OPTION in request.route_handler.opt
    # Reset, too: the server starts a pipelined request in the context of the one before it.
    WRITE_DEADLINE.set(time.monotonic() + LOCK_WAIT_S if is_writing else None)


class AnsweringThreads(ThreadPoolExecutor):
    """Runs writers apart from readers, as `note_writing` recorded for the current request."""

    def __init__(self) -> None:
        super().__init__(READING, "reading")
        self._writing = ThreadPoolExecutor(WRITING, "writing")

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Compute something in one of the threads. Called in the request's own context."""
        if WRITE_DEADLINE.get() is None:
            return super().submit(fn, *args, **kwargs)
        return self._writing.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all threads."""
        self._writing.shutdown(wait, cancel_futures=cancel_futures)
        super().shutdown(wait, cancel_futures=cancel_futures)
