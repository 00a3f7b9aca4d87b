"""Every list's order in memory: any page of any list costs as much as the first.

It is built from the database once and then follows the change log; each process has its own. Its
order is exactly that of `ORDER BY` (`listing.ordering`), ties included, as of the last change that
it followed.
"""

from __future__ import annotations

import math
import threading
from array import array
from collections.abc import Collection, Sequence
from time import monotonic

import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue.artist_entries import ArtistEntries
from liuying.core.catalogue.built_sort_index import (
    BuiltSortIndex,
    Stretch,
    build_orders,
)
from liuying.core.catalogue.catalogue_cache import CatalogueCache
from liuying.core.catalogue.label_entries import LabelEntries
from liuying.core.catalogue.name_counts import NameCounts
from liuying.core.catalogue.queries import change_log, listing, sort_facts
from liuying.core.catalogue.queries.change_log import VideoLog
from liuying.core.catalogue.schemas import ListedVideo
from liuying.core.catalogue.sort_orders import SORT_ORDERS, SortOrder
from liuying.core.catalogue.sorted_blocks import SortedBlocks
from liuying.core.catalogue.video_cache import VideoCache
from liuying.core.catalogue.video_facts import FACTS, Array, Fact
from liuying.kit.database import AnyRow, Database
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.paging import PageRequest, Place

# Changes followed at once; in between, answering threads have their turn.
AT_ONCE = 100
# Of each list, when the foremost videos of all are collected.
STEP = 24
# Seconds for which a page waits while the orders are built. At a million videos the database takes
# as long for one page, and would take CPU from the build.
PATIENCE_S = 10.0
# Changes are followed all the time. After failing for so many seconds (a failover of the database
# takes less), lists ask the database.
FOLLOWED_WITHIN_S = 60.0
# About 40 MB, and 15 MB.
MAX_CACHED_ITEMS = 50_000
MAX_CACHED_SIMILAR = 6_000
# How often a video was watched weighs little beside what it is like, and changes all the time.
SIMILAR_LIFETIME_S = 600.0


class SortIndex:
    """The orders of one process.

    Args:
        database: The source of the orders.
        hashes: Sign the share ids of locked videos' tiles.

    Attributes:
        items: Cached list items of recently shown videos.
        similar: Cached similar videos, most similar first.
        name_counts: Numbers of listed videos of artists and labels.
        artists: The list of artists.
        labels: The list of labels.
    """

    def __init__(self, database: Database, hashes: KeyedHashes) -> None:
        self._database = database
        self.hashes = hashes
        self.items: VideoCache[ListedVideo] = VideoCache(MAX_CACHED_ITEMS)
        self.similar: CatalogueCache[array[int]] = CatalogueCache(
            MAX_CACHED_SIMILAR, SIMILAR_LIFETIME_S
        )
        self.name_counts = NameCounts()
        self.artists = ArtistEntries(self.name_counts)
        self.labels = LabelEntries(self.name_counts)
        self._built: BuiltSortIndex | None = None
        self._reading = threading.Lock()
        self._following = threading.Lock()
        self._followed = -math.inf
        self._is_idle = threading.Event()
        self._is_idle.set()

    @property
    def is_ready(self) -> bool:
        """Whether the orders are in memory; until then the database answers."""
        return self._built is not None

    def build(self) -> None:
        """Build everything from the database unless that has been done."""
        if self._built is not None:
            return
        # One connection for all of it: those who wait for the orders may hold every other one.
        with self._database.read() as connection:
            self._is_idle.clear()
            try:
                # First: what is read afterwards is at least as new.
                seq = change_log.newest_number(connection)
                built = build_orders(connection, seq)
                # Nobody follows meanwhile: whoever has seen a change and waits here finds it in the
                # result.
                with self._following:
                    connection.rollback()  # Following starts with what was written since.
                    if self._catch_up(connection, built, change_log):
                        self._built = built
            finally:
                self._is_idle.set()

    def _current(self) -> BuiltSortIndex | None:
        """The orders, after a short wait if they are being built; None if the database must
        answer.
        """
        if self._built is None:
            self._is_idle.wait(PATIENCE_S)
        return self._built

    def follow(self, connection: sa.Connection, log: VideoLog = change_log) -> None:
        """Apply the changes since the last call. Where the log cannot tell, everything is
        dropped and rebuilt.
        """
        with self._following:
            if self._built is not None and not self._catch_up(connection, self._built, log):
                self._built = None
        self.items.follow(connection, log)
        self._followed = monotonic()

    def confirm(self, of_catalogue: int, of_videos: int) -> bool:
        """Whether everything is as of these newest changes, which were just read; then it counts as
        followed.
        """
        built = self._built
        if built is not None and built.seq != of_videos:
            return False
        if not self.items.is_as_of(of_catalogue, of_videos):
            return False
        self._followed = monotonic()
        return True

    def is_as_of(self, of_videos: int) -> bool:
        """Whether what is answered contains this change of a video."""
        built = self._built
        return built is None or built.seq >= of_videos

    def doubt(self) -> None:
        """Answer nothing without a look of its own until the log is followed again."""
        self._followed = -math.inf

    def forget(self) -> None:
        """Drop everything, to be built again: the log may be another one with the same numbers."""
        with self._following:
            self._built = None
        self.items.forget()
        self.similar.forget()
        self.name_counts.forget()
        self.artists.forget()
        self.labels.forget()

    def _catch_up(self, connection: sa.Connection, built: BuiltSortIndex, log: VideoLog) -> bool:
        while True:
            found = log.changes_after(connection, built.seq, AT_ONCE)
            if found is None:
                return False
            if found.seq == built.seq:
                return True
            ids = found.video_ids
            facts = {
                video_id: Fact(category_id, tuple(scores))
                for video_id, category_id, *scores in sort_facts.fact_rows(connection, ids)
            }
            for video_id in ids:
                with self._reading:
                    built.put(video_id, facts.get(video_id))
            built.seq = found.seq
            if found.is_rest:
                return True

    def in_category(
        self, connection: sa.Connection, category_id: int, order: SortOrder, request: PageRequest
    ) -> Stretch:
        """One page of a category's videos; category 0 means all but the excluded ones.

        Args:
            request: With a place, the page begins after it instead of at its number.
        """
        built = self._current()
        if built is None:
            return _stretch(*listing.page_of_category(connection, category_id, order, request))
        with self._reading:
            return built.cut(category_id, order, request)

    def known_in_category(
        self, category_id: int, order: SortOrder, request: PageRequest
    ) -> tuple[Stretch, list[ListedVideo]] | None:
        """One page of a category with its videos, from memory and without waiting; None if the
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
        """The first videos of a category, in order. It never waits, since the database finds
        them quickly too.
        """
        built = self._built
        if built is None:
            found = listing.places_of_category(connection, category_id, order, limit)
            return [row.id for row in found]
        with self._reading:
            return list((built.lists.get((category_id, order)) or SortedBlocks()).page(0, limit))

    def foremost(self, limit: int) -> list[int]:
        """So many videos, those that stand in front of any list first; none until the orders are in
        memory.
        """
        built = self._built
        if built is None:
            return []
        found: dict[int, None] = {}
        offset, is_over = 0, False
        while not is_over and len(found) < limit:
            is_over = True
            with self._reading:
                for blocks in built.lists.values():
                    ids = blocks.page(offset, STEP)
                    found.update(dict.fromkeys(ids))
                    is_over = is_over and not ids
            offset += STEP
        return list(found)[:limit]

    def facts_of(self, connection: sa.Connection, ids: Collection[int]) -> tuple[Array, Array]:
        """The listed ones among some videos, by id, with the facts that orders depend on
        (`video_facts.FACTS`).
        """
        numbers = np.array(sorted(set(ids)), np.int64)
        built = self._built
        if built is None:
            rows = sorted(sort_facts.fact_rows(connection, numbers.tolist()))
            return np.array([row[0] for row in rows], np.int64), np.array(
                [row[1:] for row in rows], FACTS
            )
        with self._reading:
            facts = built.facts.take(numbers)
        listed = np.flatnonzero(facts["category_id"])
        return numbers[listed], facts[listed]

    def by_artist(
        self, connection: sa.Connection, artist_id: int, order: SortOrder, request: PageRequest
    ) -> Stretch:
        """One page of an artist's videos, sorted at each call: an artist has few of all videos."""
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
    """A page, from the database alone."""
    end = Place(rows[-1].score, rows[-1].id) if rows else None
    return Stretch([row.id for row in rows], total, offset, end)
