"""Where characters and pairs of neighbours stand in texts that lie one behind another, each in
blocks of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

BLOCK_BITS = 4
BLOCK = 1 << BLOCK_BITS
# No sign is less: blanks and what stands between texts are not looked for.
BLANK = 0x20
UNITS = 1 << 16
# The code of a pair is its first unit before its second.
PAIR_BITS = 16
# Units that are sorted at once: what is needed for it beside the postings stays small.
SORTED_AT_ONCE = 4_000_000


class Blocks(msgspec.Struct, frozen=True, eq=False):
    """Texts one behind another, each at the beginning of a block. A slot is a text's place among
    them.

    Attributes:
        units: All texts; the first block belongs to none.
        slots: The slot of each block.
        starts: Where each text begins, and where the last one ends.
        title_ends: Where each title ends; every text begins with its title.
    """

    units: Array
    slots: Array
    starts: Array
    title_ends: Array


class Postings(msgspec.Struct, frozen=True, eq=False):
    """Places by what stands there.

    Attributes:
        codes: What there is; they rise.
        bounds: Where the marks of each code begin, and where the last ones end.
        marks: For each code its places in the order of the texts; the lowest bit says whether it
            lies in a title.
    """

    codes: Array
    bounds: Array
    marks: Array

    def of_rarest(self, codes: Sequence[int]) -> tuple[Array, int]:
        """The marks of the rarest of some codes, one at least, and which of them it is."""
        spans = [self._span(code) for code in codes]
        sizes = [end - start for start, end in spans]
        rarest = sizes.index(min(sizes))
        start, end = spans[rarest]
        return self.marks[start:end], rarest

    def _span(self, code: int) -> tuple[int, int]:
        near = int(self.codes.searchsorted(np.uint32(code)))
        if near == len(self.codes) or self.codes[near] != code:
            return 0, 0
        return int(self.bounds[near]), int(self.bounds[near + 1])


def postings_of_units(blocks: Blocks) -> Postings:
    """Where each unit stands, but for blanks."""
    units = blocks.units
    counts = np.zeros(UNITS, np.int64)
    for first in range(0, len(units), SORTED_AT_ONCE):
        counts += np.bincount(units[first : first + SORTED_AT_ONCE], minlength=UNITS)
    counts[: BLANK + 1] = 0
    ends = np.cumsum(counts)
    marks = np.empty(int(ends[-1]), np.int32)
    free = ends - counts
    for places, found in _sorted_places(units):
        begins = np.searchsorted(found, np.arange(UNITS))
        in_title = places < blocks.title_ends[blocks.slots[places >> BLOCK_BITS]]
        marks[np.arange(len(found)) + (free - begins)[found]] = places << 1 | in_title
        free += np.bincount(found, minlength=UNITS)
    codes = np.flatnonzero(counts)
    return Postings(codes.astype(np.uint32), np.concatenate([[0], ends[codes]]), marks)


def _sorted_places(units: Array) -> Iterator[tuple[Array, Array]]:
    """Places by unit, and these units, a stretch of the texts at a time."""
    for first in range(0, len(units), SORTED_AT_ONCE):
        stretch = units[first : first + SORTED_AT_ONCE]
        there = np.flatnonzero(stretch > BLANK)
        order = there[np.argsort(stretch[there], kind="stable")]
        yield order + first, stretch[order]


def postings_of_pairs(units: Array, singles: Postings) -> Postings:
    """Where each pair of neighbours stands, by its first place; the second may be a blank."""
    codes, sizes, marks = [], [], Filled(len(singles.marks))
    for code, start, end in zip(
        singles.codes, singles.bounds[:-1].tolist(), singles.bounds[1:].tolist(), strict=True
    ):
        mine = singles.marks[start:end]
        following = units[(mine >> 1) + 1]
        there = np.flatnonzero(following >= BLANK)
        order = there[np.argsort(following[there], kind="stable")]
        found, counts = _runs(following[order])
        codes.append(np.uint32(int(code) << PAIR_BITS) | found)
        sizes.append(counts)
        marks.add(mine[order])
    bounds = np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes]))
    return Postings(np.concatenate([np.zeros(0, np.uint32), *codes]), bounds, marks.all)


class Filled:
    """An array that is filled part by part. Thousands of small ones would leave holes in the
    memory.

    Args:
        most: How many numbers there may be.
    """

    def __init__(self, most: int) -> None:
        self._numbers = np.empty(most, np.int32)
        self._count = 0

    def add(self, numbers: Array) -> None:
        """Put numbers behind those that are there."""
        self._numbers[self._count : self._count + len(numbers)] = numbers
        self._count += len(numbers)

    @property
    def all(self) -> Array:
        """What was added."""
        return self._numbers[: self._count].copy()


def _runs(numbers: Array) -> tuple[Array, Array]:
    """Rising numbers, each once, and how often each comes."""
    begins = np.flatnonzero(np.diff(numbers, prepend=-1))
    return numbers[begins], np.diff(begins, append=len(numbers))
