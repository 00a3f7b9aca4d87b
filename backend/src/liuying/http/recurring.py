"""Recurring work beside the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from time import monotonic

import sqlalchemy as sa

from liuying.kit.database_errors import PASSING, database_reason

# Apart from those of asyncio, in which changes are looked for and readiness is asked: half a dozen
# kinds of work ask the object store, and one that hangs keeps their threads for most of a minute.
_THREADS = ThreadPoolExecutor(12, "recurring")
LOG = logging.getLogger(__name__)


def always() -> bool:
    """Every turn is ours."""
    return True


async def repeat(
    work: Callable[[], None],
    interval: float,
    complaint: str,
    rest: int = 0,
    delay: float = 0,
    is_ours: Callable[[], bool] = always,
    interrupt: Callable[[], None] | None = None,
) -> None:
    """Do something in a thread until cancelled. Failures are logged and retried at the next turn. A
    turn that is under way ends first.

    Args:
        work: What is done at each turn.
        interval: Seconds between two turns.
        complaint: What to log about a failure.
        rest: Pause for at least so many times the duration of the work.
        delay: Seconds before the first turn.
        is_ours: Whether it is this process's turn, asked in the same thread.
        interrupt: Called where it is cancelled during a turn, which may take long.
    """

    def take_turn() -> None:
        if is_ours():
            work()

    await asyncio.sleep(delay)
    is_away = False
    while True:
        began = monotonic()
        try:
            await _in_thread(take_turn, interrupt)
        except (
            Exception
        ) as error:  # Whatever the error, it must not end: the work would stay undone for ever.
            # That the database is away is said once, not at every turn.
            reason = database_reason(error) if isinstance(error, sa.exc.DBAPIError) else None
            if reason is None or reason not in PASSING:
                LOG.exception(complaint)
            elif not is_away:
                LOG.warning("%s: %s", complaint, reason.english)
            is_away = reason in PASSING
        else:
            is_away = False
        await asyncio.sleep(max(interval, rest * (monotonic() - began)))


async def _in_thread(work: Callable[[], None], interrupt: Callable[[], None] | None) -> None:
    turn = _THREADS.submit(copy_context().run, work)
    ended = asyncio.wrap_future(turn)
    try:
        await asyncio.shield(ended)
    except asyncio.CancelledError:
        # One that waits for a thread is not begun any more.
        if not turn.cancel():
            if interrupt is not None:
                interrupt()
            await asyncio.wait({ended})
        raise
