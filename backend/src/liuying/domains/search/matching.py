"""What of the texts in memory a query finds, and how well it fits.

Wherever marks of texts are spoken of, they are those of `text_marks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np

from liuying.domains.search.postings import BLANK, BLOCK_BITS, PAIR_BITS, Array
from liuying.domains.search.query import Query
from liuying.domains.search.ranking import (
    BEGINS,
    ELSEWHERE,
    EXACT,
    IN_TITLE,
    TIER_BITS,
    TIER_MASK,
    WORDS_IN_TITLE,
    Ranking,
    in_order,
    ranked,
)
from liuying.domains.search.segments import Segment, text_of, units_of
from liuying.domains.search.text_marks import texts_at

# So many texts are sooner looked up in a list than the list is spread out over all texts.
FEW = 4096
# What looking through a text takes, in places looked at, and what looking at places takes at least.
PLACES_A_TEXT, FEWEST_PLACES = 64, 1000


def found_in(segments: Sequence[Segment], ids: Array, query: Query) -> Ranking:
    """What a query finds, by tier, then by score, then by number.

    Args:
        segments: All texts.
        ids: The videos of all their slots, one segment's behind another's.
        query: With one word at least.
    """
    found, first = [], 0
    for segment in segments:
        marks = _texts(segment, query)
        slots = marks >> TIER_BITS
        if not segment.is_whole:
            is_there = segment.is_there.take(slots)
            if not is_there.all():
                marks, slots = marks[is_there], slots[is_there]
        if len(marks):
            found.append((slots + first if first else slots, segment.scores.take(slots), marks & TIER_MASK))
        first += len(segment.ids)
    if not found:
        return in_order(())
    all_slots, scores, tiers = found[0] if len(found) == 1 else map(np.concatenate, zip(*found, strict=True))
    return ranked(all_slots, scores, tiers, ids)


def _texts(segment: Segment, query: Query) -> Array:
    """The marks of the texts that a query finds."""
    [word, *others] = query.words
    if not others and word.spellings == (query.phrase,):
        return _held(segment, _lead(segment, query.phrase), None)
    return _with_words(segment, query)


def _with_words(segment: Segment, query: Query) -> Array:
    """The same of words, each of which may have two spellings."""
    words = [[_lead(segment, one) for one in word.spellings] for word in query.words]
    first, *others = sorted(words, key=lambda leads: sum(len(lead.marks) for lead in leads))
    found = _holding(segment, first, None)
    for leads in others:
        if not len(found):
            return found
        found = _in_both(segment, found, _holding(segment, leads, found >> TIER_BITS))
    titled = np.flatnonzero(found & TIER_MASK <= IN_TITLE)
    marks = found & ~TIER_MASK | ELSEWHERE
    if others:
        marks[titled] += WORDS_IN_TITLE - ELSEWHERE
    if len(titled):
        # Whatever holds the phrase in its title holds each word there in one of its spellings.
        of_phrase = _held(segment, _lead(segment, query.phrase), found[titled] >> TIER_BITS)
        better = of_phrase[of_phrase & TIER_MASK <= IN_TITLE]
        marks[marks.searchsorted(better & ~TIER_MASK)] = better
    return marks


class Lead(msgspec.Struct, frozen=True, eq=False):
    """What leads to a word in a segment.

    Attributes:
        word: The word.
        units: Its units.
        marks: Of the texts that hold it where they are kept, else of the places of its rarest pair.
        first: Which unit that pair begins with; -1 where it is the texts' marks.
    """

    word: str
    units: list[int]
    marks: Array
    first: int


def _lead(segment: Segment, word: str) -> Lead:
    units = units_of(word)
    if (texts := segment.common.get(units.tobytes())) is not None:
        return Lead(word, [], texts, -1)
    numbers: list[int] = units.tolist()
    if len(numbers) == 1:
        return Lead(word, numbers, segment.singles.of_rarest(numbers)[0], -1)
    # No word begins with a blank, so there is a pair at least.
    pairs = {at: left << PAIR_BITS | right for at, (left, right) in enumerate(pairwise(numbers)) if left > BLANK}
    marks, rarest = segment.pairs.of_rarest(list(pairs.values()))
    return Lead(word, numbers, marks, list(pairs)[rarest])


def _holding(segment: Segment, leads: Sequence[Lead], among: Array | None) -> Array:
    """The marks of the texts that hold a word in one of its spellings, as `_held`."""
    if len(leads) == 1:
        return _held(segment, leads[0], among)
    marks = np.sort(np.concatenate([_held(segment, lead, among) for lead in leads]))
    # Of a text with both spellings the better tier comes first.
    firsts: Array = marks[np.diff(marks >> TIER_BITS, prepend=-1) != 0]
    return firsts


def _held(segment: Segment, lead: Lead, among: Array | None) -> Array:
    """The marks of the texts that hold a word.

    Args:
        segment: Where they are.
        lead: To the word.
        among: Slots of the texts that matter; others may be found as well.
    """
    if lead.first < 0:
        return lead.marks
    if among is not None and len(among) * PLACES_A_TEXT < len(lead.marks) + FEWEST_PLACES:
        return _looked_through(segment, lead.word, among)
    blocks, marks = segment.blocks, lead.marks
    for place, unit in enumerate(lead.units):
        if lead.first <= place <= lead.first + 1:
            continue
        # Beyond either end there are zeros, which no word has.
        is_held = blocks.units.take((marks >> 1) + (place - lead.first), mode="clip") == unit
        if not is_held.all():
            marks = marks.take(np.flatnonzero(is_held))
    places, in_title = (marks >> 1) - lead.first, marks & 1 != 0
    if BLANK in lead.units:  # it may begin in a title and end behind it
        in_title = places + len(lead.units) <= blocks.title_ends.take(blocks.slots.take(places >> BLOCK_BITS))
    return texts_at(blocks, places, in_title, len(lead.units))


def _looked_through(segment: Segment, word: str, slots: Array) -> Array:
    """The marks of those texts among some that hold a word."""
    blocks = segment.blocks
    bounds = (blocks.starts.take(slots), blocks.title_ends.take(slots), blocks.starts.take(slots + 1))
    marks = []
    for slot, start, title_end, end in zip(slots.tolist(), *(one.tolist() for one in bounds), strict=True):
        if word in text_of(blocks.units[start:end]):
            marks.append(slot << TIER_BITS | _tier(word, text_of(blocks.units[start:title_end])))
    return np.array(marks, np.int32)


def _tier(word: str, title: str) -> int:
    if word not in title:
        return ELSEWHERE
    if not title.startswith(word):
        return IN_TITLE
    return EXACT if title == word else BEGINS


def _in_both(segment: Segment, found: Array, others: Array) -> Array:
    """Those marks whose texts others mark as well, with the worse tier of both."""
    slots = found >> TIER_BITS
    if not len(others):
        return others
    if len(found) < FEW:
        hits = others.take(others.searchsorted(found & ~TIER_MASK), mode="clip")
        is_there = hits >> TIER_BITS == slots
    else:
        tiers = np.full(len(segment.ids), TIER_MASK, np.int8)
        tiers[others >> TIER_BITS] = others & TIER_MASK
        hits = found & ~TIER_MASK | tiers.take(slots)
        is_there = hits & TIER_MASK != TIER_MASK
    both: Array = np.maximum(found, hits)[is_there]
    return both
