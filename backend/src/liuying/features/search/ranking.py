"""The order of a query's results, of which only the requested page is sorted."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from liuying.features.search.postings import Array

# Where the phrase or the words were found, best first.
EXACT, BEGINS, IN_TITLE, WORDS_IN_TITLE, ELSEWHERE = range(5)
TIERS = 5
# Number of bits of a tier.
TIER_BITS = 3
TIER_MASK = (1 << TIER_BITS) - 1
# Ranks have 16 bits where possible: quick to count and compare.
SMALL = 1 << 16


class Ranking(msgspec.Struct, frozen=True, eq=False):
    """Videos and their ranks.

    Attributes:
        slots: Unordered.
        ranks: From 0, the best; among equal ranks the greater id comes first.
        counts: For each rank, the number of videos with it or a better one.
        ids: The video of each slot, found or not.
    """

    slots: Array
    ranks: Array
    counts: Array
    ids: Array

    def __len__(self) -> int:
        return len(self.slots)

    @property
    def held_bytes(self) -> int:
        """Its memory, without the ids of slots, which rankings share."""
        return sum(part.nbytes for part in (self.slots, self.ranks, self.counts))

    def page(self, offset: int, limit: int) -> list[int]:
        """The ids of a part of the order."""
        last = min(offset + limit, len(self.slots)) - 1
        if offset > last:
            return []
        lowest, highest = self.counts.searchsorted([offset, last], side="right").tolist()
        is_chosen = self.ranks <= highest
        if lowest:
            is_chosen &= self.ranks >= lowest
        chosen = np.flatnonzero(is_chosen)
        ids = self.ids.take(self.slots.take(chosen))
        order = np.lexsort((-ids, self.ranks.take(chosen)))
        skipped = offset - (int(self.counts[lowest - 1]) if lowest else 0)
        page: list[int] = ids[order[skipped : skipped + limit]].tolist()
        return page


class Extended(msgspec.Struct, frozen=True, eq=False):
    """An order that further videos follow.

    Attributes:
        first: The order.
        rest: Ids of the others, none of which it holds.
    """

    first: Ranking
    rest: Array

    def __len__(self) -> int:
        return len(self.first) + len(self.rest)

    @property
    def held_bytes(self) -> int:
        return self.first.held_bytes + self.rest.nbytes

    def page(self, offset: int, limit: int) -> list[int]:
        """The ids of a part of the order."""
        page = self.first.page(offset, limit)
        begin = max(0, offset - len(self.first))
        more: list[int] = self.rest[begin : begin + limit - len(page)].tolist()
        return page + more if len(page) < limit else page


def extended(first: Ranking, others: Sequence[int]) -> Ranking | Extended:
    """An order, followed by those of some videos that it does not hold."""
    if not len(others):
        return first
    rest = np.array(others, np.int32)
    return Extended(first, rest[~np.isin(rest, first.ids.take(first.slots))])


def ranked(slots: Array, scores: Array, tiers: Array, ids: Array) -> Ranking:
    """Rank videos by tier, then by score.

    Args:
        slots: The matches.
        scores: Of each of them.
        tiers: Of each of them.
        ids: The video of every slot.
    """
    if not len(slots):
        return in_order(())
    best = int(scores.max())
    span = best - int(scores.min()) + 1
    if span * TIERS <= SMALL:
        ranks = tiers.astype(np.uint16)
        ranks *= np.uint16(span)
        ranks += (best - scores).astype(np.uint16)
    else:
        ranks = np.unique(
            tiers.astype(np.int64) * span + (best - scores.astype(np.int64)), return_inverse=True
        )[1]
    return Ranking(slots, ranks, np.bincount(ranks).cumsum(dtype=np.int32), ids)


def in_order(ids: Sequence[int]) -> Ranking:
    """Videos that are already ordered."""
    ranks = np.arange(len(ids), dtype=np.int32)
    return Ranking(ranks, ranks, ranks + 1, np.array(ids, np.int32))
