"""Which texts in memory match a query, and how well.

Marks of texts are those of `text_marks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np

from liuying.features.search.postings import BLANK, BLOCK_BITS, PAIR_BITS, Array, Blocks, ranges
from liuying.features.search.query import Query, Word
from liuying.features.search.ranking import (
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
from liuying.features.search.segments import Segment, text_of, units_of
from liuying.features.search.text_marks import texts_at

# Up to so many texts, looking them up in a list is faster than spreading the list over all texts.
FEW = 4096
# Looking up where a text's places are costs as much as checking so many places.
PLACES_A_TEXT = 4
# Up to so many titles, reading them one by one is faster.
FEW_TITLES = 50


def found_in(segments: Sequence[Segment], ids: Array, query: Query) -> Ranking:
    """The matches of a query by tier, then score, then id.

    Args:
        segments: All texts.
        ids: The videos of all slots, segment after segment.
        query: With at least one word.
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
            found.append(
                (slots + first if first else slots, segment.scores.take(slots), marks & TIER_MASK)
            )
        first += len(segment.ids)
    if not found:
        return in_order(())
    all_slots, scores, tiers = (
        found[0] if len(found) == 1 else map(np.concatenate, zip(*found, strict=True))
    )
    return ranked(all_slots, scores, tiers, ids)


def slots_with(segment: Segment, word: Word) -> Array:
    """The slots of the texts that contain a word in one of its spellings."""
    leads = [_lead(segment, one) for one in word.spellings]
    return _holding(segment, leads, None) >> TIER_BITS


def _texts(segment: Segment, query: Query) -> Array:
    """The marks of the texts that match a query."""
    [word, *others] = query.words
    if not others and word.spellings == (query.phrase,):
        return _held(segment, _lead(segment, query.phrase), None)
    return _with_words(segment, query)


def _with_words(segment: Segment, query: Query) -> Array:
    """The texts that contain every word, each of which may have two spellings."""
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
        # A title that contains the phrase contains each word in one of its spellings.
        better = _titled(segment, query.phrase, found[titled] >> TIER_BITS)
        marks[marks.searchsorted(better & ~TIER_MASK)] = better
    return marks


class Lead(msgspec.Struct, frozen=True, eq=False):
    """How to find a word in a segment.

    Attributes:
        units: The word's units.
        marks: Of the texts that contain it where cached, otherwise of the places of its rarest
            pair.
        pair. first: Which unit that pair begins with; -1 where it is the texts' marks.
    """

    units: list[int]
    marks: Array
    first: int


def _lead(segment: Segment, word: str) -> Lead:
    units = units_of(word)
    if (texts := segment.common.get(units.tobytes())) is not None:
        return Lead([], texts, -1)
    numbers: list[int] = units.tolist()
    if len(numbers) == 1:
        return Lead(numbers, segment.singles.of_rarest(numbers)[0], -1)
    # No word begins with a blank, so there is at least one pair.
    pairs = {
        at: left << PAIR_BITS | right
        for at, (left, right) in enumerate(pairwise(numbers))
        if left > BLANK
    }
    marks, rarest = segment.pairs.of_rarest(list(pairs.values()))
    return Lead(numbers, marks, list(pairs)[rarest])


def _holding(segment: Segment, leads: Sequence[Lead], among: Array | None) -> Array:
    """The marks of the texts that contain a word in one of its spellings, as `_held`."""
    if len(leads) == 1:
        return _held(segment, leads[0], among)
    marks = np.sort(np.concatenate([_held(segment, lead, among) for lead in leads]))
    # If a text contains both spellings, the better tier comes first.
    firsts: Array = marks[np.diff(marks >> TIER_BITS, prepend=-1) != 0]
    return firsts


def _held(segment: Segment, lead: Lead, among: Array | None) -> Array:
    """The marks of the texts that contain a word.

    Args:
        segment: Where they are.
        lead: How to find the word.
        among: Slots of the relevant texts; others may be returned too.
    """
    if lead.first < 0:
        return lead.marks
    blocks, marks = segment.blocks, lead.marks
    if among is not None and len(among) * PLACES_A_TEXT < len(marks):
        marks = _within(blocks, marks, among)
    for place, unit in enumerate(lead.units):
        if lead.first <= place <= lead.first + 1:
            continue
        if not len(marks):
            return marks
        # Beyond either end are zeros, which no word contains.
        is_held = blocks.units.take((marks >> 1) + (place - lead.first), mode="clip") == unit
        if not is_held.all():
            marks = marks.take(np.flatnonzero(is_held))
    places, in_title = (marks >> 1) - lead.first, marks & 1 != 0
    if BLANK in lead.units:  # It may begin in a title and end after it.
        in_title = places + len(lead.units) <= blocks.title_ends.take(
            blocks.slots.take(places >> BLOCK_BITS)
        )
    return texts_at(blocks, places, in_title, len(lead.units))


def _within(blocks: Blocks, marks: Array, slots: Array) -> Array:
    """Those marks of places that lie in some texts."""
    firsts, ends = (
        marks.searchsorted(blocks.starts.take(slots) << 1),
        blocks.starts.take(slots + 1) << 1,
    )
    # Most of them contain none: the last place is looked up only for the others.
    there = np.flatnonzero(marks.take(firsts, mode="clip") < ends)
    firsts, ends = firsts.take(there), marks.searchsorted(ends.take(there))
    return marks.take(ranges(firsts, ends - firsts))


def _titled(segment: Segment, phrase: str, slots: Array) -> Array:
    """The marks of the texts whose titles contain a phrase.

    Args:
        segment: Where they are.
        phrase: The phrase.
        slots: All texts whose titles may contain it.
    """
    if len(slots) > FEW_TITLES:
        marks = _held(segment, _lead(segment, phrase), slots)
        return marks[marks & TIER_MASK <= IN_TITLE]
    blocks, found = segment.blocks, []
    starts, ends = blocks.starts.take(slots).tolist(), blocks.title_ends.take(slots).tolist()
    for slot, start, end in zip(slots.tolist(), starts, ends, strict=True):
        title = text_of(blocks.units[start:end])
        if phrase in title:
            tier = EXACT if title == phrase else BEGINS if title.startswith(phrase) else IN_TITLE
            found.append(slot << TIER_BITS | tier)
    return np.array(found, np.int32)


def _in_both(segment: Segment, found: Array, others: Array) -> Array:
    """Marks that occur in both, with the worse tier of the two."""
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
