"""Doing together what arrives at about the same time: one transaction for many visitors
(docs/decisions/0022-many-processes.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from litestar.concurrency import sync_to_thread

# A statement has so many rows at most.
MOST = 500
# One that the database keeps waiting makes the next one wait no longer than this.
PATIENCE_S = 0.25
T = TypeVar("T")
R = TypeVar("R")
# Items, and who is told of their results.
Waiting = list[tuple[T, "asyncio.Future[R]"]]


class Batch(Generic[T, R]):
    """Collects items while the ones before are under way, and does them together.

    Args:
        work: Does several, in a thread. It returns the result of each, or its error.
        collected_s: For how long the first one waits for others, in seconds.
    """

    def __init__(
        self, work: Callable[[list[T]], Sequence[R | BaseException]], collected_s: float = 0.0
    ) -> None:
        self._work = work
        self._collected_s = collected_s
        # Those who come now belong to it; None until somebody comes.
        self._open: Waiting[T, R] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way = asyncio.Lock()

    async def do(self, item: T) -> R:
        """Do one, together with others.

        Returns:
            Its result.

        Raises:
            Exception: Its error, or that of all.
        """
        told: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        if self._open is None:
            collected: Waiting[T, R] = []
            self._open = collected
            # In the first one's context: how long it may wait for the database counts for all.
            task = asyncio.create_task(self._do_soon(collected))
            self._tasks.add(task)
            task.add_done_callback(lambda ended: self._end(ended, collected))
        self._open.append((item, told))
        return await told

    async def _do_soon(self, collected: Waiting[T, R]) -> None:
        await asyncio.sleep(self._collected_s)
        is_next = False
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await self._under_way.acquire()
                is_next = True
        try:
            self._open = None
            for begin in range(0, len(collected), MOST):
                await self._do(collected[begin : begin + MOST])
        finally:
            if is_next:
                self._under_way.release()

    async def _do(self, batch: Waiting[T, R]) -> None:
        found: Sequence[R | BaseException]
        try:
            found = await sync_to_thread(self._work, [item for item, _ in batch])
        except Exception as error:  # noqa: BLE001  # whoever waits for it must hear of it
            found = [error] * len(batch)
        for (_, told), result in zip(batch, found, strict=True):
            if told.done():  # The visitor left meanwhile.
                continue
            if isinstance(result, BaseException):
                told.set_exception(result)
            else:
                told.set_result(result)

    def _end(self, ended: asyncio.Task[None], collected: Waiting[T, R]) -> None:
        """Let go of those whom a server that ends has not answered; who comes later begins anew."""
        self._tasks.discard(ended)
        if self._open is collected:
            self._open = None
        for _, told in collected:
            told.cancel()
