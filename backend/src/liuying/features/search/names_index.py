"""The names of artists and labels in memory, from which they are offered while somebody types.

It offers what the statements of `spellings` and `shown_names` offer, and names whose characters are
read in rarer ways than are stored. It is read anew beside the server after a name has changed;
until then the database answers.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from itertools import accumulate, islice, pairwise

import msgspec
import numpy as np
import sqlalchemy as sa

from liuying.features.search.matching import slots_with
from liuying.features.search.pinyin import Syllables
from liuying.features.search.postings import Array
from liuying.features.search.queries.shown_names import (
    NAMES,
    Kind,
    NameSource,
    ids_shown,
    spelled_names,
)
from liuying.features.search.queries.spellings import (
    MAX_SIMILAR_NAMES,
    SHARED_SIGN,
    SHARED_SYLLABLE,
)
from liuying.features.search.query import Word
from liuying.features.search.reading_matches import slots_nearly_read, slots_read_as
from liuying.features.search.segments import Segment, Text, part_of, segment_of
from liuying.features.search.title_matches import LAST_OF_ONE_UNIT, slots_beginning
from liuying.kit.changes import CacheTopic, newest_change
from liuying.kit.database import Database

# Nearly every name is shown: only a row of names without videos takes a second look.
FIRST_LOOK, LOOK_GROWTH = 6, 4
# Between names in one text: no folded text contains a line end.
SEPARATOR = "\n"


class _State(msgspec.Struct, frozen=True, eq=False):
    """All names as of one change: of the first kind by number, then of the next.

    Attributes:
        stamp: The newest change of names; what was read afterwards is at least as new.
        names: As they are shown.
        numbers: Of the artists and labels that have them.
        bounds: Where the names of each kind begin, and where the last ones end.
        segment: As they are spelled; a name's id there is its place here.
        folded: All spellings, one after another.
        ends: Where each of them ends in `folded`.
    """

    stamp: int
    names: list[str]
    numbers: Array
    bounds: list[int]
    segment: Segment | None
    folded: str
    ends: Array


class NamesIndex:
    """The names of one process.

    Args:
        database: Where they are stored.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._state: _State | None = None
        self._reading = threading.Lock()

    def read_again(self) -> None:
        """Read all names if any has changed since the last call."""
        with self._reading, self._database.read() as connection:
            # First: what is read afterwards is at least as new.
            stamp = newest_change(connection, CacheTopic.NAMES)
            if self._state is None or self._state.stamp != stamp:
                self._state = _state_of(connection, stamp)

    def forget(self) -> None:
        """Drop everything: the change log may be another one with the same numbers."""
        with self._reading:
            self._state = None

    def beginning(
        self, connection: sa.Connection, start: str, most: int
    ) -> list[tuple[Kind, str]] | None:
        """At most so many names of each kind that begin as typed, or contain it if it is more than
        letters, by number; None if the database must answer.

        Args:
            start: What was typed (`prefixes.typed_start`).
        """
        state = self._seen_by(connection)
        if state is None or any(sign > LAST_OF_ONE_UNIT for sign in start):
            return None
        return _first_shown(connection, state, _places_typed(state, start), most)

    def nearly_read(
        self, connection: sa.Connection, syllables: Syllables, most: int
    ) -> list[tuple[Kind, str]] | None:
        """At most so many names of each kind that are read like syllables but for one, by number;
        None if the database must answer.

        Args:
            syllables: What was typed, at least two.
        """
        state = self._seen_by(connection)
        if state is None:
            return None
        if state.segment is None:
            return []
        places = slots_nearly_read(state.segment, syllables)
        return _first_shown(connection, state, places, most)

    def alike(
        self, connection: sa.Connection, signs: Collection[str], syllables: Collection[str]
    ) -> list[str] | None:
        """Names that share characters or syllables, first those that share most, then the
        shortest; None if the database must answer.
        """
        state = self._seen_by(connection)
        if state is None or any(sign > LAST_OF_ONE_UNIT for sign in signs):
            return None
        if state.segment is None:
            return []
        likeness = np.zeros(len(state.names), np.int32)
        for sign in signs:
            likeness[slots_with(state.segment, Word((sign,)))] += SHARED_SIGN
        for syllable in syllables:
            likeness[slots_read_as(state.segment, syllable)] += SHARED_SYLLABLE
        ranked = sorted(
            (-shared, len(name), name)
            for shared, name in zip(likeness.tolist(), state.names, strict=True)
            if shared
        )
        # A name of both kinds is in there twice.
        return list(dict.fromkeys(name for _shared, _length, name in ranked))[:MAX_SIMILAR_NAMES]

    def _seen_by(self, connection: sa.Connection) -> _State | None:
        state = self._state
        if state is None or state.stamp != newest_change(connection, CacheTopic.NAMES):
            return None
        return state


def _state_of(connection: sa.Connection, stamp: int) -> _State:
    rows = [spelled_names(connection, source) for source in NAMES]
    every = [row for some in rows for row in some]
    folded = [row.folded for row in every]
    texts = [Text(place, one, one, 0) for place, one in enumerate(folded)]
    return _State(
        stamp,
        [row.name for row in every],
        np.array([row.id for row in every], np.int64),
        [0, *accumulate(map(len, rows))],
        segment_of(part_of(texts)) if texts else None,
        SEPARATOR.join(folded),
        np.cumsum([len(one) + len(SEPARATOR) for one in folded]),
    )


def _places_typed(state: _State, start: str) -> Array:
    if state.segment is None:
        return np.zeros(0, np.int64)
    begun = slots_beginning(state.segment, start)
    if start.isascii():
        return begun
    holding = np.fromiter(_occurrences(state.folded, start), np.int64)
    return np.concatenate([begun, state.ends.searchsorted(holding, side="right")])


def _occurrences(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)


def _first_shown(
    connection: sa.Connection, state: _State, places: Array, most: int
) -> list[tuple[Kind, str]]:
    """The first of some names of each kind that listed videos have."""
    places = np.unique(places)
    found: list[tuple[Kind, str]] = []
    for source, (begin, end) in zip(NAMES, pairwise(state.bounds), strict=True):
        first, last = places.searchsorted([begin, end])
        shown = _shown(connection, source, state.numbers, places[first:last])
        found += [(source.kind, state.names[place]) for place in islice(shown, most)]
    return found


def _shown(
    connection: sa.Connection, source: NameSource, numbers: Array, places: Array
) -> Iterator[int]:
    """The places of the names that listed videos have, as far as they are asked for."""
    look = FIRST_LOOK
    while len(places):
        some, places = places[:look], places[look:]
        asked = numbers.take(some)
        yield from some[np.isin(asked, ids_shown(connection, source, asked.tolist()))].tolist()
        look *= LOOK_GROWTH
