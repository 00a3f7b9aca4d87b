"""Texts in memory with the places of every character: what a word is found by without asking the database.

A segment holds texts as UTF-16 units, each text at the beginning of a block, so that a place alone tells the text that
it lies in. It never changes but for where its texts stand; what changes in a text is a new text in another segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

BLOCK_BITS = 4
BLOCK = 1 << BLOCK_BITS
UNITS = 1 << 16
BLANK = 0x20
# Units that are sorted at once: what is needed for it beside the index stays small.
SORTED_AT_ONCE = 4_000_000
# A score and an id in one number whose order is theirs. Nothing stands at 0: it is what a text that is gone has.
ID_BITS, SCORE_BIAS = 31, 1 << 27
ID_MASK = (1 << ID_BITS) - 1


class Text(msgspec.Struct, frozen=True, array_like=True):
    """What a video is found by and ranked by, as `search_document` has it."""

    video_id: int
    title: str
    text: str
    score: int

    @property
    def joined(self) -> str:
        """Its title, and all that it is found by: the rest of its text where that begins with the title anyway."""
        end = len(self.title)
        if self.text.startswith(self.title) and self.text[end : end + 1] in {"", " "}:
            return self.text
        return f"{self.title}\t{self.text}"


def standing_of(scores: Array, ids: Array) -> Array:
    """By what texts are ranked: by score, then by number."""
    return (scores.astype(np.int64) + SCORE_BIAS) << ID_BITS | ids.astype(np.int64)


def units_of(text: str) -> Array:
    """A text in UTF-16, whose sequences are found where those of characters are."""
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)


class Part(msgspec.Struct, frozen=True, eq=False):
    """Texts that are not indexed yet.

    Attributes:
        ids: Numbers of their videos.
        standing: `standing_of` them.
        sizes: How many blocks each takes.
        title_sizes: How many units its title has.
        units: Their blocks; each text is followed by at least one 0.
    """

    ids: Array
    standing: Array
    sizes: Array
    title_sizes: Array
    units: Array


def part_of(texts: Sequence[Text]) -> Part:
    """Texts, laid out in blocks."""
    ids = np.array([one.video_id for one in texts], np.int32)
    standing = standing_of(np.array([one.score for one in texts], np.int64), ids)
    # No folded text has a line end in it.
    lines = units_of("".join(f"{one.joined}\n" for one in texts)).copy()
    ends = np.flatnonzero(lines == ord("\n"))
    lines[ends] = 0
    lengths = np.diff(ends, prepend=-1)
    sizes = (lengths + BLOCK - 1) >> BLOCK_BITS
    units = np.zeros(int(sizes.sum()) * BLOCK, np.uint16)
    moved = _starts(sizes) * BLOCK - _starts(lengths)
    units[np.arange(len(lines)) + np.repeat(moved, lengths)] = lines
    titles = units_of("".join(f"{one.title}\n" for one in texts))
    title_sizes = np.diff(np.flatnonzero(titles == ord("\n")), prepend=-1) - 1
    return Part(ids, standing, sizes.astype(np.int32), title_sizes.astype(np.int32), units)


def _starts(sizes: Array) -> Array:
    """Where things of these sizes begin, one behind another."""
    starts: Array = np.cumsum(sizes) - sizes
    return starts


class Segment(msgspec.Struct, frozen=True, eq=False):
    """An index of texts. A slot is a text's place in it.

    Attributes:
        ids: The video of each slot.
        by_id: The slots in the order of their videos.
        standing: `standing_of` each slot; 0 where its text is gone.
        is_whole: Whether none is gone.
        units: All texts in blocks; the first block belongs to none.
        slots: The slot of each block.
        starts: Where each text begins.
        title_ends: Where each title ends.
        bounds: Where the places of each unit begin in `places`; one more than there are units.
        places: Where each unit stands, but for blanks.
    """

    ids: Array
    by_id: Array
    standing: Array
    is_whole: bool
    units: Array
    slots: Array
    starts: Array
    title_ends: Array
    bounds: Array
    places: Array

    def slots_of(self, ids: Array) -> Array:
        """The slots of videos; -1 where there is none."""
        if not len(self.ids):
            return np.full(len(ids), -1)
        near = np.searchsorted(self.ids, ids, sorter=self.by_id)
        slots = self.by_id[np.minimum(near, len(self.ids) - 1)]
        return np.where((self.ids[slots] == ids) & (self.standing[slots] != 0), slots, -1)

    def has_text(self, slot: int, text: Text) -> bool:
        """Whether a slot's text and title are these."""
        units = units_of(f"{text.joined}\0")
        start = int(self.starts[slot])
        held = self.units[start : start + len(units)]
        return np.array_equal(held, units) and int(self.title_ends[slot]) - start == len(units_of(text.title))

    def with_standing(self, slots: Array, standing: Array) -> Segment:
        """The same with some slots that stand elsewhere, or are gone."""
        changed = self.standing.copy()
        changed[slots] = standing
        return msgspec.structs.replace(self, standing=changed, is_whole=bool(changed.all()))

    def part(self) -> Part:
        """What of it is not gone."""
        there = self.standing != 0
        blocks = self.units.reshape(-1, BLOCK)[1:]
        return Part(
            self.ids[there],
            self.standing[there],
            np.bincount(self.slots[1:], minlength=len(self.ids)).astype(np.int32)[there],
            (self.title_ends - self.starts)[there],
            blocks[there[self.slots[1:]]].reshape(-1),
        )


def segment_of(parts: Sequence[Part]) -> Segment:
    """Index texts."""
    sizes = _joined([one.sizes for one in parts], np.int32)
    units = _joined([np.zeros(BLOCK, np.uint16), *(one.units for one in parts)], np.uint16)
    ids = _joined([one.ids for one in parts], np.int32)
    starts = ((_starts(sizes) + 1) * BLOCK).astype(np.int32)
    bounds, places = _index(units)
    slots = np.repeat(np.arange(len(ids), dtype=np.int32), sizes)
    return Segment(
        ids=ids,
        by_id=np.argsort(ids, kind="stable").astype(np.int32),
        standing=_joined([one.standing for one in parts], np.int64),
        is_whole=True,
        units=units,
        slots=np.concatenate([np.zeros(1, np.int32), slots]),
        starts=starts,
        title_ends=starts + _joined([one.title_sizes for one in parts], np.int32),
        bounds=bounds,
        places=places,
    )


def _joined(parts: Sequence[Array], kind: type[np.generic]) -> Array:
    joined: Array = np.concatenate([np.zeros(0, kind), *parts])
    return joined


def _index(units: Array) -> tuple[Array, Array]:
    """Where the places of each unit begin, and the places: by unit, then as they stand."""
    counts = np.zeros(UNITS, np.int64)
    for first in range(0, len(units), SORTED_AT_ONCE):
        counts += np.bincount(units[first : first + SORTED_AT_ONCE], minlength=UNITS)
    counts[: BLANK + 1] = 0
    bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    places = np.empty(int(bounds[-1]), np.int32)
    free = bounds[:-1].copy()
    for found, sorted_units in _sorted_places(units):
        starts = np.searchsorted(sorted_units, np.arange(UNITS))
        places[np.arange(len(found)) + (free - starts)[sorted_units]] = found
        free += np.bincount(sorted_units, minlength=UNITS)
    return bounds, places


def _sorted_places(units: Array) -> Iterator[tuple[Array, Array]]:
    """Places by unit, and these units, a stretch of the texts at a time."""
    for first in range(0, len(units), SORTED_AT_ONCE):
        stretch = units[first : first + SORTED_AT_ONCE]
        there = np.flatnonzero(stretch > BLANK)
        order = there[np.argsort(stretch[there], kind="stable")]
        yield (order + first).astype(np.int32), stretch[order]
