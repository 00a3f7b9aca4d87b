"""Waiting for an event: for a while, and never past a cancellation."""

from __future__ import annotations

import asyncio

import pytest

from liuying.kit.event_waits import take_event

LONG_S = 30.0


def test_an_event_is_taken_once() -> None:
    async def scenario() -> None:
        event = asyncio.Event()
        event.set()
        await take_event(event, LONG_S)
        assert not event.is_set()
        await take_event(event, 0.0)

    asyncio.run(scenario())


@pytest.mark.parametrize("turns", range(5))
def test_a_cancellation_is_never_lost(turns: int) -> None:
    """However the event's moment and the cancellation's lie."""

    async def scenario() -> None:
        event = asyncio.Event()

        async def wait_for_ever() -> None:
            while True:
                await take_event(event, LONG_S)

        waiting = asyncio.create_task(wait_for_ever())
        for _ in range(3):
            await asyncio.sleep(0)
        event.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        waiting.cancel()
        done, _ = await asyncio.wait({waiting}, timeout=1.0)
        assert done == {waiting}

    asyncio.run(scenario())
