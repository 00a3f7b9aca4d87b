"""All texts in memory as of one change, from which searches are answered without waiting for the
database.

It is filled once and then follows the change log; each process has its own. What many texts take to
read, the processes of a machine share (`saved_texts`). It finds what the statements of `query`
find, in the same order. A state is never modified: the next one replaces it, so readers are not
disturbed.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence
from time import monotonic

import msgspec
import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue.queries.change_log import VideoLog
from liuying.features.search.matching import found_in
from liuying.features.search.pinyin import Syllables
from liuying.features.search.postings import Array
from liuying.features.search.queries.texts import READ_AT_ONCE, all_parts, texts_of
from liuying.features.search.query import Query
from liuying.features.search.ranking import Ranking, in_order
from liuying.features.search.reading_matches import read_in, slots_nearly_read
from liuying.features.search.saved_folder import Saved, in_memory
from liuying.features.search.saved_texts import SavedTexts
from liuying.features.search.segments import (
    Part,
    Segment,
    Text,
    fit_together,
    in_ranges,
    joined,
    part_of,
    segment_of,
)
from liuying.features.search.sounds import SOUNDS
from liuying.features.search.title_matches import LAST_OF_ONE_UNIT, best, titles_beginning
from liuying.kit.database import Database
from liuying.kit.freed_memory import give_memory_back

# Changes applied at once: what is copied for them is copied once.
FOLLOWED_AT_ONCE = 2_000
# Seconds between two turns of the watcher's following: many changes are applied together. A search
# that comes in between catches up by itself.
REST_S = 0.05
# A segment is merged into its predecessor unless that is so many times larger: few segments, rarely
# merged.
MUCH_LARGER = 8


class _State(msgspec.Struct, frozen=True, eq=False):
    """The texts as of one change.

    Attributes:
        seq: The change's number.
        base: What was read at once, by ranges of videos.
        fresh: What has changed since, the oldest first.
        ids: The videos of all slots, segment after segment.
    """

    seq: int
    base: tuple[Segment, ...]
    fresh: tuple[Segment, ...]
    ids: Array

    @property
    def segments(self) -> tuple[Segment, ...]:
        return self.base + self.fresh


def _state_of(seq: int, base: Sequence[Segment], fresh: Sequence[Segment]) -> _State:
    ids = [segment.ids for segment in (*base, *fresh)]
    all_ids = ids[0] if len(ids) == 1 else np.concatenate([np.zeros(0, np.int32), *ids])
    return _State(seq, tuple(base), tuple(fresh), all_ids)


class MemoryIndex:
    """The texts of one process.

    Args:
        database: Where they are stored.
        log: The log that it follows.
        saved: What the machine's processes have read; None for reading alone.
    """

    def __init__(self, database: Database, log: VideoLog, saved: SavedTexts | None = None) -> None:
        self._database = database
        self._log = log
        self._saved = saved
        self._state: _State | None = None
        self._following = threading.Lock()
        self._rests_until = -math.inf

    @property
    def is_ready(self) -> bool:
        """Whether the texts are in memory; until then the database answers."""
        return self._state is not None

    def newest_number(self, connection: sa.Connection) -> int:
        """The newest change visible to a connection: while it stays the same, so do all results."""
        return self._log.newest_number(connection)

    def build(self) -> None:
        """Take what another process of the machine has read, or read everything from the database,
        unless that has been done.
        """
        if self._state is not None:
            return
        with self._database.read() as connection:

            def read() -> tuple[int, Iterable[Segment]]:
                # First: what is read afterwards is at least as new.
                seq = self._log.newest_number(connection)
                return seq, map(_indexed, in_ranges(all_parts(connection)))

            found = in_memory(read) if self._saved is None else self._saved.shared(connection, read)
            built = _state_of(found.seq, found.base, found.fresh)
            for segment in built.segments:
                SOUNDS.learn(segment.singles.codes)
            connection.rollback()  # Following starts with what was written since.
            with self._following:
                self._state = self._caught_up(connection, built, self._log)
            if self._state is None and self._saved is not None:
                self._saved.discard()

    def save(self) -> None:
        """Leave what is in memory to the next start, where that is worth it and due."""
        if self._saved is not None and (state := self._state) is not None:
            self._saved.save(Saved(state.seq, state.base, state.fresh))

    def end(self) -> None:
        """Wait for no other process any more: this one ends."""
        if self._saved is not None:
            self._saved.end()

    def follow(self, connection: sa.Connection, log: VideoLog | None = None) -> None:
        """Apply the changes since the last call, unless that was a moment ago (`REST_S`). Where the
        log cannot tell, everything is dropped and rebuilt.

        Args:
            log: The log as of one moment; None for as it is.
        """
        if self._is_resting:
            return
        self._rests_until = monotonic() + REST_S
        log = log or self._log
        self._advance(connection, log)
        state = self._state
        if state is not None and log.newest_number(connection) < state.seq:
            # Either others have followed meanwhile, or an older database was restored.
            connection.rollback()
            if self._log.newest_number(connection) < state.seq:
                self._state = None

    def has_followed(self, newest: int) -> bool:
        """Whether `follow` would change nothing if this is the newest change."""
        state = self._state
        return state is None or state.seq == newest or self._is_resting

    @property
    def _is_resting(self) -> bool:
        return monotonic() < self._rests_until

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
            self._advance(connection, self._log)
            state = self._state
            # A connection may see more with every statement: what came since it asked may be
            # missing, and nothing may be there that it does not see.
            if state is not None and not (
                newest <= state.seq <= self._log.newest_number(connection)
            ):
                return None
        return state

    def _advance(self, connection: sa.Connection, log: VideoLog) -> None:
        """Apply changes as far as a connection sees them; an older view changes nothing."""
        with self._following:
            if self._state is not None and self._state.seq < log.newest_number(connection):
                self._state = self._caught_up(connection, self._state, log)

    def _caught_up(self, connection: sa.Connection, state: _State, log: VideoLog) -> _State | None:
        while True:
            found = log.changes_after(connection, state.seq, FOLLOWED_AT_ONCE)
            if found is None:
                return None
            if found.seq == state.seq:
                return state
            ids = found.video_ids
            renewed = _renewed(state, found.seq, ids, texts_of(connection, ids))
            if renewed is None or found.is_rest:
                return renewed
            state = renewed


def _indexed(part: Part) -> Segment:
    # What reading took is not needed beside what indexing takes.
    give_memory_back()
    return segment_of(part)


def _renewed(state: _State, seq: int, ids: Sequence[int], texts: dict[int, Text]) -> _State | None:
    """The state in which some videos have the given `texts`, and none if they are missing there.

    None if so much is new that what was read at once would have to be merged: that is a rebuild.
    """
    numbers = np.array(ids, np.int64)
    fresh = dict(texts)
    renewed = []
    for segment in state.segments:
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
    known_texts, changed = renewed[: len(state.base)], renewed[len(state.base) :]
    if not fresh:
        return _state_of(seq, known_texts, changed)
    changed.append(segment_of(joined([part_of(list(fresh.values()))])))
    return _compacted(seq, known_texts, changed)


def _compacted(seq: int, base: list[Segment], fresh: list[Segment]) -> _State | None:
    while len(fresh) > 1 and _are_close(fresh[-2], fresh[-1]):
        *fresh, one, other = fresh
        fresh.append(segment_of(joined([one.part(), other.part()])))
    read = sum(len(one.ids) for one in base)
    if sum(len(one.ids) for one in fresh) * MUCH_LARGER <= read:
        return _state_of(seq, base, fresh)
    if read > READ_AT_ONCE:
        return None
    return _state_of(seq, [segment_of(joined([one.part() for one in (*base, *fresh)]))], ())


def _are_close(older: Segment, newer: Segment) -> bool:
    """Whether two segments are to be one."""
    return len(newer.ids) * MUCH_LARGER > len(older.ids) and fit_together(older, newer)
