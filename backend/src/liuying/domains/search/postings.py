"""Where characters and pairs of neighbours stand in texts that lie one behind another, each in blocks of its own."""

from __future__ import annotations

from collections.abc import Iterator
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
# Units that are sorted at once: what is needed for it beside the postings stays small.
SORTED_AT_ONCE = 4_000_000


class Postings(msgspec.Struct, frozen=True, eq=False):
    """Places by what stands there.

    Attributes:
        codes: What there is; they rise.
        bounds: Where the marks of each code begin, and where the last ones end.
        marks: For each code its places in the order of the texts; the lowest bit says whether it lies in a title.
    """

    codes: Array
    bounds: Array
    marks: Array

    def counts_of(self, codes: Array) -> tuple[Array, Array]:
        """Where the places of some codes begin, and how many they are."""
        if not len(self.codes):
            return np.zeros(len(codes), np.int64), np.zeros(len(codes), np.int64)
        near = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        starts = self.bounds[near]
        return starts, np.where(self.codes[near] == codes, self.bounds[near + 1] - starts, 0)


def code_of_pairs(left: Array, right: Array) -> Array:
    """The codes of pairs of units."""
    codes: Array = (left.astype(np.uint32) << np.uint32(16)) | right
    return codes


def postings_of_units(units: Array, slots: Array, title_ends: Array) -> Postings:
    """Where each unit stands, but for blanks.

    Args:
        units: Texts in blocks, the first of which belongs to none.
        slots: The text of each block.
        title_ends: Where the title of each text ends.
    """
    counts = np.zeros(UNITS, np.int64)
    for first in range(0, len(units), SORTED_AT_ONCE):
        counts += np.bincount(units[first : first + SORTED_AT_ONCE], minlength=UNITS)
    counts[: BLANK + 1] = 0
    ends = np.cumsum(counts)
    marks = np.empty(int(ends[-1]), np.int32)
    free = ends - counts
    for places, found in _sorted_places(units):
        begins = np.searchsorted(found, np.arange(UNITS))
        in_title = places < title_ends[slots[places >> BLOCK_BITS]]
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
    codes, sizes, marks = [], [], _Filled(len(singles.marks))
    for code, start, end in zip(singles.codes, singles.bounds[:-1].tolist(), singles.bounds[1:].tolist(), strict=True):
        mine = singles.marks[start:end]
        following = units[(mine >> 1) + 1]
        there = np.flatnonzero(following >= BLANK)
        order = there[np.argsort(following[there], kind="stable")]
        found, counts = _runs(following[order])
        codes.append(code_of_pairs(code, found))
        sizes.append(counts)
        marks.add(mine[order])
    bounds = np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes]))
    return Postings(np.concatenate([np.zeros(0, np.uint32), *codes]), bounds, marks.all)


def texts_of_units(places: Postings, slots: Array, starts: Array) -> Postings:
    """The texts that hold each unit, once each, instead of its places.

    Returns:
        Marks that say the text, in the last bit but one whether it begins with the unit, in the last whether its title
        holds it. A text begins with its title, so its first place tells.
    """
    sizes, marks = [], _Filled(len(places.marks))
    for start, end in zip(places.bounds[:-1].tolist(), places.bounds[1:].tolist(), strict=True):
        mine = places.marks[start:end]
        held = slots.take(mine >> (BLOCK_BITS + 1))
        first = np.flatnonzero(np.diff(held, prepend=-1))
        mine, held = mine.take(first), held.take(first)
        begins = mine >> 1 == starts.take(held)
        marks.add(held << 2 | begins << 1 | mine & 1)
        sizes.append(len(first))
    return Postings(places.codes, np.cumsum([0, *sizes]), marks.all)


class _Filled:
    """An array that is filled part by part. Thousands of small ones would leave holes in the memory.

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
