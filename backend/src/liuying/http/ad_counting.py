"""Beside the server: writing down how often advertisements were seen and followed."""

from __future__ import annotations

from liuying.features.ads.counting import AdCounter
from liuying.http.recurring import repeat
from liuying.kit.database import Database

INTERVAL_S = 15.0


class AdCounting:
    """Writes the counts again and again until cancelled, and once more at the end."""

    def __init__(self, counter: AdCounter, database: Database) -> None:
        self._counter = counter
        self._database = database

    async def run(self) -> None:
        """Write, then rest. A database that does not answer is asked again."""
        try:
            await repeat(self._write, INTERVAL_S, "advertisements could not be counted")
        finally:
            self._write()

    def _write(self) -> None:
        self._counter.write(self._database)
