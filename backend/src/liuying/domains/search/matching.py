"""What of the texts in memory a query finds, and how well it fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from liuying.domains.search.postings import BLANK, BLOCK, BLOCK_BITS, Array, Postings, code_of_pairs
from liuying.domains.search.query import Query, Word
from liuying.domains.search.ranking import BEGINS, ELSEWHERE, EXACT, IN_TITLE, WORDS_IN_TITLE, Ranking, ranked
from liuying.domains.search.segments import GONE, ID_BITS, Segment, ranges, units_of

# So many texts are sooner looked up in a list than the list is spread out over all texts.
FEW = 4096
# Places that are looked at together: what is worked out of them stays in the processor's cache.
STRETCH = 1 << 16
# Slots that a query finds, and their tiers; what is gone as well.
Matches = tuple[Array, Array]


def found_in(segments: Sequence[Segment], query: Query) -> Ranking:
    """What a query finds, by tier, then by score, then by number."""
    found = [(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int8))]
    for segment in segments:
        for slots, tiers in _matches(segment, query):
            standing = segment.standing.take(slots)
            there: Array | slice = slice(None) if segment.is_whole else np.flatnonzero(standing != GONE)
            known = standing[there]
            found.append((known.astype(np.int32), (known >> ID_BITS).astype(np.int32), tiers[there]))
    ids, scores, tiers = map(np.concatenate, zip(*found, strict=True))
    return ranked(ids, scores, tiers)


def _matches(segment: Segment, query: Query) -> Iterable[Matches]:
    [word, *others] = query.words
    is_plain = not others and word.spellings == (query.phrase,)
    return _with_phrase(segment, query.phrase, None) if is_plain else [_with_words(segment, query)]


def _with_phrase(segment: Segment, phrase: str, among: Array | None) -> Iterator[Matches]:
    """The slots that hold a phrase, and their tiers, a stretch of the texts at a time."""
    units = units_of(phrase)
    if len(units) == 1:
        yield from _with_unit(segment, units)
        return
    for places, is_titled, slots in _places(segment, units, among):
        in_title = is_titled
        if BLANK in units:  # it may begin in a title and end behind it
            in_title = places + len(units) <= segment.title_ends.take(slots)
        # A text begins with its title, and with a block.
        begun = np.flatnonzero((places & (BLOCK - 1) == 0) & in_title)
        begun = begun[places.take(begun) == segment.starts.take(slots.take(begun))]
        yield slots, _tiers(segment, slots, in_title, begun, len(units))


def _with_unit(segment: Segment, units: Array) -> Iterator[Matches]:
    """The same of a single unit, of which the texts are known without its places."""
    all_marks = _marks(segment.singles, units)
    for start in range(0, len(all_marks), STRETCH):
        marks = all_marks[start : start + STRETCH]
        slots = marks >> 2
        begun = np.flatnonzero(marks & 2)
        yield slots, _tiers(segment, slots, marks & 1 != 0, begun, 1)


def _tiers(segment: Segment, slots: Array, in_title: Array, begun: Array, size: int) -> Array:
    """The tiers of slots.

    Args:
        in_title: Which of them hold the phrase in the title.
        begun: Where the slots are that begin with it.
        size: How many units it has.
    """
    tiers: Array = ELSEWHERE - (ELSEWHERE - IN_TITLE) * in_title.view(np.int8)
    tiers[begun] = BEGINS
    beginning = slots.take(begun)
    is_all = segment.title_ends.take(beginning) - segment.starts.take(beginning) == size
    tiers[begun[is_all]] = EXACT
    return tiers


def _with_words(segment: Segment, query: Query) -> Matches:
    """The slots that hold words, each of which may have two spellings."""
    first, *others = sorted(query.words, key=lambda word: sum(_most(segment, one) for one in word.spellings))
    found, is_titled = _holding(segment, first, None)
    titled = [found.take(np.flatnonzero(is_titled))]
    for word in others:
        slots, is_titled = _holding(segment, word, found)
        found = found.take(np.flatnonzero(_are_among(segment, found, slots)))
        titled.append(slots.take(np.flatnonzero(is_titled)))
    in_title = np.logical_and.reduce([_are_among(segment, found, slots) for slots in titled])
    tiers = np.full(len(found), ELSEWHERE, np.int8)
    if others:
        tiers[in_title] = WORDS_IN_TITLE
    # Whatever holds the phrase in its title holds each word there in one of its spellings.
    for slots, of_phrase in _with_phrase(segment, query.phrase, found[in_title]):
        held = np.flatnonzero(of_phrase < ELSEWHERE)
        tiers[np.searchsorted(found, slots.take(held))] = of_phrase.take(held)
    return found, tiers


def _holding(segment: Segment, word: Word, among: Array | None) -> tuple[Array, Array]:
    """The slots that hold a word, and whether they hold it in the title."""
    slots, is_titled = [np.zeros(0, np.int32)], [np.zeros(0, np.bool_)]
    for units in map(units_of, word.spellings):
        if len(units) == 1:
            marks = _marks(segment.singles, units)
            slots.append(marks >> 2)
            is_titled.append(marks & 1 != 0)
            continue
        for _places_held, titled, held in _places(segment, units, among):
            slots.append(held)
            is_titled.append(titled)
    all_slots, all_titled = np.concatenate(slots), np.concatenate(is_titled)
    if len(word.spellings) == 1:
        return all_slots, all_titled
    # Of a text with both spellings the one in the title counts.
    order = np.lexsort((~all_titled, all_slots))
    order = order[_firsts(all_slots[order])]
    return all_slots[order], all_titled[order]


def _firsts(slots: Array) -> Array:
    """Where each slot comes for the first time."""
    is_first = np.ones(len(slots), np.bool_)
    np.not_equal(slots[1:], slots[:-1], out=is_first[1:])
    return np.flatnonzero(is_first)


def _are_among(segment: Segment, some: Array, others: Array) -> Array:
    """Which slots are among others; both rise."""
    if not len(some) or not len(others):
        return np.zeros(len(some), np.bool_)
    if len(some) < FEW:
        near = np.minimum(np.searchsorted(others, some), len(others) - 1)
        is_there: Array = others.take(near) == some
        return is_there
    is_among = np.zeros(len(segment.ids), np.bool_)
    is_among[others] = True
    return is_among.take(some)


def _most(segment: Segment, word: str) -> int:
    """At most how often a word stands anywhere."""
    units = units_of(word)
    return len(_marks(segment.singles, units) if len(units) == 1 else _rarest(segment, units)[0])


def _marks(postings: Postings, codes: Array) -> Array:
    """The marks of the rarest of some codes."""
    return _marks_of_rarest(postings, codes)[0]


def _marks_of_rarest(postings: Postings, codes: Array) -> tuple[Array, int]:
    """The same, and which of them it is."""
    starts, counts = postings.counts_of(codes)
    rarest = int(counts.argmin())
    start = int(starts[rarest])
    marks: Array = postings.marks[start : start + int(counts[rarest])]
    return marks, rarest


def _rarest(segment: Segment, units: Array) -> tuple[Array, int]:
    """The marks of the rarest pair of a word of several units, and where in the word it is."""
    # No word begins with a blank, so it has one at least.
    pairs = np.flatnonzero(units[:-1] > BLANK)
    marks, rarest = _marks_of_rarest(segment.pairs, code_of_pairs(units[pairs], units[pairs + 1]))
    return marks, int(pairs[rarest])


def _places(segment: Segment, units: Array, among: Array | None) -> Iterator[tuple[Array, Array, Array]]:
    """Where a word of several units comes first in each text, whether that is in the title, and the text's slot.

    The rarest pair of the word leads there; where only few texts are to be looked through, all that they hold does.

    Args:
        among: Slots of the texts that matter; others may be found as well.
    """
    marks, first = _rarest(segment, units)
    others = [place for place in range(len(units)) if not first <= place <= first + 1]
    everywhere = None if among is None else _marks_in(segment, among, len(marks))
    if everywhere is not None:
        marks, first, others = everywhere, 0, list(range(len(units)))
    last = -1
    for start in range(0, len(marks), STRETCH):
        held = _held(segment, units, marks[start : start + STRETCH], first, others)
        slots = segment.slots.take(held >> (BLOCK_BITS + 1))
        firsts = _firsts(slots)
        if len(firsts) and slots[0] == last:  # found by the stretch before
            firsts = firsts[1:]
        if len(firsts) < len(slots):
            held, slots = held.take(firsts), slots.take(firsts)
        if len(slots):
            last = int(slots[-1])
            yield (held >> 1) - first, held & 1 != 0, slots


def _held(segment: Segment, units: Array, marks: Array, first: int, others: Iterable[int]) -> Array:
    """Those marks around which a word stands, of which they say where the unit `first` is.

    Args:
        others: The places in the word that are to be looked at.
    """
    for place in others:
        # Beyond either end there are zeros, which no word has.
        is_held: Array = segment.units.take((marks >> 1) + (place - first), mode="clip") == units[place]
        if not is_held.all():
            marks = marks.take(np.flatnonzero(is_held))
    return marks


def _marks_in(segment: Segment, slots: Array, most: int) -> Array | None:
    """Marks of every place in some texts; None where there are more than so many."""
    if len(slots) * BLOCK >= most:  # which is the least that so many texts take
        return None
    starts = segment.starts.take(slots)
    sizes = segment.starts.take(slots + 1) - starts
    if int(sizes.sum()) >= most:
        return None
    places = ranges(starts, sizes)
    marks: Array = places << 1 | (places < np.repeat(segment.title_ends.take(slots), sizes))
    return marks
