"""Every list's order in memory, so that any page of any list costs what its first page costs.

Filled from the database once, kept by the log of changes from then on; each process has its own.
What it says is what `ORDER BY` would say (`listing.ordering`), ties included, as of the last change
that was followed.
"""

from __future__ import annotations

import math
import threading
from array import array
from collections.abc import Collection, Sequence
from time import monotonic

import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue.built_sort_index import (
    BuiltSortIndex,
    Stretch,
    build_orders,
)
from liuying.core.catalogue.queries import listing, sort_facts
from liuying.core.catalogue.queries.change_log import changes_after, newest_number
from liuying.core.catalogue.schemas import ListedVideo
from liuying.core.catalogue.sort_orders import SCORE_COLUMNS, SORT_ORDERS, SortOrder
from liuying.core.catalogue.sorted_blocks import SortedBlocks
from liuying.core.catalogue.video_cache import VideoCache
from liuying.core.catalogue.video_facts import FACTS, Array, Fact
from liuying.kit.database import AnyRow, Database
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.paging import PageRequest, Place

# Followed at once: in between, threads that answer have their turn.
AT_ONCE = 100
# How long a page waits, in seconds, while the orders are built. At a million videos the database
# takes as long for one page, and takes the processor from what would make all pages cheap.
PATIENCE_S = 10.0
# Changes are followed ten times a second; where that fails so many seconds, the database is asked
# about lists.
FOLLOWED_WITHIN_S = 2.0
# Some 50 MB, and 15 MB.
MAX_CACHED_ITEMS = 20_000
MAX_CACHED_SIMILAR = 6_000


class SortIndex:
    """The orders of one process.

    Args:
        database: What they are built from.
        hashes: Sign the ids that tiles of locked videos open.

    Attributes:
        items: What lists show of the videos that were last asked for.
        similar: The videos that resemble them, the most alike first.
    """

    def __init__(self, database: Database, hashes: KeyedHashes) -> None:
        self._database = database
        self.hashes = hashes
        self.items: VideoCache[ListedVideo] = VideoCache(MAX_CACHED_ITEMS)
        self.similar: VideoCache[array[int]] = VideoCache(MAX_CACHED_SIMILAR)
        self._built: BuiltSortIndex | None = None
        self._reading = threading.Lock()
        self._following = threading.Lock()
        self._followed = -math.inf
        self._is_idle = threading.Event()
        self._is_idle.set()

    @property
    def is_ready(self) -> bool:
        """Whether they are in memory; until then the database answers."""
        return self._built is not None

    def build(self) -> None:
        """Read everything from the database, unless that was done."""
        if self._built is not None:
            return
        # One connection for all of it: those who wait for the orders may hold every other.
        with self._database.read() as connection:
            self._is_idle.clear()
            try:
                # First: what is read after it is at least as new.
                seq = newest_number(connection)
                built = build_orders(connection, seq)
                # Nobody follows meanwhile: whoever has seen a change and waits here finds it in
                # what is built.
                with self._following:
                    connection.rollback()  # what follows sees what has been written since
                    if self._catch_up(connection, built):
                        self._built = built
            finally:
                self._is_idle.set()

    def _current(self) -> BuiltSortIndex | None:
        """The orders, awaited for a while where they are being built; None: the database must
        answer.
        """
        if self._built is None:
            self._is_idle.wait(PATIENCE_S)
        return self._built

    def follow(self, connection: sa.Connection) -> None:
        """Take in what changed. Where the log cannot tell, everything is forgotten and to be built
        again.
        """
        with self._following:
            if self._built is not None and not self._catch_up(connection, self._built):
                self._built = None
        self.items.follow(connection)
        self._followed = monotonic()

    def doubt(self) -> None:
        """Until the log is followed again, nothing is answered without a look of its own."""
        self._followed = -math.inf

    def _catch_up(self, connection: sa.Connection, built: BuiltSortIndex) -> bool:
        while True:
            found = changes_after(connection, built.seq, AT_ONCE)
            if found is None:
                return False
            seq, ids = found
            if seq == built.seq:
                return True
            facts = {
                row.id: Fact(row[1], tuple(row[2 : 2 + len(SCORE_COLUMNS)]))
                for row in sort_facts.fact_rows(connection, ids)
            }
            for video_id in ids:
                with self._reading:
                    built.put(video_id, facts.get(video_id))
            built.seq = seq

    def in_category(
        self, connection: sa.Connection, category_id: int, order: SortOrder, request: PageRequest
    ) -> Stretch:
        """A page of a category's videos; category 0 is all but the excluded ones.

        Args:
            request: Where it has a place, the page begins after it instead of at its number.
        """
        built = self._current()
        if built is None:
            return _stretch(*listing.page_of_category(connection, category_id, order, request))
        with self._reading:
            return built.cut(category_id, order, request)

    def known_in_category(
        self, category_id: int, order: SortOrder, request: PageRequest
    ) -> tuple[Stretch, list[ListedVideo]] | None:
        """A page of a category with its videos, out of memory, waiting for nobody; None where the
        database must be asked.
        """
        built = self._built
        is_followed = monotonic() - self._followed <= FOLLOWED_WITHIN_S
        if built is None or not is_followed or not self._reading.acquire(blocking=False):
            return None
        try:
            found = built.cut(category_id, order, request)
        finally:
            self._reading.release()
        items = self.items.known(found.ids)
        return None if items is None else (found, items)

    def leading(
        self, connection: sa.Connection, category_id: int, order: SortOrder, limit: int
    ) -> list[int]:
        """The first videos of a category, in order. Nobody waits here: the database finds them at
        once, too.
        """
        built = self._built
        if built is None:
            found = listing.places_of_category(connection, category_id, order, limit)
            return [row.id for row in found]
        with self._reading:
            return list((built.lists.get((category_id, order)) or SortedBlocks()).page(0, limit))

    def facts_of(self, connection: sa.Connection, ids: Collection[int]) -> tuple[Array, Array]:
        """The listed ones among some videos, by number, and what orders depend on of each
        (`video_facts.FACTS`).
        """
        numbers = np.array(sorted(set(ids)), np.int64)
        built = self._built
        if built is None:
            rows = sorted(
                tuple(row[: 2 + len(SCORE_COLUMNS)])
                for row in sort_facts.fact_rows(connection, numbers.tolist())
            )
            return np.array([row[0] for row in rows], np.int64), np.array(
                [row[1:] for row in rows], FACTS
            )
        with self._reading:
            facts = built.facts.take(numbers)
        listed = np.flatnonzero(facts["category_id"])
        return numbers[listed], facts[listed]

    def count_of_artist(self, connection: sa.Connection, artist_id: int) -> int:
        """How many listed videos an artist has."""
        built = self._built
        if built is None:
            return listing.count_of_artist(connection, artist_id)
        ids = sort_facts.video_ids_of_artist(connection, artist_id)
        with self._reading:
            return int(np.count_nonzero(built.facts.take(ids)["category_id"]))

    def by_artist(
        self, connection: sa.Connection, artist_id: int, order: SortOrder, request: PageRequest
    ) -> Stretch:
        """A page of an artist's videos, sorted at each call: an artist has few beside the whole."""
        built = self._built
        if built is None:
            return _stretch(*listing.page_of_artist(connection, artist_id, order, request))
        ids = sort_facts.video_ids_of_artist(connection, artist_id)
        with self._reading:
            facts = built.facts.take(ids)
        listed = np.flatnonzero(facts["category_id"])
        scores, ids = facts[SORT_ORDERS[order].column][listed], ids[listed]
        ranks = np.lexsort((ids, scores))[::-1]
        scores, ids = scores[ranks], ids[ranks]
        offset = request.offset
        if request.after is not None:
            score, id_ = request.after
            offset = int(np.count_nonzero((scores > score) | ((scores == score) & (ids >= id_))))
        page = slice(offset, offset + request.per_page)
        found: list[int] = ids[page].tolist()
        end = Place(int(scores[page][-1]), found[-1]) if found else None
        return Stretch(found, len(ids), offset, end)


def _stretch(rows: Sequence[AnyRow], total: int, offset: int) -> Stretch:
    """A page as the database alone tells it."""
    end = Place(rows[-1].score, rows[-1].id) if rows else None
    return Stretch([row.id for row in rows], total, offset, end)
