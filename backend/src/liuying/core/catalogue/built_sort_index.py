"""Every list's order as of one change, and how all of them are built from the database."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import msgspec
import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue.queries import sort_facts
from liuying.core.catalogue.rules import ALL_CATEGORIES, EXCLUDED_CATEGORIES
from liuying.core.catalogue.sort_orders import SCORE_PLACES, SORT_ORDERS, SortOrder
from liuying.core.catalogue.sorted_blocks import SortedBlocks
from liuying.core.catalogue.video_facts import FACTS, Array, Fact, VideoFacts
from liuying.kit.paging import PageRequest, Place


class Stretch(msgspec.Struct, frozen=True):
    """A contiguous part of a list.

    Attributes:
        ids: Its videos, in order.
        total: Number of videos in the whole list.
        offset: Number of videos before it.
        end: The place of its last video; None if it is empty.
    """

    ids: Sequence[int]
    total: int
    offset: int
    end: Place | None


class BuiltSortIndex(msgspec.Struct):
    """The orders as of a change."""

    seq: int
    facts: VideoFacts
    lists: dict[tuple[int, SortOrder], SortedBlocks]

    def put(self, video_id: int, fact: Fact | None) -> None:
        """Move a video to its current place; None removes it from all lists."""
        before = self.facts.get(video_id)
        if before == fact:
            return
        for order in SORT_ORDERS:
            old, new = _standing(before, order), _standing(fact, order)
            for key in old.keys() - new.keys():
                self.lists[key].remove(old[key], video_id)
            for key, score in new.items():
                blocks = self.lists.setdefault(key, SortedBlocks())
                if old.get(key, score) != score:
                    blocks.remove(old[key], video_id)
                if old.get(key) != score:
                    blocks.add(score, video_id)
        self.facts.set(video_id, fact)

    def cut(self, category_id: int, order: SortOrder, request: PageRequest) -> Stretch:
        """One page of a category's list."""
        blocks = self.lists.get((category_id, order)) or SortedBlocks()
        offset = request.offset if request.after is None else blocks.passed(*request.after)
        ids = blocks.page(offset, request.per_page)
        end = _place(self.facts.get(ids[-1]), ids[-1], order) if ids else None
        return Stretch(ids, len(blocks), offset, end)


def build_orders(connection: sa.Connection, seq: int) -> BuiltSortIndex:
    """Build all orders; `seq` is the newest change that they certainly contain."""
    none = np.zeros((len(sort_facts.FACT_ROW), 0), np.int64)
    ids, *columns = np.concatenate([none, *sort_facts.all_facts(connection)], axis=1)
    facts = np.zeros(len(ids), FACTS)
    for name, column in zip(FACTS.names or (), columns, strict=True):
        facts[name] = column
    built = BuiltSortIndex(seq, VideoFacts(), {})
    built.facts.fill(ids, facts)
    known, places, counts = np.unique(facts["category_id"], return_inverse=True, return_counts=True)
    shown = ~np.isin(facts["category_id"], list(EXCLUDED_CATEGORIES))
    for order in SORT_ORDERS:
        scores = facts[SORT_ORDERS[order].column]
        ranks = np.argsort(scores, kind="stable")  # Ids are ascending already.
        listed = ranks[shown[ranks]]
        built.lists[ALL_CATEGORIES, order] = _blocks(scores[listed], ids[listed])
        by_category = ranks[np.argsort(places[ranks], kind="stable")]
        for category_id, count, end in zip(known.tolist(), counts, np.cumsum(counts), strict=True):
            mine = by_category[end - count : end]
            built.lists[category_id, order] = _blocks(scores[mine], ids[mine])
    return built


def _blocks(scores: Array, ids: Array) -> SortedBlocks:
    return SortedBlocks(array("q", scores.tobytes()), array("i", ids.astype(np.int32).tobytes()))


def _standing(fact: Fact | None, order: SortOrder) -> dict[tuple[int, SortOrder], int]:
    """The lists that contain a video, with its score in each."""
    if fact is None:
        return {}
    score = _score(fact, order)
    own = {(fact.category_id, order): score}
    return (
        own if fact.category_id in EXCLUDED_CATEGORIES else {(ALL_CATEGORIES, order): score, **own}
    )


def _place(fact: Fact | None, video_id: int, order: SortOrder) -> Place | None:
    return None if fact is None else Place(_score(fact, order), video_id)


def _score(fact: Fact, order: SortOrder) -> int:
    return fact.scores[SCORE_PLACES[order]]
