"""A sorted sequence of which any page costs the same: sorted blocks with prefix counts.

A plain sorted list searches as fast, but every change moves half of a million entries. Here it
moves one block.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from itertools import accumulate

# Initial entries per block; a block is split at twice and joined below a quarter of it.
BLOCK = 2048


class SortedBlocks:
    """Unique pairs of score and id; pages run in descending order.

    Args:
        scores: Ascending, 64 bits each.
        ids: Of the same pairs, ascending among equal scores, 32 bits each.
    """

    def __init__(self, scores: array[int] | None = None, ids: array[int] | None = None) -> None:
        scores, ids = scores or array("q"), ids or array("i")
        starts = range(0, len(ids), BLOCK)
        self._scores = [scores[start : start + BLOCK] for start in starts]
        self._ids = [ids[start : start + BLOCK] for start in starts]
        # The first pair of each block, for finding the block of a pair.
        self._firsts = [
            (block[0], own[0]) for block, own in zip(self._scores, self._ids, strict=True)
        ]
        self._count = len(ids)
        # Number of entries before each block, and the total; None after a change until somebody
        # asks.
        self._before: list[int] | None = None

    def __len__(self) -> int:
        return self._count

    def add(self, score: int, id_: int) -> None:
        """Add a pair that is not present."""
        self._count += 1
        self._before = None
        if not self._ids:
            self._insert(0, array("q", (score,)), array("i", (id_,)))
            return
        number = self._block_of(score, id_)
        scores, ids = self._scores[number], self._ids[number]
        place = _place(scores, ids, score, id_)
        scores.insert(place, score)
        ids.insert(place, id_)
        if place == 0:
            self._firsts[number] = (score, id_)
        if len(ids) >= 2 * BLOCK:
            self._insert(number + 1, scores[BLOCK:], ids[BLOCK:])
            del scores[BLOCK:], ids[BLOCK:]

    def remove(self, score: int, id_: int) -> None:
        """Remove a pair.

        Raises:
            KeyError: It is not present.
        """
        if not self._ids:
            raise KeyError((score, id_))
        number = self._block_of(score, id_)
        scores, ids = self._scores[number], self._ids[number]
        place = _place(scores, ids, score, id_)
        if place == len(ids) or (scores[place], ids[place]) != (score, id_):
            raise KeyError((score, id_))
        self._count -= 1
        self._before = None
        del scores[place], ids[place]
        if place == 0 and ids:
            self._firsts[number] = (scores[0], ids[0])
        if len(ids) < BLOCK // 4:
            self._shrink(number)

    def page(self, offset: int, limit: int) -> list[int]:
        """Ids in descending order after skipping `offset` of them."""
        end = self._count - offset
        start = max(0, end - limit)
        found: list[int] = []
        if end <= start:
            return found
        before = self._counts()
        number = bisect_right(before, start) - 1
        while start < end:
            ids = self._ids[number]
            part = ids[start - before[number] : end - before[number]]
            found.extend(part)
            start += len(part)
            number += 1
        found.reverse()
        return found

    def passed(self, score: int, id_: int) -> int:
        """Number of pairs greater than or equal to this one, which need not be present."""
        if not self._ids:
            return 0
        number = self._block_of(score, id_)
        place = _place(self._scores[number], self._ids[number], score, id_)
        return self._count - self._counts()[number] - place

    def _counts(self) -> list[int]:
        if self._before is None:
            self._before = list(accumulate(map(len, self._ids), initial=0))
        return self._before

    def _block_of(self, score: int, id_: int) -> int:
        return max(0, bisect_right(self._firsts, (score, id_)) - 1)

    def _insert(self, number: int, scores: array[int], ids: array[int]) -> None:
        self._scores.insert(number, scores)
        self._ids.insert(number, ids)
        self._firsts.insert(number, (scores[0], ids[0]))

    def _shrink(self, number: int) -> None:
        """Join a small block with a neighbour, so that small blocks stay few; an empty one is
        removed.
        """
        if not self._ids[number]:
            del self._scores[number], self._ids[number], self._firsts[number]
            return
        left = number - 1 if number else 0
        if left + 1 < len(self._ids) and len(self._ids[left]) + len(self._ids[left + 1]) <= BLOCK:
            self._scores[left].extend(self._scores.pop(left + 1))
            self._ids[left].extend(self._ids.pop(left + 1))
            del self._firsts[left + 1]


def _place(scores: array[int], ids: array[int], score: int, id_: int) -> int:
    """The index of a pair in a block, or where it would be inserted."""
    start = bisect_left(scores, score)
    if start == len(scores) or scores[start] != score:
        return start
    return bisect_left(ids, id_, start, bisect_right(scores, score, start))
