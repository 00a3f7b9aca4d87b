"""Texts in memory with the places of every character, which find a word without the database.

A segment stores texts as UTF-16 units, each text at the start of a block, so that a place alone
identifies its text. It never changes except for scores; a changed text is a new text in another
segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    ranges,
    starts_of_sizes,
)
from liuying.features.search.text_marks import UNIT_BYTES, texts_of_common_words, texts_of_units
from liuying.features.search.title_places import SEPARATOR, TitlePlaces, title_places


class Text(msgspec.Struct, frozen=True, array_like=True):
    """What a video is found and ranked by, as stored in `search_document`."""

    video_id: int
    title: str
    text: str
    score: int

    @property
    def searched(self) -> str:
        """Its title and everything it is found by, without repeating the title where the text
        begins with it.
        """
        end = len(self.title)
        if self.text.startswith(self.title) and self.text[end : end + 1] in {"", " "}:
            return self.text
        return f"{self.title}{SEPARATOR}{self.text}"


def units_of(text: str) -> Array:
    """A text in UTF-16, in which sequences of characters are sequences of units."""
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)


def text_of(units: Array) -> str:
    """The text of some units."""
    return units.tobytes().decode("utf-16-le", "surrogatepass")


class Part(msgspec.Struct, frozen=True, eq=False):
    """Texts that are not indexed yet.

    Attributes:
        ids: Their videos.
        scores: Their scores.
        sizes: Number of blocks per text.
        title_sizes: Number of units per title.
        units: A block that belongs to no text, and their blocks; each text is followed by at least
            one 0.
    """

    ids: Array
    scores: Array
    sizes: Array
    title_sizes: Array
    units: Array


# Places are signed numbers of 32 bits with one more bit, and indexing takes as much memory again as
# what it makes: more texts than that are several segments.
MAX_UNITS = 1 << 26


# Of a part's arrays.
KINDS = (np.int32, np.int32, np.int32, np.int32, np.uint16)


def part_of(texts: Sequence[Text]) -> Part:
    """Texts laid out in blocks."""
    # No folded text contains a line end.
    lines = units_of("".join(f"{one.searched}\n" for one in texts)).copy()
    ends = np.flatnonzero(lines == ord("\n"))
    lines[ends] = 0
    lengths = np.diff(ends, prepend=-1)
    sizes = (lengths + BLOCK - 1) >> BLOCK_BITS
    units = np.zeros((1 + int(sizes.sum())) * BLOCK, np.uint16)
    units[BLOCK:][ranges(starts_of_sizes(sizes) * BLOCK, lengths)] = lines
    titles = units_of("".join(f"{one.title}\n" for one in texts))
    return Part(
        ids=np.array([one.video_id for one in texts], np.int32),
        scores=np.array([one.score for one in texts], np.int32),
        sizes=sizes.astype(np.int32),
        title_sizes=(np.diff(np.flatnonzero(titles == ord("\n")), prepend=-1) - 1).astype(np.int32),
        units=units,
    )


class Joining:
    """Parts that are merged as they come: a list of the parts of a million texts would fragment as
    much memory again.
    """

    def __init__(self) -> None:
        self._buffers = [bytearray() for _ in KINDS]

    def __len__(self) -> int:
        """The number of units so far."""
        return len(self._buffers[-1]) // UNIT_BYTES

    def add(self, part: Part) -> None:
        """Append a part."""
        for name, buffer in zip(Part.__struct_fields__[:-1], self._buffers, strict=False):
            buffer.extend(getattr(part, name).tobytes())
        self._buffers[-1].extend(part.units[BLOCK:].tobytes())

    def take(self) -> Part:
        """All of them as one part; nothing is left."""
        buffers, self._buffers = self._buffers, [bytearray() for _ in KINDS]
        buffers[-1][:0] = bytes(BLOCK * UNIT_BYTES)
        return Part(*map(np.frombuffer, buffers, KINDS))


def in_ranges(parts: Iterable[Part]) -> Iterator[Part]:
    """Parts in the order of their ids, merged into as few as segments can hold."""
    joining = Joining()
    for part in parts:
        if len(joining) and len(joining) + len(part.units) > MAX_UNITS:
            yield joining.take()
        joining.add(part)
    if len(joining):
        yield joining.take()


def joined(parts: Iterable[Part]) -> Part:
    """Several parts merged, by id."""
    joining = Joining()
    for part in parts:
        joining.add(part)
    ids, scores, sizes, title_sizes, units = msgspec.structs.astuple(joining.take())
    if np.all(ids[1:] > ids[:-1]):
        return Part(ids, scores, sizes, title_sizes, units)
    order = np.argsort(ids, kind="stable")
    blocks = units[BLOCK:].reshape(-1, BLOCK)[ranges(starts_of_sizes(sizes)[order], sizes[order])]
    units = np.concatenate([units[:BLOCK], blocks.reshape(-1)])
    return Part(ids[order], scores[order], sizes[order], title_sizes[order], units)


class Segment(msgspec.Struct, frozen=True, eq=False):
    """An index of texts. A slot is a text's index in it.

    Attributes:
        ids: The video of each slot, ascending.
        scores: The score of each slot, in as few bits as possible (`narrowed`).
        is_there: Whether a slot's text still exists.
        is_whole: Whether all do.
        blocks: The texts.
        singles: Which texts contain a single unit (`texts_of_units`).
        common: Which texts contain very common words, by their UTF-16.
        pairs: Where pairs of neighbours occur.
        titles: Where the titles begin.
    """

    ids: Array
    scores: Array
    is_there: Array
    is_whole: bool
    blocks: Blocks
    singles: Postings
    common: Mapping[bytes, Array]
    pairs: Postings
    titles: TitlePlaces

    def slots_of(self, ids: Array) -> Array:
        """The slots of videos; -1 for missing ones."""
        near = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where((self.ids[near] == ids) & self.is_there[near], near, -1)

    def has_text(self, slot: int, text: Text) -> bool:
        """Whether a slot has this text and title."""
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
        """The part of it that still exists."""
        there, blocks = self.is_there, self.blocks
        starts, sizes = blocks.starts[:-1][there], np.diff(blocks.starts)[there] >> BLOCK_BITS
        texts = blocks.units.reshape(-1, BLOCK)[ranges(starts >> BLOCK_BITS, sizes)]
        units = np.concatenate([blocks.units[:BLOCK], texts.reshape(-1)])
        scores = self.scores[there].astype(np.int32)
        return Part(self.ids[there], scores, sizes, blocks.title_ends[there] - starts, units)


def narrowed(scores: Array) -> Array:
    """Scores in 16 bits where they fit: less memory to wait for in scattered look-ups."""
    return (
        scores.astype(np.int16)
        if np.array_equal(scores.astype(np.int16), scores)
        else scores.astype(np.int32)
    )


def segment_of(part: Part) -> Segment:
    """Index at least one text."""
    starts = (np.concatenate([[1], np.cumsum(part.sizes) + 1]) * BLOCK).astype(np.int32)
    blocks = Blocks(
        units=part.units,
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
        titles=title_places(blocks),
    )


def fit_together(one: Segment, other: Segment) -> bool:
    """Whether one segment can hold the texts of both."""
    return len(one.blocks.units) + len(other.blocks.units) <= MAX_UNITS
