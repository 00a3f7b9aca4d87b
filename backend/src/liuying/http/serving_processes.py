"""Beside the server: telling the other processes on the same PostgreSQL database which settings
this one has.
"""

from __future__ import annotations

from collections.abc import Mapping

from liuying.http.recurring import repeat
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.workflows.queries.processes import note_process

INTERVAL_S = 30.0


class ServingProcesses:
    """Notes this process again and again until cancelled; on SQLite it is the only one.

    Args:
        database: The one that all share.
        clock: The time.
        name: This process (`process_name`).
        settings: Those of its settings that visitors see.
    """

    def __init__(
        self, database: Database, clock: Clock, name: str, settings: Mapping[str, str]
    ) -> None:
        self._database = database
        self._clock = clock
        self._name = name
        self._settings = settings

    async def run(self) -> None:
        """Note, then rest."""
        if not self._database.is_sqlite:
            await repeat(self.note, INTERVAL_S, "this process could not be noted")

    def note(self) -> None:
        """Note once."""
        with self._database.write() as connection:
            note_process(connection, self._name, self._settings, self._clock())
