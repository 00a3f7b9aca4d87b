"""Titles in memory that begin as typed: in characters, in pinyin whose last syllable may be
unfinished, or by their initials.

They are those that the statements of `title_suggestions` find, and those whose characters are read
in rarer ways than are stored for each title (`prefixes`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from liuying.features.search.numerals import with_digits
from liuying.features.search.pinyin import LETTERS
from liuying.features.search.postings import Array
from liuying.features.search.prefixes import MAX_SPELLED_LENGTH
from liuying.features.search.segments import Segment, ranges, text_of, units_of
from liuying.features.search.sounds import SOUNDS

BLANK = " "
# Characters beyond take two UTF-16 units: no title begins with half a character.
LAST_OF_ONE_UNIT = "\uffff"
ID_BITS = 32
# Ways in which a title may be found.
MOST_FOUND = 3


def titles_beginning(segments: Sequence[Segment], ids: Array, start: str, limit: int) -> list[int]:
    """Videos whose titles begin as typed, by score, then id.

    Args:
        segments: All texts.
        ids: The videos of all slots, segment after segment.
        start: What was typed (`typed_start`).
        limit: How many are wanted.
    """
    return best(segments, ids, lambda segment: slots_beginning(segment, start), limit)


def best(
    segments: Sequence[Segment], ids: Array, find: Callable[[Segment], Array], limit: int
) -> list[int]:
    """The best of the videos that are found in each segment, by score, then id.

    Args:
        find: Slots of a segment, in any order, some perhaps twice.
    """
    found, scores, first = [], [], 0
    for segment in segments:
        slots = find(segment)
        if not segment.is_whole:
            slots = slots[segment.is_there.take(slots)]
        found.append(ids.take(slots + first))
        scores.append(segment.scores.take(slots).astype(np.int64))
        first += len(segment.ids)
    if not found:
        return []
    # Both in one number: the greatest are the best.
    ranks = np.concatenate(scores) << ID_BITS | np.concatenate(found)
    if len(ranks) > MOST_FOUND * limit:
        ranks = np.partition(ranks, len(ranks) - MOST_FOUND * limit)[-MOST_FOUND * limit :]
    chosen: list[int] = (np.unique(ranks)[::-1][:limit] & ((1 << ID_BITS) - 1)).tolist()
    return chosen


def slots_beginning(segment: Segment, start: str) -> Array:
    """The slots whose titles begin as typed, in any order, some perhaps twice.

    Args:
        start: What was typed (`typed_start`), of characters of one unit.
    """
    found = [_in_signs(segment, start)]
    if LETTERS.fullmatch(start):
        SOUNDS.learn(segment.singles.codes)
        found += [_in_pinyin(segment, start), _in_initials(segment, start)]
    return np.concatenate(found)


def _title_of(segment: Segment, slot: int) -> str:
    """A title as it was, folded, from its first letter or digit on."""
    blocks, place = segment.blocks, int(segment.titles.places[slot])
    start, end = int(blocks.starts[slot]), int(blocks.title_ends[slot])
    if place < end:
        return text_of(blocks.units[place:end])
    # Numbers were written as digits: the title is as much of the text as becomes what it is
    # ranked by.
    ranked = text_of(blocks.units[start:end])
    text = text_of(blocks.units[end + 1 : int(blocks.starts[slot + 1])]).rstrip("\0")
    stop = text.find(BLANK)
    while stop >= 0 and with_digits(text[:stop]) != ranked:
        stop = text.find(BLANK, stop + 1)
    return text[place - end - 1 : len(text) if stop < 0 else stop]


def _slots_of(segment: Segment, units: Array) -> Array:
    """The slots whose titles begin with one of some units."""
    starts = segment.titles
    begins = starts.bounds.take(units)
    return starts.slots.take(ranges(begins, starts.bounds.take(units + 1) - begins))


def _at(segment: Segment, slots: Array, place: int) -> Array:
    """The units at a place of some titles; zeros beyond the end of all texts."""
    return segment.blocks.units.take(segment.titles.places.take(slots) + place, mode="clip")


def _in_signs(segment: Segment, start: str) -> Array:
    units = units_of(start)
    slots = _slots_of(segment, units[:1].astype(np.int64))
    for place, unit in enumerate(units.tolist()[1:], start=1):
        slots = slots[_at(segment, slots, place) == unit]
    if BLANK not in start:  # It may begin in a title and end after it.
        return slots
    return np.array(
        [one for one in slots.tolist() if _title_of(segment, one).startswith(start)], np.int64
    )


def _in_initials(segment: Segment, letters: str) -> Array:
    if len(letters) > MAX_SPELLED_LENGTH:
        return np.zeros(0, np.int32)
    slots = _slots_of(segment, np.flatnonzero(SOUNDS.beginning_with(letters[0])))
    for place, letter in enumerate(letters[1:], start=1):
        slots = slots[SOUNDS.beginning_with(letter)[_at(segment, slots, place)]]
    return slots


def _in_pinyin(segment: Segment, letters: str) -> Array:
    """Follow each title's characters; a bit for each number of letters that they may have used
    up.
    """
    done = 1 << len(letters)
    table = SOUNDS.letters_used(letters, 0)
    slots = _slots_of(segment, np.flatnonzero(table))
    used = table.take(_at(segment, slots, 0))
    found = [slots[used & done != 0]]
    for place in range(1, MAX_SPELLED_LENGTH):
        is_open = used & (done - 1) != 0
        slots, before = slots[is_open], used[is_open]
        if not len(slots):
            break
        units = _at(segment, slots, place)
        used = np.zeros(len(slots), np.uint32)
        for count in np.flatnonzero(_bits_in(before, len(letters))).tolist():
            after = SOUNDS.letters_used(letters, count).take(units)
            used |= np.where(before & (1 << count) != 0, after, 0).astype(np.uint32)
        found.append(slots[used & done != 0])
    return np.concatenate(found)


def _bits_in(numbers: Array, count: int) -> Array:
    """Which of so many bits any of some numbers has."""
    union = int(np.bitwise_or.reduce(numbers))
    return np.array([union >> bit & 1 for bit in range(count)], np.bool_)
