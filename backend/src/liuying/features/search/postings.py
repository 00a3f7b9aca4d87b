"""Where units and pairs of units occur in texts that are stored one after another, each in
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
# No character is smaller: blanks and separators between texts are not searched for.
BLANK = 0x20
UNITS = 1 << 16
# The code of a pair: its first unit, then its second.
PAIR_BITS = 16
# The bits of the second one.
SECOND = np.uint32(UNITS - 1)
# Units sorted at once, which bounds the memory needed beside the postings.
SORTED_AT_ONCE = 1_000_000


class Blocks(msgspec.Struct, frozen=True, eq=False):
    """Texts one after another, each at the start of a block. A slot is a text's index.

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
    """Places by code.

    Attributes:
        codes: All codes, ascending.
        bounds: Where the marks of each code begin, and where the last ones end.
        marks: The places of each code in the order of the texts; the lowest bit tells whether it is
            in a title.
    """

    codes: Array
    bounds: Array
    marks: Array

    def of_rarest(self, codes: Sequence[int]) -> tuple[Array, int]:
        """The marks of the rarest of some codes (at least one), and which one that is."""
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
    """The places of each unit, without blanks."""
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
    """Places by unit, and these units, one stretch of the texts at a time."""
    for first in range(0, len(units), SORTED_AT_ONCE):
        stretch = units[first : first + SORTED_AT_ONCE]
        there = np.flatnonzero(stretch > BLANK)
        order = there[np.argsort(stretch[there], kind="stable")]
        yield order + first, stretch[order]


def postings_of_pairs(units: Array, singles: Postings) -> Postings:
    """The places of each pair of neighbours; the second may be a blank."""
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
    return Postings(np.concatenate([np.zeros(0, np.uint32), *codes]), bounds, marks.take())


class Filled:
    """An array that is filled part by part. Thousands of small arrays would fragment the memory.

    Args:
        most: Its capacity.
    """

    def __init__(self, most: int) -> None:
        self._numbers = np.empty(most, np.int32)
        self._count = 0

    def add(self, numbers: Array) -> None:
        """Append numbers."""
        self._numbers[self._count : self._count + len(numbers)] = numbers
        self._count += len(numbers)

    def take(self) -> Array:
        """Everything added so far, without the rest of the capacity; nothing is left.

        The array is shortened where it is: a copy would take as much memory again for a moment.
        """
        taken, self._numbers = self._numbers, np.empty(0, np.int32)
        taken.resize(self._count, refcheck=False)
        return taken


def _runs(numbers: Array) -> tuple[Array, Array]:
    """Distinct ascending numbers, and how often each occurs."""
    begins = np.flatnonzero(np.diff(numbers, prepend=-1))
    return numbers[begins], np.diff(begins, append=len(numbers))


def codes_beginning(codes: Array, units: Array) -> Array:
    """Indexes of the codes of pairs whose first unit is one of some, ascending.

    Args:
        codes: Two units each (`PAIR_BITS`), ascending.
        units: Ascending.
    """
    firsts = units.astype(np.uint32) << np.uint32(PAIR_BITS)
    begins = codes.searchsorted(firsts)
    return ranges(begins, codes.searchsorted(firsts | SECOND, side="right") - begins)


def ranges(starts: Array, sizes: Array) -> Array:
    """For each start, as many consecutive numbers as its size says, one run after another."""
    numbers: Array = np.arange(int(sizes.sum())) + np.repeat(starts - starts_of_sizes(sizes), sizes)
    return numbers


def starts_of_sizes(sizes: Array) -> Array:
    """Where things of these sizes begin, one after another."""
    starts: Array = np.cumsum(sizes) - sizes
    return starts
