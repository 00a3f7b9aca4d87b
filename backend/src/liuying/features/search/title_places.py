"""Where the titles of texts in memory begin."""

from __future__ import annotations

from functools import cache

import msgspec
import numpy as np

from liuying.features.search.postings import (
    PAIR_BITS,
    SECOND,
    UNITS,
    Array,
    Blocks,
    codes_beginning,
    ranges,
)

# Between a title and a text that does not begin with it.
SEPARATOR = "\t"
# The first UTF-16 units of the ideographic planes, U+20000 to U+3FFFF.
RARE_HAN = range(0xD840, 0xD8C0)


class TitlePlaces(msgspec.Struct, frozen=True, eq=False):
    """Where the titles of a segment begin.

    Attributes:
        places: Of the first letter or digit of each slot's title, or of its end.
        slots: All slots, by the unit there, then by the next one.
        codes: Both units of all of them (`PAIR_BITS`), each pair once, ascending.
        bounds: Where the slots of each code begin in `slots`, and where the last ones end.
    """

    places: Array
    slots: Array
    codes: Array
    bounds: Array

    def codes_of(self, units: Array) -> Array:
        """Indexes of the codes that begin with one of some units, ascending."""
        return codes_beginning(self.codes, units)

    def second_units(self, chosen: Array) -> Array:
        """The second unit of each of some codes, which are given by index."""
        seconds: Array = self.codes.take(chosen) & SECOND
        return seconds

    def slots_of(self, chosen: Array) -> tuple[Array, Array]:
        """The slots of some codes, which are given by index, one code after another, and how many
        each has.
        """
        begins = self.bounds.take(chosen)
        sizes = self.bounds.take(chosen + 1) - begins
        return self.slots.take(ranges(begins, sizes)), sizes


@cache
def _letters_and_digits() -> Array:
    """Whether each unit is a letter or digit, or the first half of a rare Han character; shape
    (`UNITS`,). Of other characters of two units none is left in a folded text that is either.
    """
    return np.array([unit in RARE_HAN or chr(unit).isalnum() for unit in range(UNITS)])


def title_places(blocks: Blocks) -> TitlePlaces:
    """Find where titles begin."""
    is_first = _letters_and_digits()
    ends = blocks.title_ends
    # Where numbers were written as digits, the title as it was follows the one that is ranked by.
    is_apart = blocks.units.take(ends) == ord(SEPARATOR)
    places = np.where(is_apart, ends + 1, blocks.starts[:-1])
    stops = np.where(is_apart, blocks.starts[1:], ends)
    rest = np.flatnonzero(places < stops)
    while len(rest := rest[~is_first[blocks.units[places[rest]]]]):
        places[rest] += 1
        rest = rest[places[rest] < stops[rest]]
    codes = blocks.units.take(places, mode="clip").astype(np.uint32) << np.uint32(PAIR_BITS)
    codes |= blocks.units.take(places + 1, mode="clip")
    slots = np.argsort(codes, kind="stable").astype(np.int32)
    codes = codes.take(slots)
    begins = np.append(0, np.flatnonzero(codes[1:] != codes[:-1]) + 1)
    return TitlePlaces(
        places.astype(np.int32),
        slots,
        codes.take(begins),
        np.append(begins, len(slots)).astype(np.int32),
    )
