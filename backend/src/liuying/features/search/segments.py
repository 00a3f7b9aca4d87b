"""Texts in memory with the places of every character: what a word is found by without asking the
database.

A segment holds texts as UTF-16 units, each text at the beginning of a block, so that a place alone
tells the text that it lies in. It never changes but for its texts' scores; what changes in a text
is a new text in another segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from liuying.features.search.postings import (
    BLOCK,
    BLOCK_BITS,
    Array,
    Blocks,
    Postings,
    postings_of_pairs,
    postings_of_units,
)
from liuying.features.search.text_marks import UNIT_BYTES, texts_of_common_words, texts_of_units


class Text(msgspec.Struct, frozen=True, array_like=True):
    """What a video is found by and ranked by, as `search_document` has it."""

    video_id: int
    title: str
    text: str
    score: int

    @property
    def searched(self) -> str:
        """Its title, and all that it is found by: the rest of its text where that begins with the
        title anyway.
        """
        end = len(self.title)
        if self.text.startswith(self.title) and self.text[end : end + 1] in {"", " "}:
            return self.text
        return f"{self.title}\t{self.text}"


def units_of(text: str) -> Array:
    """A text in UTF-16, whose sequences are found where those of characters are."""
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)


def text_of(units: Array) -> str:
    """The text of some units."""
    return units.tobytes().decode("utf-16-le", "surrogatepass")


class Part(msgspec.Struct, frozen=True, eq=False):
    """Texts that are not indexed yet.

    Attributes:
        ids: Numbers of their videos.
        scores: What they are ranked by.
        sizes: How many blocks each takes.
        title_sizes: How many units its title has.
        units: Their blocks; each text is followed by at least one 0.
    """

    ids: Array
    scores: Array
    sizes: Array
    title_sizes: Array
    units: Array


# A place and a bit beside it are a number of 32 bits with a sign: room for ten million texts of a
# hundred units.
MAX_UNITS = 1 << 30


class TooManyUnitsError(Exception):
    """Texts have more units than places in them can be numbered."""


# Of a part's arrays.
KINDS = (np.int32, np.int32, np.int32, np.int32, np.uint16)


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
    return Part(
        ids=np.array([one.video_id for one in texts], np.int32),
        scores=np.array([one.score for one in texts], np.int32),
        sizes=sizes.astype(np.int32),
        title_sizes=(np.diff(np.flatnonzero(titles == ord("\n")), prepend=-1) - 1).astype(np.int32),
        units=units,
    )


def joined(parts: Iterable[Part]) -> Part:
    """All of several parts, by number.

    Raises:
        TooManyUnitsError: They have more than a segment may have.
    """
    # Grown as they come: a list of a million texts' parts would leave holes in the memory that take
    # as much again.
    names, buffers = Part.__struct_fields__, [bytearray() for _ in KINDS]
    for part in parts:
        for name, buffer in zip(names, buffers, strict=True):
            buffer.extend(getattr(part, name).tobytes())
        # A segment begins with a block of its own.
        if len(buffers[-1]) // UNIT_BYTES + BLOCK >= MAX_UNITS:
            raise TooManyUnitsError
    ids, scores, sizes, title_sizes, units = map(np.frombuffer, buffers, KINDS)
    if np.all(ids[1:] > ids[:-1]):
        return Part(ids, scores, sizes, title_sizes, units)
    order = np.argsort(ids, kind="stable")
    blocks = units.reshape(-1, BLOCK)[ranges(_starts(sizes)[order], sizes[order])]
    return Part(ids[order], scores[order], sizes[order], title_sizes[order], blocks.reshape(-1))


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
        scores: What each slot is ranked by, in as few bits as they need (`narrowed`).
        is_there: Whether a slot's text is not gone.
        is_whole: Whether none is gone.
        blocks: The texts.
        singles: Which texts hold single units (`texts_of_units`).
        common: Which texts hold the words that very many hold, by their UTF-16.
        pairs: Where pairs of neighbours stand.
    """

    ids: Array
    scores: Array
    is_there: Array
    is_whole: bool
    blocks: Blocks
    singles: Postings
    common: Mapping[bytes, Array]
    pairs: Postings

    def slots_of(self, ids: Array) -> Array:
        """The slots of videos; -1 where there is none."""
        near = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where((self.ids[near] == ids) & self.is_there[near], near, -1)

    def has_text(self, slot: int, text: Text) -> bool:
        """Whether a slot's text and title are these."""
        units = units_of(f"{text.searched}\0")
        start = int(self.blocks.starts[slot])
        held = self.blocks.units[start : start + len(units)]
        title_size = int(self.blocks.title_ends[slot]) - start
        return np.array_equal(held, units) and title_size == len(units_of(text.title))

    def with_changes(self, slots: Array, scores: Array, is_there: Array) -> Segment:
        """This segment with other scores in some slots, and without others."""
        narrow = narrowed(scores)
        all_scores, all_there = (
            self.scores.astype(np.result_type(self.scores, narrow)),
            self.is_there.copy(),
        )
        all_scores[slots], all_there[slots] = narrow, is_there
        is_whole = bool(all_there.all())
        return msgspec.structs.replace(
            self, scores=all_scores, is_there=all_there, is_whole=is_whole
        )

    def part(self) -> Part:
        """What of it is not gone."""
        there, blocks = self.is_there, self.blocks
        starts, sizes = blocks.starts[:-1][there], np.diff(blocks.starts)[there] >> BLOCK_BITS
        units = blocks.units.reshape(-1, BLOCK)[ranges(starts >> BLOCK_BITS, sizes)].reshape(-1)
        scores = self.scores[there].astype(np.int32)
        return Part(self.ids[there], scores, sizes, blocks.title_ends[there] - starts, units)


def narrowed(scores: Array) -> Array:
    """Scores in 16 bits where they have room: less memory to wait for when they are looked up all
    over it.
    """
    return (
        scores.astype(np.int16)
        if np.array_equal(scores.astype(np.int16), scores)
        else scores.astype(np.int32)
    )


def segment_of(part: Part) -> Segment:
    """Index texts, one at least."""
    starts = (np.concatenate([[1], np.cumsum(part.sizes) + 1]) * BLOCK).astype(np.int32)
    blocks = Blocks(
        units=np.concatenate([np.zeros(BLOCK, np.uint16), part.units]),
        slots=np.concatenate([[0], np.repeat(np.arange(len(part.ids)), part.sizes)]).astype(
            np.int32
        ),
        starts=starts,
        title_ends=starts[:-1] + part.title_sizes,
    )
    places = postings_of_units(blocks)
    pairs = postings_of_pairs(blocks.units, places)
    return Segment(
        ids=part.ids,
        scores=narrowed(part.scores),
        is_there=np.ones(len(part.ids), np.bool_),
        is_whole=True,
        blocks=blocks,
        singles=texts_of_units(blocks, places),
        common=texts_of_common_words(blocks, pairs),
        pairs=pairs,
    )
