"""What of the texts in memory a query finds, and where each stands.

A number says both the tier of what is found (an exact title, a title that begins with the phrase, holds it, holds every
word; else) and by what it is ranked within it, so that sorting numbers is ranking.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from liuying.domains.search.query import Query, Word
from liuying.domains.search.segments import BLANK, BLOCK_BITS, ID_MASK, Array, Segment, units_of

TIER_BITS = 60
# What each of these adds to a tier.
IN_TITLE, EVERY_WORD_IN_TITLE = 2, 1


def ordered(segments: Sequence[Segment], query: Query) -> Array:
    """The videos that a query finds, the best first."""
    keys = np.concatenate([np.zeros(0, np.int64), *(_keys(one, query) for one in segments)])
    keys.sort()
    return (keys[::-1] & ID_MASK).astype(np.int32)


def _keys(segment: Segment, query: Query) -> Array:
    [word, *others] = query.words
    is_plain = not others and word.spellings == (query.phrase,)
    slots, tiers = _of_word(segment, query.phrase) if is_plain else _of_words(segment, query)
    standing = segment.standing.take(slots)
    keys = standing + (tiers.astype(np.int64) << TIER_BITS)
    return keys if segment.is_whole else keys[standing != 0]


def _of_word(segment: Segment, word: str) -> tuple[Array, Array]:
    """The slots that have a word, and their tiers: a text begins with its title, so its first place of the word tells."""
    places = _places(segment, word)
    slots = segment.slots.take(places >> BLOCK_BITS)
    is_first = np.ones(len(slots), np.bool_)
    np.not_equal(slots[1:], slots[:-1], out=is_first[1:])
    if not is_first.all():
        places, slots = places[is_first], slots[is_first]
    return slots, _tiers(segment, places, slots, len(units_of(word)))


def _tiers(segment: Segment, places: Array, slots: Array, size: int) -> Array:
    """The tiers of slots by a place of the phrase in each."""
    ends, after = segment.title_ends.take(slots), places + size
    in_title = after <= ends
    begins = in_title & (places == segment.starts.take(slots))
    tiers: Array = in_title.astype(np.int8) * IN_TITLE + begins + (begins & (after == ends))
    return tiers


def _of_words(segment: Segment, query: Query) -> tuple[Array, Array]:
    """The same of words of which each may have two spellings."""
    found = np.ones(0, np.int32)
    titled = found
    for place, word in enumerate(query.words):
        slots, in_title = _holding(segment, word)
        found = _common(segment, found, slots) if place else np.unique(slots)
        titled = _common(segment, titled, slots[in_title]) if place else np.unique(slots[in_title])
    tiers = np.zeros(len(found), np.int8)
    if len(query.words) > 1:
        tiers[np.searchsorted(found, titled)] = EVERY_WORD_IN_TITLE
    # Whoever holds the phrase holds its words, so it is among what was found.
    slots, of_phrase = _of_word(segment, query.phrase)
    in_title = of_phrase > 0
    tiers[np.searchsorted(found, slots[in_title])] = of_phrase[in_title]
    return found, tiers


def _holding(segment: Segment, word: Word) -> tuple[Array, Array]:
    """The slots of all places of a word, and whether each place lies in a title."""
    slots, in_title = [], []
    for spelling in word.spellings:
        places = _places(segment, spelling)
        slots.append(segment.slots.take(places >> BLOCK_BITS))
        in_title.append(places < segment.title_ends.take(slots[-1]))
    return np.concatenate(slots), np.concatenate(in_title)


def _common(segment: Segment, some: Array, others: Array) -> Array:
    """Those slots that are among others, too."""
    is_among = np.zeros(len(segment.ids), np.bool_)
    is_among[others] = True
    return some[is_among[some]]


def _places(segment: Segment, word: str) -> Array:
    """Where a word begins, in the order of the texts: the rarest of its characters leads there."""
    units = units_of(word).astype(np.int64)
    counts = segment.bounds[units + 1] - segment.bounds[units]
    by_rarity = np.argsort(np.where(units > BLANK, counts, len(segment.units))).tolist()
    rarest = by_rarity[0]
    start, end = segment.bounds[units[rarest]], segment.bounds[units[rarest] + 1]
    places = segment.places[start:end] - rarest
    for offset in by_rarity[1:]:
        # Beyond either end there are zeros, which no word has.
        places = places[segment.units.take(places + offset, mode="clip") == units[offset]]
    return places
