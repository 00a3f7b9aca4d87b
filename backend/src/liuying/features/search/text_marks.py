"""Which texts contain a word, and how well it fits: the summary of a word's places.

A mark combines a slot with the tier in its lowest bits. Marks are ascending, one per text.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from liuying.features.search.postings import (
    BLANK,
    BLOCK,
    BLOCK_BITS,
    UNITS,
    Array,
    Blocks,
    Postings,
)
from liuying.features.search.ranking import BEGINS, ELSEWHERE, EXACT, IN_TITLE, TIER_BITS

# The texts of a word with more places than that are cached: computing them would take longer than a
# query may.
COMMON = 1 << 16
# 24 MB of them, most common words first.
MAX_CACHED = 6_000_000
# A text may contain a word very often; this bounds the places that are examined in all.
MAX_LOOKED_AT = 4 * MAX_CACHED
UNIT_BYTES = 2


def texts_at(blocks: Blocks, places: Array, in_title: Array, size: int) -> Array:
    """Marks of the texts that contain a word.

    Args:
        blocks: The texts.
        places: Where it begins, in the order of the texts.
        in_title: Whether the whole occurrence is in the title.
        size: Its number of units.
    """
    slots = blocks.slots.take(places >> BLOCK_BITS)
    is_first = np.ones(len(slots), np.bool_)
    np.not_equal(slots[1:], slots[:-1], out=is_first[1:])
    if not is_first.all():
        # A text begins with its title, so the first place decides the tier.
        firsts = np.flatnonzero(is_first)
        slots, places, in_title = slots.take(firsts), places.take(firsts), in_title.take(firsts)
    marks: Array = slots << TIER_BITS | (
        ELSEWHERE - (ELSEWHERE - IN_TITLE) * in_title.view(np.int8)
    )
    # Only the start of a block can be the start of a text.
    begun = np.flatnonzero((places & (BLOCK - 1) == 0) & in_title)
    if len(begun):
        slots, places = slots.take(begun), places.take(begun)
        starts = blocks.starts.take(slots)
        tiers = np.where(blocks.title_ends.take(slots) - starts == size, EXACT, BEGINS)
        marks[begun] = slots << TIER_BITS | np.where(places == starts, tiers, IN_TITLE)
    return marks


def texts_of_units(blocks: Blocks, places: Postings) -> Postings:
    """The texts that contain each unit, instead of its places.

    They are written over the places, which are not valid any more: no unit has more texts than
    places, and a second array would be the largest of the build.
    """
    bounds, marks = [0], places.marks
    for start, end in zip(places.bounds[:-1].tolist(), places.bounds[1:].tolist(), strict=True):
        mine = marks[start:end]
        texts = texts_at(blocks, mine >> 1, mine & 1 != 0, 1)
        marks[bounds[-1] : bounds[-1] + len(texts)] = texts
        bounds.append(bounds[-1] + len(texts))
    marks.resize(bounds[-1], refcheck=False)
    return Postings(places.codes, np.array(bounds), marks)


def texts_of_common_words(blocks: Blocks, pairs: Postings) -> dict[bytes, Array]:
    """The texts that contain each very common word of several units, by its UTF-16."""
    waiting = list(_common_pairs(pairs))
    heapq.heapify(waiting)
    cached: dict[bytes, Array] = {}
    room, looked_at = MAX_CACHED, 0
    while waiting:
        _, word, marks = heapq.heappop(waiting)
        size = len(word) // UNIT_BYTES
        texts = texts_at(blocks, marks >> 1, marks & 1 != 0, size)
        room -= len(texts)
        looked_at += len(marks)
        if room < 0 or looked_at > MAX_LOOKED_AT:
            break
        cached[word] = texts
        following = blocks.units.take((marks >> 1) + size)
        for unit in np.flatnonzero(np.bincount(following) > COMMON).tolist():
            if unit > BLANK:
                longer = marks[following == unit]
                heapq.heappush(waiting, (-len(longer), word + np.uint16(unit).tobytes(), longer))
    return cached


def _common_pairs(pairs: Postings) -> Iterator[tuple[int, bytes, Array]]:
    """For each common pair: minus its frequency, its UTF-16, and its marks in `pairs`."""
    counts = np.diff(pairs.bounds)
    for at in np.flatnonzero(counts > COMMON).tolist():
        left, right = divmod(int(pairs.codes[at]), UNITS)
        if right > BLANK:
            start = int(pairs.bounds[at])
            size = int(counts[at])
            yield (
                -size,
                np.array([left, right], np.uint16).tobytes(),
                pairs.marks[start : start + size],
            )
