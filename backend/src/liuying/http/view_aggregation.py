"""Beside the server: adding views to the lists and renewing the ranks."""

from __future__ import annotations

from collections.abc import Callable

from liuying.http.recurring import always, repeat
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.pages.ranks import aggregate_views

INTERVAL_S = 15.0
# It takes at most a twentieth of the time, however large the catalogue.
SHARE_OF_TIME = 20


class ViewAggregator:
    """Aggregates views again and again until cancelled.

    Args:
        database: Contains them.
        clock: The time.
        is_ours: Whether it is this process's turn (`SingleRunner`).
    """

    def __init__(
        self, database: Database, clock: Clock, is_ours: Callable[[], bool] = always
    ) -> None:
        self._database = database
        self._clock = clock
        self._is_ours = is_ours

    async def run(self) -> None:
        """Aggregate, then rest. A database that does not answer is asked again."""
        complaint = "views could not be settled"
        await repeat(self._settle, INTERVAL_S, complaint, SHARE_OF_TIME, is_ours=self._is_ours)

    def _settle(self) -> None:
        aggregate_views(self._database, self._clock())
