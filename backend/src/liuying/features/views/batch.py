"""Counting views in batches: one transaction for all that arrive within a moment
(docs/decisions/0022-many-processes.md).

Each waits for its commit, so a view that was acknowledged is counted.
"""

from __future__ import annotations

from contextlib import suppress

import sqlalchemy as sa

from liuying.features.views.service import View, count_views
from liuying.kit.batches import Batch
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.errors import LiuyingError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits

COLLECTED_S = 0.05
# A video that is removed for good while its views are counted fails them all, so they are counted
# once more without it. Each time takes another such removal.
TRIES = 3


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
        self._batch = Batch(self._write, COLLECTED_S)

    async def count(self, view: View) -> bool:
        """Count a view together with others.

        Returns:
            Whether it counted.

        Raises:
            TooManyRequestsError: The network reports too much.
            NotFoundError: There is no such video.
        """
        return await self._batch.do(view)

    def _write(self, views: list[View]) -> list[bool | LiuyingError]:
        for _ in range(TRIES - 1):
            with suppress(sa.exc.IntegrityError):
                return self._write_once(views)
        return self._write_once(views)

    def _write_once(self, views: list[View]) -> list[bool | LiuyingError]:
        """
        Raises:
            sqlalchemy.exc.IntegrityError: A video was removed since it was looked at; nothing is
                counted.
        """
        with self._database.write(waits_for_disk=False) as connection:
            return count_views(connection, self._hashes, self._limits, views, self._clock())
