"""Which texts in memory are read like letters that were typed: as syllables, or by their initials.

A character may be read in all of its ways, whatever stands beside it. So the texts in memory need
no readings of their own: characters that may be read as asked are looked for, in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from liuying.features.search.matching import slots_with
from liuying.features.search.pinyin import (
    FEWEST_INITIALS,
    LETTERS,
    Syllables,
    splits_of,
)
from liuying.features.search.postings import BLOCK_BITS, SECOND, Array, codes_beginning, ranges
from liuying.features.search.query import Query
from liuying.features.search.ranking import TIER_BITS, Ranking, in_order, ranked
from liuying.features.search.segments import Segment
from liuying.features.search.sounds import SOUNDS

# For each character in a row, which units it may be: shape (`UNITS`,).
Row = Sequence[Array]


def read_in(segments: Sequence[Segment], ids: Array, query: Query) -> Ranking:
    """The texts that hold all words of a query, where words of letters are taken for syllables; for
    initials if nothing is read so. By score, then id.

    Args:
        segments: All texts.
        ids: The videos of all slots, segment after segment.
        query: With at least one word.
    """
    if not any(LETTERS.fullmatch(word.spellings[0]) for word in query.words):
        return in_order(())
    found = _ranked(segments, ids, query, _rows_of_syllables)
    return found if len(found) else _ranked(segments, ids, query, _rows_of_initials)


def _ranked(
    segments: Sequence[Segment],
    ids: Array,
    query: Query,
    understand: Callable[[str], list[Row]],
) -> Ranking:
    slots, scores, first = [], [], 0
    for segment in segments:
        SOUNDS.learn(segment.singles.codes)
        is_found = segment.is_there.copy()
        for word in query.words:
            letters = word.spellings[0]
            if LETTERS.fullmatch(letters):
                is_found &= _holding(segment, understand(letters))
            else:
                is_held = np.zeros(len(segment.ids), np.bool_)
                is_held[slots_with(segment, word)] = True
                is_found &= is_held
        found = np.flatnonzero(is_found)
        slots.append(found + first)
        scores.append(segment.scores.take(found))
        first += len(segment.ids)
    if not slots:
        return in_order(())
    chosen = np.concatenate(slots)
    return ranked(chosen, np.concatenate(scores), np.zeros(len(chosen), np.int64), ids)


def _rows_of_syllables(letters: str) -> list[Row]:
    """The rows of characters that letters may be, for each way to split them into syllables."""
    return [[SOUNDS.read_as(one) for one in split] for split in splits_of(letters)]


def _rows_of_initials(letters: str) -> list[Row]:
    if len(letters) < FEWEST_INITIALS:
        return []
    return [[SOUNDS.beginning_with(one) for one in letters]]


def slots_nearly_read(segment: Segment, syllables: Syllables) -> Array:
    """The slots of the texts that are read like syllables but for one of them, at least two."""
    SOUNDS.learn(segment.singles.codes)
    row = [SOUNDS.read_as(one) for one in syllables]
    rows = [[*row[:wrong], SOUNDS.is_read, *row[wrong + 1 :]] for wrong in range(len(row))]
    return np.flatnonzero(_holding(segment, rows))


def slots_read_as(segment: Segment, syllable: str) -> Array:
    """The slots of the texts that contain a character which may be read as a syllable."""
    SOUNDS.learn(segment.singles.codes)
    return np.flatnonzero(_holding(segment, [[SOUNDS.read_as(syllable)]]))


def _holding(segment: Segment, rows: Sequence[Row]) -> Array:
    """Whether each text holds one of some rows."""
    is_held = np.zeros(len(segment.ids), np.bool_)
    for row in rows:
        if len(row) == 1:
            _mark_single(segment, row[0], is_held)
        else:
            _mark_in_a_row(segment, row, is_held)
    return is_held


def _mark_single(segment: Segment, units: Array, is_held: Array) -> None:
    bounds, marks = segment.singles.bounds, segment.singles.marks
    for at in np.flatnonzero(units[segment.singles.codes]).tolist():
        is_held[marks[bounds[at] : bounds[at + 1]] >> TIER_BITS] = True


def _mark_in_a_row(segment: Segment, row: Row, is_held: Array) -> None:
    """Look where the rarest two neighbours are, and which units stand beside them."""
    pairs, blocks = segment.pairs, segment.blocks
    chosen = [_pairs_of(pairs.codes, left, right) for left, right in pairwise(row)]
    sizes = [pairs.bounds[some + 1] - pairs.bounds[some] for some in chosen]
    counts = [int(one.sum()) for one in sizes]
    first = counts.index(min(counts))
    places = pairs.marks.take(ranges(pairs.bounds[chosen[first]], sizes[first])) >> 1
    for place, units in enumerate(row):
        if place in {first, first + 1}:
            continue
        # Beyond either end are zeros, which no character is.
        beside = blocks.units.take(places + (place - first), mode="clip")
        places = places[units[beside]]
    is_held[blocks.slots.take(places >> BLOCK_BITS)] = True


def _pairs_of(codes: Array, lefts: Array, rights: Array) -> Array:
    """Which codes of pairs, ascending, are of one of some units and then one of others."""
    there = codes_beginning(codes, np.flatnonzero(lefts))
    chosen: Array = there[rights[codes[there] & SECOND]]
    return chosen
