"""Work that is done again and again beside the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

LOG = logging.getLogger(__name__)


async def repeat(
    work: Callable[[], None], interval: float, complaint: str, rest: int = 0, delay: float = 0
) -> None:
    """Do something in a thread until cancelled. Whatever goes wrong is logged and tried again at
    the next turn.

    Args:
        interval: Seconds between two turns.
        complaint: What to log where it goes wrong.
        rest: At least so many times as long as the work took, nothing is done.
        delay: Seconds before the first turn.
    """
    await asyncio.sleep(delay)
    while True:
        began = monotonic()
        try:
            await asyncio.to_thread(work)
        except (
            Exception
        ):  # whatever it is, it must not end: what is left undone would stay so for ever
            LOG.exception(complaint)
        await asyncio.sleep(max(interval, rest * (monotonic() - began)))
