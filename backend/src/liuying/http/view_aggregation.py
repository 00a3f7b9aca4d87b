"""Beside the server: adding views to the lists and renewing the ranks."""

from __future__ import annotations

from liuying.http.recurring import repeat
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.pages.ranks import aggregate_views

INTERVAL_S = 15.0
# It takes at most a twentieth of the time, however large the catalogue.
SHARE_OF_TIME = 20


class ViewAggregator:
    """Aggregates views again and again until cancelled."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """Aggregate, then rest. A database that does not answer is asked again."""
        await repeat(self._settle, INTERVAL_S, "views could not be settled", SHARE_OF_TIME)

    def _settle(self) -> None:
        aggregate_views(self._database, self._clock())
