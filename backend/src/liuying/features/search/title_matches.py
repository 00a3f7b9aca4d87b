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
from liuying.features.search.postings import PAIR_BITS, Array
from liuying.features.search.prefixes import MAX_SPELLED_LENGTH
from liuying.features.search.segments import Segment, text_of, units_of
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


def _at(segment: Segment, slots: Array, place: int) -> Array:
    """The units at a place of some titles; zeros beyond the end of all texts."""
    return segment.blocks.units.take(segment.titles.places.take(slots) + place, mode="clip")


def _in_signs(segment: Segment, start: str) -> Array:
    titles, units = segment.titles, units_of(start)
    chosen = titles.codes_of(units[:1])
    if len(units) > 1:
        chosen = chosen[titles.second_units(chosen) == units[1]]
    slots, _sizes = titles.slots_of(chosen)
    for place, unit in enumerate(units.tolist()[2:], start=2):
        slots = slots[_at(segment, slots, place) == unit]
    if BLANK not in start:  # It may begin in a title and end after it.
        return slots
    return np.array(
        [one for one in slots.tolist() if _title_of(segment, one).startswith(start)], np.int64
    )


def _in_initials(segment: Segment, letters: str) -> Array:
    if len(letters) > MAX_SPELLED_LENGTH:
        return np.zeros(0, np.int32)
    titles, tables = segment.titles, [SOUNDS.beginning_with(letter) for letter in letters]
    chosen = titles.codes_of(np.flatnonzero(tables[0]))
    if len(letters) > 1:
        chosen = chosen[tables[1].take(titles.second_units(chosen))]
    slots, _sizes = titles.slots_of(chosen)
    for place, table in enumerate(tables[2:], start=2):
        slots = slots[table[_at(segment, slots, place)]]
    return slots


def _in_pinyin(segment: Segment, letters: str) -> Array:
    """Follow each title's characters; a bit for each number of letters that they may have used
    up.
    """
    titles, done = segment.titles, 1 << len(letters)
    table = SOUNDS.letters_used(letters, 0)
    # The first two characters are the same in many titles.
    chosen = titles.codes_of(np.flatnonzero(table))
    first = table.take(titles.codes.take(chosen) >> PAIR_BITS)
    second = _used_after(letters, first, titles.second_units(chosen))
    used = (first & done) | second
    slots, sizes = titles.slots_of(chosen[used != 0])
    used = np.repeat(used[used != 0], sizes)
    found = [slots[used & done != 0]]
    for place in range(2, MAX_SPELLED_LENGTH):
        is_open = used & (done - 1) != 0
        slots, before = slots[is_open], used[is_open]
        if not len(slots):
            break
        used = _used_after(letters, before, _at(segment, slots, place))
        found.append(slots[used & done != 0])
    return np.concatenate(found)


def _used_after(letters: str, before: Array, units: Array) -> Array:
    """The bits after these units, of titles that had those of `before`."""
    used = np.zeros(len(units), np.uint32)
    for count in np.flatnonzero(_bits_in(before, len(letters))).tolist():
        after = SOUNDS.letters_used(letters, count).take(units)
        used |= np.where(before & (1 << count) != 0, after, 0).astype(np.uint32)
    return used


def _bits_in(numbers: Array, count: int) -> Array:
    """Which of so many bits any of some numbers has."""
    union = int(np.bitwise_or.reduce(numbers))
    return np.array([union >> bit & 1 for bit in range(count)], np.bool_)
