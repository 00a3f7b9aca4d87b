"""Work beside the server that hangs, and its end."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from liuying.http import recurring
from liuying.http.application import Application
from liuying.http.recurring import repeat
from liuying.installation.services import Services

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


def test_a_turn_that_takes_long_is_interrupted() -> None:
    has_begun, may_end = threading.Event(), threading.Event()
    ended: list[bool] = []

    def work() -> None:
        has_begun.set()
        ended.append(may_end.wait(PATIENCE_S))

    async def live() -> None:
        task = asyncio.create_task(repeat(work, 3600, "it fails", interrupt=may_end.set))
        while not has_begun.is_set():
            await asyncio.sleep(0)
        assert not may_end.is_set()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(live())
    assert ended == [True]


def test_one_that_waits_for_a_thread_is_not_begun_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    has_begun, may_end = threading.Event(), threading.Event()
    begun: list[int] = []

    def work() -> None:
        has_begun.set()
        may_end.wait(PATIENCE_S)

    async def live() -> None:
        first = asyncio.create_task(repeat(work, 3600, "it fails"))
        while not has_begun.is_set():
            await asyncio.sleep(0)
        second = asyncio.create_task(repeat(lambda: begun.append(1), 3600, "it fails"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait({second})
        first.cancel()
        may_end.set()
        await asyncio.wait({first})

    with ThreadPoolExecutor(1) as threads:
        monkeypatch.setattr(recurring, "_THREADS", threads)
        asyncio.run(live())
    assert begun == []


def test_all_of_a_server_end_together(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    ending: list[str] = []
    together: list[int] = []

    class Ending:
        """Takes its time to end, and notes how many have been told to end by then."""

        def __init__(self, name: str) -> None:
            self.name = name

        async def run(self) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                ending.append(self.name)
                for _ in range(3):
                    await asyncio.sleep(0)
                together.append(len(ending))

    application = Application(services)
    monkeypatch.setattr(application, "_settler", Ending("one"))
    monkeypatch.setattr(application, "_publisher", Ending("other"))
    messages = ["lifespan.startup", "lifespan.shutdown"]

    async def receive() -> dict[str, str]:
        return {"type": messages.pop(0)}

    async def send(_message: dict[str, str]) -> None:
        # Everything beside has begun.
        for _ in range(3):
            await asyncio.sleep(0)

    async def live() -> None:
        scope: Any = {"type": "lifespan", "state": {}}
        await asyncio.wait_for(application(scope, receive, send), PATIENCE_S)

    asyncio.run(live())
    assert sorted(ending) == ["one", "other"]
    assert together == [2, 2]
