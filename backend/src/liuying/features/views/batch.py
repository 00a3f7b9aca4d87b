"""Counting views in batches: one transaction for all that arrive within a moment
(docs/decisions/0022-many-processes.md).

Each waits for its commit, so a view that was acknowledged is counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from litestar.concurrency import sync_to_thread

from liuying.features.views.service import View, count_views
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.errors import LiuyingError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits

COLLECTED_S = 0.05
# A statement has so many rows at most.
MOST = 500
Waiting = tuple[View, "asyncio.Future[bool]"]


class ViewBatch:
    """Collects views, and counts them together.

    Args:
        database: Where they are counted.
        hashes: Hide who watched.
        limits: Of networks.
        clock: The time.
    """

    def __init__(
        self, database: Database, hashes: KeyedHashes, limits: Limits, clock: Clock
    ) -> None:
        self._database = database
        self._hashes = hashes
        self._limits = limits
        self._clock = clock
        self._waiting: list[Waiting] = []
        self._counting: set[asyncio.Task[None]] = set()

    async def count(self, view: View) -> bool:
        """Count a view together with others.

        Returns:
            Whether it counted.

        Raises:
            TooManyRequestsError: The network reports too much.
            NotFoundError: There is no such video.
        """
        told: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((view, told))
        if len(self._waiting) == 1:
            # In the first one's context: how long it may wait for the database counts for all.
            task = asyncio.create_task(self._count_soon())
            self._counting.add(task)
            task.add_done_callback(self._counting.discard)
        return await told

    async def _count_soon(self) -> None:
        await asyncio.sleep(COLLECTED_S)
        collected, self._waiting = self._waiting, []
        for begin in range(0, len(collected), MOST):
            await self._count(collected[begin : begin + MOST])

    async def _count(self, batch: list[Waiting]) -> None:
        found: Sequence[bool | BaseException]
        try:
            found = await sync_to_thread(self._write, [view for view, _ in batch])
        except BaseException as error:  # noqa: BLE001  # whoever waits for it must hear of it
            found = [error] * len(batch)
        for (_, told), result in zip(batch, found, strict=True):
            if told.done():  # The visitor left meanwhile.
                continue
            if isinstance(result, BaseException):
                told.set_exception(result)
            else:
                told.set_result(result)

    def _write(self, views: list[View]) -> list[bool | LiuyingError]:
        with self._database.write(waits_for_disk=False) as connection:
            return count_views(connection, self._hashes, self._limits, views, self._clock())
