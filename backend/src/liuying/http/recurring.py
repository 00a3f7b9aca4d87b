"""Recurring work beside the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

import sqlalchemy as sa

from liuying.kit.database_errors import PASSING, database_reason

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
) -> None:
    """Do something in a thread until cancelled. Failures are logged and retried at the next turn.

    Args:
        work: What is done at each turn.
        interval: Seconds between two turns.
        complaint: What to log about a failure.
        rest: Pause for at least so many times the duration of the work.
        delay: Seconds before the first turn.
        is_ours: Whether it is this process's turn, asked in the same thread.
    """

    def take_turn() -> None:
        if is_ours():
            work()

    await asyncio.sleep(delay)
    is_away = False
    while True:
        began = monotonic()
        try:
            await asyncio.to_thread(take_turn)
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
