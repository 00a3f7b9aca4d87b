"""The hot words among suggestions, which every letter that somebody types asks for."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from liuying.features.search.result_cache import ResultCache
from liuying.features.search.terms import visible_hot_groups
from liuying.kit.changes import CacheTopic, newest_change
from liuying.kit.clock import Milliseconds

# Reading them means counting all searches of a day. Suggestions are kept for longer than this.
KEPT_MS = 10_000


class _Kept(msgspec.Struct, frozen=True):
    stamp: int
    read_at: Milliseconds
    words: tuple[str, ...]


class OfferedHotWords:
    """Keeps the visible hot words of one process for a moment; not beyond a change of what is
    found.

    Args:
        orders: Tells which words find anything.
    """

    def __init__(self, orders: ResultCache) -> None:
        self._orders = orders
        self._kept = _Kept(-1, 0, ())

    def words(self, connection: sa.Connection, now: Milliseconds) -> Sequence[str]:
        """The words of all groups, in their order."""
        stamp = newest_change(connection, CacheTopic.SEARCH)
        kept = self._kept
        if kept.stamp != stamp or not 0 <= now - kept.read_at < KEPT_MS:
            groups = visible_hot_groups(connection, self._orders, now)
            kept = _Kept(stamp, now, tuple(word for group in groups for word in group.lists))
            # Two threads may read the same; neither waits for the other.
            self._kept = kept
        return kept.words
