"""All texts in memory as of one change, from which searches are answered without waiting for the
database.

It is filled once and then follows the change log; each process has its own. It finds what the
statements of `query` find, in the same order. A state is never modified: the next one replaces it,
so readers are not disturbed.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np
import sqlalchemy as sa

from liuying.features.search.matching import found_in
from liuying.features.search.pinyin import Syllables
from liuying.features.search.postings import Array
from liuying.features.search.queries.texts import READ_AT_ONCE, all_parts, texts_of
from liuying.features.search.query import Query
from liuying.features.search.ranking import Ranking, in_order
from liuying.features.search.reading_matches import read_in, slots_nearly_read
from liuying.features.search.segments import (
    Segment,
    Text,
    TooManyUnitsError,
    joined,
    part_of,
    segment_of,
)
from liuying.features.search.sounds import SOUNDS
from liuying.features.search.title_matches import LAST_OF_ONE_UNIT, best, titles_beginning
from liuying.kit.database import Database
from liuying.kit.freed_memory import give_memory_back

LOG = logging.getLogger(__name__)
# Changes applied at once: what is copied for them is copied once.
FOLLOWED_AT_ONCE = 2_000
# A segment is merged into its predecessor unless that is so many times larger: few segments, rarely
# merged.
MUCH_LARGER = 8


class ChangeLog(Protocol):
    """A numbered log of videos whose documents changed (`catalogue.change_log`)."""

    def newest_number(self, connection: sa.Connection) -> int:
        """The number of the newest change."""

    def changes_after(
        self, connection: sa.Connection, seq: int, limit: int
    ) -> tuple[int, Sequence[int]] | None:
        """The number of the last of the next changes, and their videos; None if the log cannot
        tell.
        """


class _State(msgspec.Struct, frozen=True, eq=False):
    """The texts as of one change, and the videos of all slots, segment after segment."""

    seq: int
    segments: tuple[Segment, ...]
    ids: Array


def _state_of(seq: int, segments: tuple[Segment, ...]) -> _State:
    ids = [segment.ids for segment in segments]
    return _State(
        seq, segments, ids[0] if len(ids) == 1 else np.concatenate([np.zeros(0, np.int32), *ids])
    )


class MemoryIndex:
    """The texts of one process.

    Args:
        database: Where they are stored.
        log: The log that it follows.
    """

    def __init__(self, database: Database, log: ChangeLog) -> None:
        self._database = database
        self._log = log
        self._state: _State | None = None
        self._is_too_large = False
        self._following = threading.Lock()

    @property
    def is_ready(self) -> bool:
        """Whether the texts are in memory; until then the database answers."""
        return self._state is not None

    @property
    def is_to_be_built(self) -> bool:
        """Whether they must still be built; not so once they proved too large for memory."""
        return self._state is None and not self._is_too_large

    def newest_number(self, connection: sa.Connection) -> int:
        """The newest change visible to a connection: while it stays the same, so do all results."""
        return self._log.newest_number(connection)

    def build(self) -> None:
        """Read everything from the database unless that has been done; too many texts are left
        to the database for good.
        """
        if not self.is_to_be_built:
            return
        with self._database.read() as connection:
            # First: what is read afterwards is at least as new.
            seq = self._log.newest_number(connection)
            try:
                texts = joined(all_parts(connection))
            except TooManyUnitsError:
                self._is_too_large = True
                LOG.warning(
                    "more texts than can be searched in memory: until the next start the database "
                    "answers"
                )
                return
            # What reading took is not needed beside what indexing takes.
            give_memory_back()
            built = _state_of(seq, (segment_of(texts),) if len(texts.ids) else ())
            for segment in built.segments:
                SOUNDS.learn(segment.singles.codes)
            connection.rollback()  # Following starts with what was written since.
            with self._following:
                self._state = self._caught_up(connection, built)

    def follow(self, connection: sa.Connection) -> None:
        """Apply the changes since the last call. Where the log cannot tell, everything is
        dropped and rebuilt.
        """
        self._advance(connection)
        state = self._state
        if state is not None and self._log.newest_number(connection) < state.seq:
            # Either others have followed meanwhile, or an older database was restored.
            connection.rollback()
            if self._log.newest_number(connection) < state.seq:
                self._state = None

    def forget(self) -> None:
        """Drop everything, to be built again: the log may be another one with the same numbers."""
        with self._following:
            self._state = None

    def find(self, connection: sa.Connection, query: Query, newest: int) -> Ranking | None:
        """The result of a query.

        None if the database must answer: the texts are not in memory, or newer than what the
        connection sees.

        Args:
            newest: `newest_number`.
        """
        state = self._seen_by(connection, newest)
        if state is None:
            return None
        if not query.words:
            return in_order(())
        found = found_in(state.segments, state.ids, query)
        return found if len(found) else read_in(state.segments, state.ids, query)

    def titles_beginning(
        self, connection: sa.Connection, start: str, limit: int, newest: int
    ) -> list[int] | None:
        """Videos whose titles begin as typed, best first; None if the database must answer, as in
        `find`.

        Args:
            start: What was typed (`prefixes.typed_start`).
            limit: How many are wanted.
            newest: `newest_number`.
        """
        if any(sign > LAST_OF_ONE_UNIT for sign in start):
            return None
        state = self._seen_by(connection, newest)
        return None if state is None else titles_beginning(state.segments, state.ids, start, limit)

    def titles_nearly_read(
        self, connection: sa.Connection, syllables: Syllables, limit: int, newest: int
    ) -> list[int] | None:
        """Videos that are read like syllables but for one, best first; None as in `find`.

        Args:
            syllables: What was typed, at least two.
            limit: How many are wanted.
            newest: `newest_number`.
        """
        state = self._seen_by(connection, newest)
        if state is None:
            return None
        return best(state.segments, state.ids, lambda one: slots_nearly_read(one, syllables), limit)

    def _seen_by(self, connection: sa.Connection, newest: int) -> _State | None:
        """The texts as a connection sees them; None if they are not in memory, or newer."""
        state = self._state
        if state is not None and state.seq != newest:
            self._advance(connection)
            state = self._state
            # Checked again: a connection may see more with every statement.
            if state is not None and state.seq != self._log.newest_number(connection):
                return None
        return state

    def _advance(self, connection: sa.Connection) -> None:
        """Apply changes as far as a connection sees them; an older view changes nothing."""
        with self._following:
            if self._state is not None and self._state.seq < self._log.newest_number(connection):
                self._state = self._caught_up(connection, self._state)

    def _caught_up(self, connection: sa.Connection, state: _State) -> _State | None:
        while True:
            found = self._log.changes_after(connection, state.seq, FOLLOWED_AT_ONCE)
            if found is None:
                return None
            seq, ids = found
            if seq == state.seq:
                return state
            try:
                segments = _renewed(state.segments, ids, texts_of(connection, ids))
            except TooManyUnitsError:  # The next build tells.
                return None
            if segments is None:
                return None
            state = _state_of(seq, segments)


def _renewed(
    segments: Sequence[Segment], ids: Sequence[int], texts: dict[int, Text]
) -> tuple[Segment, ...] | None:
    """Segments in which some videos have the given `texts`, and none if they are missing there.

    None if so much is new that the first segment would have to be merged: that is a rebuild.
    """
    numbers = np.array(ids, np.int64)
    fresh = dict(texts)
    renewed = []
    for segment in segments:
        slots = segment.slots_of(numbers)
        known = np.flatnonzero(slots >= 0)
        scores = np.zeros(len(known), np.int32)
        is_same = np.zeros(len(known), np.bool_)
        for place, (slot, video_id) in enumerate(
            zip(slots[known].tolist(), numbers[known].tolist(), strict=True)
        ):
            if video_id in texts and segment.has_text(slot, texts[video_id]):
                is_same[place], scores[place] = True, fresh.pop(video_id).score
        renewed.append(
            segment.with_changes(slots[known], scores, is_same) if len(known) else segment
        )
    if not fresh:
        return tuple(renewed)
    renewed.append(segment_of(joined([part_of(list(fresh.values()))])))
    return _compacted(renewed)


def _compacted(segments: list[Segment]) -> tuple[Segment, ...] | None:
    while len(segments) > 1 and len(segments[-1].ids) * MUCH_LARGER > len(segments[-2].ids):
        if len(segments) == 2 and len(segments[0].ids) > READ_AT_ONCE:
            return None
        *segments, one, other = segments
        segments.append(segment_of(joined([one.part(), other.part()])))
    return tuple(segments)
