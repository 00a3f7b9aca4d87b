"""Numbers of listed videos of artists and labels in memory: a number a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries.name_counts import LINKS, Counts, Kind, Tally, tally_since


class _Folded(msgspec.Struct, frozen=True, gc=False):
    """The numbers of one folding."""

    number: int
    counts: Counts


class NameCounts:
    """The numbers of one process.

    They are exact: each call reads what was folded since the last one, and what is not folded yet,
    in one statement.
    """

    def __init__(self) -> None:
        self._known = _NOTHING

    def of_all(self, connection: sa.Connection, kind: Kind) -> Counter[int]:
        """Number of listed videos of every artist or label; 0 for those without any."""
        known, tally = self._look(connection)
        counts = known.counts[kind].copy()
        counts.update(tally.changes[kind])
        return counts

    def of_some(
        self, connection: sa.Connection, kind: Kind, numbers: Collection[int]
    ) -> dict[int, int]:
        """Number of listed videos of some artists or labels."""
        if not numbers:
            return {}
        known, tally = self._look(connection)
        return {one: known.counts[kind][one] + tally.changes[kind][one] for one in numbers}

    def forget(self) -> None:
        """Drop everything: the database may be another one with the same numbers of foldings."""
        self._known = _NOTHING

    def _look(self, connection: sa.Connection) -> tuple[_Folded, Tally]:
        known = self._known
        tally = tally_since(connection, known.number)
        if tally.folded < known.number:  # An older database was restored.
            known, tally = _NOTHING, tally_since(connection, 0)
        if tally.folded != known.number:
            counts = {kind: known.counts[kind].copy() for kind in LINKS}
            for kind in LINKS:
                dict.update(counts[kind], tally.counts[kind])
            # Two threads may read the same; neither waits for the other.
            self._known = known = _Folded(tally.folded, counts)
        return known, tally


_NOTHING = _Folded(0, {kind: Counter() for kind in LINKS})
