"""Recurring work beside the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

LOG = logging.getLogger(__name__)


async def repeat(
    work: Callable[[], None], interval: float, complaint: str, rest: int = 0, delay: float = 0
) -> None:
    """Do something in a thread until cancelled. Failures are logged and retried at the next turn.

    Args:
        interval: Seconds between two turns.
        complaint: What to log about a failure.
        rest: Pause for at least so many times the duration of the work.
        delay: Seconds before the first turn.
    """
    await asyncio.sleep(delay)
    while True:
        began = monotonic()
        try:
            await asyncio.to_thread(work)
        except (
            Exception
        ):  # Whatever the error, it must not end: the work would stay undone for ever.
            LOG.exception(complaint)
        await asyncio.sleep(max(interval, rest * (monotonic() - began)))
