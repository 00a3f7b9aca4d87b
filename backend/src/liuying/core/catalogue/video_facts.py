"""The facts that orders depend on, by video: about twenty bytes each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from liuying.core.catalogue.sort_orders import SCORE_COLUMNS

FACTS = np.dtype([("category_id", np.int32), *((name, np.int64) for name in SCORE_COLUMNS)])
NO_FACT = (0,) * (1 + len(SCORE_COLUMNS))
# Ids are dense; where they are not, only the parts in use take memory.
CHUNK_BITS = 14
CHUNK_MASK = (1 << CHUNK_BITS) - 1

Array = NDArray[Any]


class Fact(msgspec.Struct, frozen=True):
    """A listed video: its category, and its scores in the order of `SCORE_COLUMNS`."""

    category_id: int
    scores: tuple[int, ...]


class VideoFacts:
    """The facts of every listed video. Category 0, which no video has, marks a missing entry."""

    def __init__(self) -> None:
        self._chunks: dict[int, Array] = {}

    def fill(self, ids: Array, facts: Array) -> None:
        """Set the facts of many videos at once, in ascending order of ids."""
        numbers = ids >> CHUNK_BITS
        starts = np.flatnonzero(np.diff(numbers, prepend=-1)).tolist()
        for start, end in pairwise([*starts, len(ids)]):
            self._chunk(int(numbers[start]))[ids[start:end] & CHUNK_MASK] = facts[start:end]

    def take(self, ids: Array) -> Array:
        """The facts of many videos; category 0 for unlisted ones."""
        taken = np.zeros(len(ids), FACTS)
        for number, chosen in _by_chunk(ids):
            if (chunk := self._chunks.get(number)) is not None:
                taken[chosen] = chunk[ids[chosen] & CHUNK_MASK]
        return taken

    def get(self, id_: int) -> Fact | None:
        chunk = self._chunks.get(id_ >> CHUNK_BITS)
        if chunk is None:
            return None
        category_id, *scores = chunk[id_ & CHUNK_MASK].item()
        return Fact(category_id, tuple(scores)) if category_id else None

    def set(self, id_: int, fact: Fact | None) -> None:
        """Set the facts of a video, or forget them with None."""
        values = NO_FACT if fact is None else (fact.category_id, *fact.scores)
        self._chunk(id_ >> CHUNK_BITS)[id_ & CHUNK_MASK] = values

    def _chunk(self, number: int) -> Array:
        if number not in self._chunks:
            self._chunks[number] = np.zeros(1 << CHUNK_BITS, FACTS)
        return self._chunks[number]


def _by_chunk(ids: Array) -> Iterator[tuple[int, Array]]:
    """The chunks that contain some ids, each with the positions of these ids."""
    numbers = ids >> CHUNK_BITS
    for number in np.unique(numbers):
        yield int(number), np.flatnonzero(numbers == number)
