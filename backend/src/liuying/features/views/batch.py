"""Counting views in batches: one transaction for all that arrive within a moment
(docs/decisions/0022-many-processes.md).

Each waits for its commit, so a view that was acknowledged is counted.
"""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.visitors.presented_codes import PresentedCodes
from liuying.features.views.service import View, count_views
from liuying.kit.batches import Batch
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.database_errors import is_deadlock
from liuying.kit.errors import LiuyingError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits

COLLECTED_S = 0.05
# A video that is removed for good while its views are counted fails them all, or waits for them as
# they wait for it, so they are counted once more. Each time takes another such removal.
TRIES = 3


class ViewBatch:
    """Collects views, and counts them together.

    Args:
        database: Where they are counted.
        hashes: Hide who watched.
        limits: Of networks.
        presented: The codes that networks present.
        clock: The time.
    """

    def __init__(
        self,
        database: Database,
        hashes: KeyedHashes,
        limits: Limits,
        presented: PresentedCodes,
        clock: Clock,
    ) -> None:
        self._database = database
        self._hashes = hashes
        self._limits = limits
        self._presented = presented
        self._clock = clock
        self._batch = Batch(self._write, COLLECTED_S)

    async def count(self, view: View) -> bool:
        """Count a view together with others.

        Returns:
            Whether it counted.

        Raises:
            TooManyRequestsError: The network reports too much, or presents too many codes.
            NotFoundError: There is no such video.
        """
        return await self._batch.do(view)

    def _write(self, views: list[View]) -> list[bool | LiuyingError]:
        for _ in range(TRIES - 1):
            try:
                return self._write_once(views)
            except sa.exc.DBAPIError as error:
                if not (isinstance(error, sa.exc.IntegrityError) or is_deadlock(error)):
                    raise
        return self._write_once(views)

    def _write_once(self, views: list[View]) -> list[bool | LiuyingError]:
        """
        Raises:
            sqlalchemy.exc.IntegrityError: A video was removed since it was looked at; nothing is
                counted.
        """
        # Who came first is counted first.
        new = list(dict.fromkeys((one.new_code, one.network) for one in views if one.new_code))
        with self._database.write(waits_for_disk=False) as connection:
            checked = self._presented.check_within(connection, new)
            refusals = {one: code.refusal for one, code in zip(new, checked, strict=True)}
            refused = [
                refusals.get((one.new_code, one.network)) if one.new_code else None for one in views
            ]
            admitted = [one for one, error in zip(views, refused, strict=True) if error is None]
            counted = iter(
                count_views(connection, self._hashes, self._limits, admitted, self._clock())
            )
        self._presented.remember(checked)
        return [next(counted) if error is None else error for error in refused]
