"""Texts in memory with the places of every character: what a word is found by without asking the database.

A segment holds texts as UTF-16 units, each text at the beginning of a block, so that a place alone tells the text that
it lies in. It never changes but for where its texts stand; what changes in a text is a new text in another segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from liuying.domains.search.postings import (
    BLOCK,
    BLOCK_BITS,
    Array,
    Postings,
    postings_of_pairs,
    postings_of_units,
    texts_of_units,
)

# A score and an id in one number whose order is theirs. A text that is gone has 0, which nothing else has.
ID_BITS, SCORE_BIAS = 32, 1 << 27
GONE = 0


class Text(msgspec.Struct, frozen=True, array_like=True):
    """What a video is found by and ranked by, as `search_document` has it."""

    video_id: int
    title: str
    text: str
    score: int

    @property
    def searched(self) -> str:
        """Its title, and all that it is found by: the rest of its text where that begins with the title anyway."""
        end = len(self.title)
        if self.text.startswith(self.title) and self.text[end : end + 1] in {"", " "}:
            return self.text
        return f"{self.title}\t{self.text}"


def standing_of(scores: Array, ids: Array) -> Array:
    """What texts are ranked by: the score, then the number."""
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


# Of a part's arrays.
KINDS = (np.int32, np.int64, np.int32, np.int32, np.uint16)


def part_of(texts: Sequence[Text]) -> Part:
    """Texts, laid out in blocks."""
    # No folded text has a line end in it.
    lines = units_of("".join(f"{one.searched}\n" for one in texts)).copy()
    ends = np.flatnonzero(lines == ord("\n"))
    lines[ends] = 0
    lengths = np.diff(ends, prepend=-1)
    sizes = (lengths + BLOCK - 1) >> BLOCK_BITS
    units = np.zeros(int(sizes.sum()) * BLOCK, np.uint16)
    units[ranges(_starts(sizes) * BLOCK, lengths)] = lines
    titles = units_of("".join(f"{one.title}\n" for one in texts))
    ids = np.array([one.video_id for one in texts], np.int32)
    return Part(
        ids=ids,
        standing=standing_of(np.array([one.score for one in texts], np.int64), ids),
        sizes=sizes.astype(np.int32),
        title_sizes=(np.diff(np.flatnonzero(titles == ord("\n")), prepend=-1) - 1).astype(np.int32),
        units=units,
    )


def joined(parts: Iterable[Part]) -> Part:
    """All of several parts, by number."""
    # Grown as they come: a list of a million texts' parts would leave holes in the memory that take as much again.
    names, buffers = Part.__struct_fields__, [bytearray() for _ in KINDS]
    for part in parts:
        for name, buffer in zip(names, buffers, strict=True):
            buffer.extend(getattr(part, name).tobytes())
    ids, standing, sizes, title_sizes, units = map(np.frombuffer, buffers, KINDS)
    if np.all(ids[1:] > ids[:-1]):
        return Part(ids, standing, sizes, title_sizes, units)
    order = np.argsort(ids, kind="stable")
    blocks = units.reshape(-1, BLOCK)[ranges(_starts(sizes)[order], sizes[order])]
    return Part(ids[order], standing[order], sizes[order], title_sizes[order], blocks.reshape(-1))


def ranges(starts: Array, sizes: Array) -> Array:
    """The numbers from each start on, so many as its size says, one behind another."""
    numbers: Array = np.arange(int(sizes.sum())) + np.repeat(starts - _starts(sizes), sizes)
    return numbers


def _starts(sizes: Array) -> Array:
    """Where things of these sizes begin, one behind another."""
    starts: Array = np.cumsum(sizes) - sizes
    return starts


class Segment(msgspec.Struct, frozen=True, eq=False):
    """An index of texts. A slot is a text's place in it.

    Attributes:
        ids: The video of each slot; they rise.
        standing: `standing_of` each slot; `GONE` where its text is gone.
        is_whole: Whether none is gone.
        units: All texts in blocks; the first block belongs to none.
        slots: The slot of each block.
        starts: Where each text begins, and where the last one ends.
        title_ends: Where each title ends.
        singles: Which texts hold single units (`texts_of_units`).
        pairs: Where pairs of neighbours stand.
    """

    ids: Array
    standing: Array
    is_whole: bool
    units: Array
    slots: Array
    starts: Array
    title_ends: Array
    singles: Postings
    pairs: Postings

    def slots_of(self, ids: Array) -> Array:
        """The slots of videos; -1 where there is none."""
        near = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where((self.ids[near] == ids) & (self.standing[near] != GONE), near, -1)

    def has_text(self, slot: int, text: Text) -> bool:
        """Whether a slot's text and title are these."""
        units = units_of(f"{text.searched}\0")
        start = int(self.starts[slot])
        held = self.units[start : start + len(units)]
        return np.array_equal(held, units) and int(self.title_ends[slot]) - start == len(units_of(text.title))

    def with_standing(self, slots: Array, standing: Array) -> Segment:
        """The same where some slots stand elsewhere, or are gone."""
        changed = self.standing.copy()
        changed[slots] = standing
        return msgspec.structs.replace(self, standing=changed, is_whole=bool((changed != GONE).all()))

    def part(self) -> Part:
        """What of it is not gone."""
        there = self.standing != GONE
        starts, sizes = self.starts[:-1][there], np.diff(self.starts)[there] >> BLOCK_BITS
        blocks = self.units.reshape(-1, BLOCK)[ranges(starts >> BLOCK_BITS, sizes)]
        title_sizes = self.title_ends[there] - starts
        return Part(self.ids[there], self.standing[there], sizes, title_sizes, blocks.reshape(-1))


def segment_of(part: Part) -> Segment:
    """Index texts, one at least."""
    units = np.concatenate([np.zeros(BLOCK, np.uint16), part.units])
    starts = (np.concatenate([[1], np.cumsum(part.sizes) + 1]) * BLOCK).astype(np.int32)
    slots = np.concatenate([[0], np.repeat(np.arange(len(part.ids)), part.sizes)]).astype(np.int32)
    title_ends = starts[:-1] + part.title_sizes
    places = postings_of_units(units, slots, title_ends)
    return Segment(
        ids=part.ids,
        standing=part.standing,
        is_whole=True,
        units=units,
        slots=slots,
        starts=starts,
        title_ends=title_ends,
        singles=texts_of_units(places, slots, starts),
        pairs=postings_of_pairs(units, places),
    )
