"""The threads that compute answers: some for reading, others for writing.

A writer may have to wait for the database's lock. A reader needs none, so it never waits behind a
writer (docs/decisions/0002-one-synchronous-database-layer.md).

A database that does not answer keeps a thread, but no visitor: after `ANSWER_WITHIN_S` the call
fails, while what was begun goes on. A commit is never broken off, for nobody could tell whether it
took place; what visitors write is safe to repeat (docs/decisions/0022-many-processes.md).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from litestar import Request

from liuying.kit.database import WRITE_DEADLINE
from liuying.kit.responses import WRITING_OPTION

# The interpreter runs one thread at a time, and every statement lets another one in: with more
# threads, switching takes more time than answering, and the event loop waits in the same queue.
# With one, whoever searches a large catalogue would stop everybody.
READING = 2
# SQLite has one writer at a time; while one waits for the disk, the next one prepares.
WRITING = 2
# From the request's arrival, including the wait for a thread.
LOCK_WAIT_S = 2.0
# Likewise.
ANSWER_WITHIN_S = 5.0
P = ParamSpec("P")
T = TypeVar("T")


def note_writing(request: Request[Any, Any, Any]) -> None:
    """Record until when a writing request may wait; call it before anything is computed."""
    if WRITING_OPTION in request.route_handler.opt:
        begin_writing()


def begin_writing() -> None:
    """Record until when the current request, which writes, may wait."""
    WRITE_DEADLINE.set(time.monotonic() + LOCK_WAIT_S)


class SlowDatabaseError(Exception):
    """What an answer needs was not there within `ANSWER_WITHIN_S`; it may still be done later."""


class AnsweringThreads(ThreadPoolExecutor):
    """Runs writers apart from readers, as `note_writing` or `begin_writing` recorded for the
    current request.

    Args:
        patience: Seconds after which a call fails.
    """

    def __init__(self, patience: float = ANSWER_WITHIN_S) -> None:
        super().__init__(READING, "reading")
        self._writing = ThreadPoolExecutor(WRITING, "writing")
        self._patience = patience
        # Oldest first. All have the same patience, so the first that is due stands in front.
        self._awaited: deque[tuple[float, Future[Any]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Compute something in one of the threads. Called in the event loop, in the request's own
        context.

        Returns:
            Its result; `SlowDatabaseError` where that takes too long.
        """
        answer: Future[T] = Future()

        def compute() -> None:
            if answer.done():  # Nobody waits any more, and nothing was begun.
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001  # as the executor itself does
                _settle(answer, answer.set_exception, error)
            else:
                _settle(answer, answer.set_result, result)

        if WRITE_DEADLINE.get() is None:
            super().submit(compute)
        else:
            self._writing.submit(compute)
        self._awaited.append((time.monotonic() + self._patience, answer))
        self._watch()
        return answer

    def _watch(self) -> None:
        """Let go of what is done, and look again when the next one is due."""
        while self._awaited and self._awaited[0][1].done():
            self._awaited.popleft()
        if self._awaited and self._timer is None:
            rest = self._awaited[0][0] - time.monotonic()
            self._timer = asyncio.get_running_loop().call_later(max(0.0, rest), self._give_up)

    def _give_up(self) -> None:
        self._timer = None
        now = time.monotonic()
        while self._awaited and self._awaited[0][0] <= now:
            answer = self._awaited.popleft()[1]
            _settle(answer, answer.set_exception, SlowDatabaseError())
        self._watch()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all threads."""
        self._writing.shutdown(wait, cancel_futures=cancel_futures)
        super().shutdown(wait, cancel_futures=cancel_futures)


def _settle(answer: Future[Any], settle: Callable[[Any], None], outcome: object) -> None:
    """Settle a future that somebody else may settle at the same moment, or nobody awaits any
    more.
    """
    if not answer.done():
        with suppress(InvalidStateError):
            settle(outcome)
