"""Counting how often advertisements are seen and followed: numbers by day, nobody's name.

Counts are gathered in memory and written together; a crash loses the last seconds.
"""

from __future__ import annotations

import threading
from collections import Counter

from liuying.features.ads import queries
from liuying.kit.clock import Clock, day_number
from liuying.kit.database import Database

# Advertisements counted between two writes; more are made up.
MAX_GATHERED = 5000
# The columns, in the order of a pair of counts.
VIEWS, CLICKS = 0, 1


class AdCounter:
    """Gathers counts of one process.

    Args:
        clock: Names the day.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._gathered: dict[int, Counter[tuple[int, int]]] = {VIEWS: Counter(), CLICKS: Counter()}
        self._lock = threading.Lock()

    def add(self, kind: int, ad_id: int) -> None:
        """Count one view or click.

        Args:
            kind: `VIEWS` or `CLICKS`.
        """
        key = (ad_id, day_number(self._clock()))
        with self._lock:
            gathered = self._gathered[kind]
            if key in gathered or len(gathered) < MAX_GATHERED:
                gathered[key] += 1

    def write(self, database: Database) -> None:
        """Write what was gathered. Where that fails, it is kept for the next time.

        Numbers that are no advertisement's are dropped.
        """
        with self._lock:
            gathered = self._gathered
            if not any(gathered.values()):
                return
            self._gathered = {VIEWS: Counter(), CLICKS: Counter()}
        keys = sorted({*gathered[VIEWS], *gathered[CLICKS]})
        counts = [(*key, gathered[VIEWS][key], gathered[CLICKS][key]) for key in keys]
        try:
            with database.write() as connection:
                queries.add_counts(connection, counts)
        except BaseException:
            with self._lock:
                for kind, counted in gathered.items():
                    self._gathered[kind] += counted
            raise
