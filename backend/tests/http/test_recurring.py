"""Work beside the server that hangs, and its end."""

from __future__ import annotations

import asyncio
import os
import threading

from liuying.http.recurring import repeat

# As many threads as asyncio has (https://docs.python.org/3/library/concurrent.futures.html).
THREADS = min(32, (os.cpu_count() or 1) + 4)
PATIENCE_S = 20.0


def test_what_hangs_keeps_nobody_else_waiting() -> None:
    may_end = threading.Event()
    hanging = threading.Semaphore(0)

    def hang() -> None:
        hanging.release()
        may_end.wait(PATIENCE_S)

    async def live() -> bool:
        tasks = [asyncio.create_task(repeat(hang, 0, "it hangs")) for _ in range(THREADS)]
        # The event loop asks, so that it needs no thread of its own to wait in.
        while not hanging.acquire(blocking=False):
            await asyncio.sleep(0)
        try:
            return await asyncio.wait_for(asyncio.to_thread(lambda: True), PATIENCE_S / 4)
        finally:
            may_end.set()
            for one in tasks:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    assert asyncio.run(live())


def test_a_turn_that_is_under_way_ends_first() -> None:
    has_begun, may_end = threading.Event(), threading.Event()
    done: list[int] = []

    def work() -> None:
        has_begun.set()
        may_end.wait(PATIENCE_S)
        done.append(1)

    async def live() -> None:
        task = asyncio.create_task(repeat(work, 3600, "it fails"))
        while not has_begun.is_set():
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        assert done == [1]

    asyncio.run(live())
