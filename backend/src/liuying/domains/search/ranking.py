"""The order of what a query finds, of which only the page that is asked for is sorted."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from liuying.domains.search.postings import Array

# Where the query's phrase or its words were found, the best first.
EXACT, BEGINS, IN_TITLE, WORDS_IN_TITLE, ELSEWHERE = range(5)
TIERS = 5
# Ranks are numbers of 16 bits where they can be: quickly counted and compared.
SMALL = 1 << 16


class Ranking(msgspec.Struct, frozen=True, eq=False):
    """Videos and their ranks.

    Attributes:
        ids: In no order.
        ranks: From 0, the best; among equal ones the greater id comes first.
        counts: How many videos have a rank or a better one, for each rank.
    """

    ids: Array
    ranks: Array
    counts: Array

    def __len__(self) -> int:
        return len(self.ids)

    def page(self, offset: int, limit: int) -> list[int]:
        """The ids of a stretch of the order."""
        last = min(offset + limit, len(self.ids)) - 1
        if offset > last:
            return []
        lowest, highest = np.searchsorted(self.counts, [offset, last], side="right").tolist()
        chosen = np.flatnonzero((self.ranks >= lowest) & (self.ranks <= highest))
        ids = self.ids[chosen]
        order = np.lexsort((-ids, self.ranks[chosen]))
        skipped = offset - (int(self.counts[lowest - 1]) if lowest else 0)
        page: list[int] = ids[order[skipped : skipped + limit]].tolist()
        return page


def ranked(ids: Array, scores: Array, tiers: Array) -> Ranking:
    """Rank videos by tier, then by score."""
    if not len(ids):
        return in_order(())
    best = int(scores.max())
    span = best - int(scores.min()) + 1
    if span * TIERS <= SMALL:
        ranks = (best - scores).astype(np.uint16) + tiers.astype(np.uint16) * np.uint16(span)
    else:
        ranks = np.unique(tiers.astype(np.int64) * span + (best - scores.astype(np.int64)), return_inverse=True)[1]
    return Ranking(ids, ranks, np.cumsum(np.bincount(ranks)))


def in_order(ids: Sequence[int]) -> Ranking:
    """Videos that are in order already."""
    ranks = np.arange(len(ids), dtype=np.int32)
    return Ranking(np.array(ids, np.int32), ranks, ranks + 1)
