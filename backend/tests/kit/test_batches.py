"""Doing together what arrives at about the same time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from liuying.kit import batches
from liuying.kit.batches import Batch


class Work:
    """Notes what is done together, and doubles it. The first one waits until it may end."""

    def __init__(self) -> None:
        self.done: list[list[int]] = []
        self.has_begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self, items: list[int]) -> list[int | BaseException]:
        self.done.append(items)
        self.has_begun.set()
        if items[0] == 0:
            self.may_end.wait(20)
        return [2 * one if one < 100 else ValueError(one) for one in items]


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0)


def live(body: Callable[[Work, Batch[int, int]], Awaitable[None]]) -> Work:
    """Run something with a batch."""
    work = Work()

    async def run() -> None:
        await body(work, Batch(work))

    asyncio.run(run())
    return work


def test_those_that_come_meanwhile_share_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "PATIENCE_S", 20.0)

    async def body(work: Work, batch: Batch[int, int]) -> None:
        first = asyncio.create_task(batch.do(0))
        await until(work.has_begun.is_set)
        others = [asyncio.create_task(batch.do(number)) for number in (1, 2, 3)]
        await asyncio.sleep(0)
        work.may_end.set()
        assert await asyncio.gather(first, *others) == [0, 2, 4, 6]

    assert live(body).done == [[0], [1, 2, 3]]


def test_nobody_waits_long_for_one_that_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "PATIENCE_S", 0.01)

    async def body(work: Work, batch: Batch[int, int]) -> None:
        first = asyncio.create_task(batch.do(0))
        await until(work.has_begun.is_set)
        assert await batch.do(5) == 10
        assert not first.done()
        work.may_end.set()
        assert await first == 0

    live(body)


def test_an_error_is_told_to_its_own_visitor_alone() -> None:
    async def body(_work: Work, batch: Batch[int, int]) -> None:
        found = await asyncio.gather(
            *(batch.do(one) for one in (1, 100, 2)), return_exceptions=True
        )
        assert [found[0], found[2]] == [2, 4]
        assert isinstance(found[1], ValueError)

    assert live(body).done == [[1, 100, 2]]


def test_a_failure_is_told_to_all_and_the_next_ones_go_on() -> None:
    def fail_once(items: list[int]) -> list[int | BaseException]:
        if failures:
            raise failures.pop()
        return [*items]

    failures = [OSError("away")]

    async def run() -> None:
        batch = Batch(fail_once)
        found = await asyncio.gather(batch.do(1), batch.do(2), return_exceptions=True)
        assert [type(one) for one in found] == [OSError, OSError]
        assert await batch.do(3) == 3

    asyncio.run(run())


def test_so_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MOST", 2)

    async def body(_work: Work, batch: Batch[int, int]) -> None:
        assert await asyncio.gather(*(batch.do(one) for one in range(1, 6))) == [2, 4, 6, 8, 10]

    assert live(body).done == [[1, 2], [3, 4], [5]]


def test_where_one_is_cancelled_others_go_on() -> None:
    async def run() -> None:
        batch: Batch[int, int] = Batch(Work())
        asked = asyncio.create_task(batch.do(1))
        await asyncio.sleep(0)
        (task,) = batch._tasks  # what a server that ends cancels
        task.cancel()
        await asyncio.wait({asked})
        assert asked.cancelled()
        assert await batch.do(2) == 4

    asyncio.run(run())
