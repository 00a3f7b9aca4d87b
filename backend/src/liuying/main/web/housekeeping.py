"""What must go in time: hashes of networks and used codes that are no longer needed (threats 25)."""

from __future__ import annotations

from liuying.domains.embedding.service import prune_codes
from liuying.domains.sharing.service import prune_visits
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.main.web.recurring import repeat

INTERVAL_S = 600.0


class Housekeeping:
    """Prunes at the start and every ten minutes. Several processes may do it at once.

    Args:
        database: What is pruned.
        clock: The time that ages are counted from.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """Prune until cancelled. A database that does not answer is asked again at the next turn."""
        await repeat(self.prune, INTERVAL_S, "old rows could not be pruned")

    def prune(self) -> None:
        """Prune once."""
        now = self._clock()
        with self._database.write() as connection:
            prune_visits(connection, now)
        with self._database.write() as connection:
            prune_codes(connection, now)
