"""Answers that say too little of views for a moment: nobody waits for new ones while others have to
wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from litestar.types import HTTPScope, Receive, Send

from liuying.http import response_store as module
from liuying.http.load_limit import BUSY, LoadLimit
from liuying.http.response_cache import ResponseCache
from liuying.kit.changes import CacheTopic
from liuying.kit.responses import CachePolicy
from tests.http.asking import ask

VIEWS, CATALOGUE = frozenset({CacheTopic.VIEWS}), frozenset({CacheTopic.CATALOGUE})


class Application:
    """Answers with the number of the call; may fail, and may have to wait."""

    def __init__(self) -> None:
        self.calls = 0
        self.is_failing = False
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.opt = {"cache_policy": CachePolicy(VIEWS | CATALOGUE)}

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        self.calls += 1
        call = self.calls
        scope["route_handler"] = self  # type: ignore[typeddict-item]  # as the framework notes its route
        assert (await receive())["type"] == "http.request"
        await self.may_answer.wait()
        if self.is_failing:
            raise RuntimeError("failed")
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"%d" % call, "more_body": False})


class Site:
    """A hot path in front of the application."""

    def __init__(self) -> None:
        self.application = Application()
        self.is_busy = True
        self.response_cache = ResponseCache(self.application, is_busy=lambda: self.is_busy)  # type: ignore[arg-type]  # as above

    async def ask(self) -> int:
        return int(await ask(self.response_cache))


async def settle() -> None:
    """Let what was begun beside go on until it waits."""
    for _ in range(10):
        await asyncio.sleep(0)


def run(scenario: Callable[[Site], Awaitable[list[int]]]) -> list[int]:
    async def begin() -> list[int]:
        return await scenario(Site())

    return asyncio.run(begin())


def test_whoever_asks_while_it_is_busy_does_not_wait() -> None:
    async def scenario(site: Site) -> list[int]:
        found = [await site.ask()]
        site.response_cache.drop(VIEWS)
        site.application.may_answer.clear()
        found += [await asyncio.wait_for(site.ask(), 5) for _ in range(3)]
        site.application.may_answer.set()
        await settle()
        return [*found, await site.ask(), site.application.calls]

    # Renewed once, and then for everybody.
    assert run(scenario) == [1, 1, 1, 1, 2, 2]


def test_it_is_exact_where_nobody_has_to_wait() -> None:
    async def scenario(site: Site) -> list[int]:
        site.is_busy = False
        found = [await site.ask()]
        site.response_cache.drop(VIEWS)
        return [*found, await site.ask(), await site.ask()]

    assert run(scenario) == [1, 2, 2]


@pytest.mark.parametrize("topics", [CATALOGUE, VIEWS | CATALOGUE])
def test_nothing_else_may_lag(topics: frozenset[CacheTopic]) -> None:
    async def scenario(site: Site) -> list[int]:
        found = [await site.ask()]
        site.response_cache.drop(VIEWS)
        site.response_cache.drop(topics)
        return [*found, await site.ask()]

    assert run(scenario) == [1, 2]


def test_it_lags_a_while_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> list[int]:
        found = [await site.ask()]
        site.response_cache.drop(VIEWS)
        now = time.monotonic()
        monkeypatch.setattr(module, "monotonic", lambda: now + module.MAX_LAG_S / 2)
        site.response_cache.drop(VIEWS)  # counts from the first
        monkeypatch.setattr(module, "monotonic", lambda: now + module.MAX_LAG_S + 1)
        return [*found, await site.ask()]

    assert run(scenario) == [1, 2]


def test_a_renewal_that_fails_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(site: Site) -> list[int]:
        found = [await site.ask()]
        site.response_cache.drop(VIEWS)
        site.application.is_failing = True
        found.append(await site.ask())
        await settle()
        site.application.is_failing = False
        found.append(await site.ask())
        await settle()
        return [*found, await site.ask()]

    assert run(scenario) == [1, 1, 1, 3]
    assert "could not be renewed" in caplog.text


def test_it_is_busy_from_a_few_on() -> None:
    async def nothing(*_: object) -> Any:
        return None

    async def scenario() -> list[bool]:
        free, found = asyncio.Event(), []

        async def wait(_scope: object, _receive: object, _send: object) -> None:
            await free.wait()

        limit = LoadLimit(wait)
        scope, tasks = {"type": "http", "method": "GET"}, []
        for _ in range(BUSY):
            found.append(limit.is_busy)
            tasks.append(asyncio.create_task(limit(scope, nothing, nothing)))  # type: ignore[arg-type]  # as above
            await asyncio.sleep(0)
        found.append(limit.is_busy)
        free.set()
        await asyncio.gather(*tasks)
        return [*found, limit.is_busy]

    assert asyncio.run(scenario()) == [*[False] * BUSY, True, False]
