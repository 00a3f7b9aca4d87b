"""Where the titles of texts in memory begin."""

from __future__ import annotations

from functools import cache

import msgspec
import numpy as np

from liuying.features.search.postings import UNITS, Array, Blocks

# Between a title and a text that does not begin with it.
SEPARATOR = "\t"
# The first UTF-16 units of the ideographic planes, U+20000 to U+3FFFF.
RARE_HAN = range(0xD840, 0xD8C0)


class TitlePlaces(msgspec.Struct, frozen=True, eq=False):
    """Where the titles of a segment begin.

    Attributes:
        places: Of the first letter or digit of each slot's title, or of its end.
        slots: All slots, by the unit there.
        bounds: Where the slots of each unit begin in `slots`, and where the last ones end; shape
            (`UNITS` + 1,).
    """

    places: Array
    slots: Array
    bounds: Array


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
    firsts = blocks.units.take(places, mode="clip")
    slots = np.argsort(firsts, kind="stable").astype(np.int32)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(firsts, minlength=UNITS))])
    return TitlePlaces(places.astype(np.int32), slots, bounds.astype(np.int32))
