"""Waiting for an event for a while."""

from __future__ import annotations

import asyncio
from contextlib import suppress


async def take_event(event: asyncio.Event, longest_s: float) -> None:
    """Wait until an event is set, and reset it; return in any case after so many seconds.

    Whoever waits can be cancelled at any moment. With `asyncio.wait_for` of Python 3.11 he could
    not: it forgets the cancellation where the event comes in the same turn (CPython issue 86296),
    and a server that ends would wait for ever.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(longest_s):
            await event.wait()
    event.clear()
