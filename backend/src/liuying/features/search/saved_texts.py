"""Many texts that were read and indexed, in files that all processes of a machine map into memory.

Reading ten million texts takes a minute, and as much memory in each process. So the first process
writes what it made, and maps it instead; a later start maps it and follows the change log from
there. Pages of a file are in memory once, however many processes map it.

A `base` folder holds the segments that were read at once and never changes. A `state` folder holds
what has changed of them up to one change, and is written again every few minutes. The database
names the states that belong to it: after an older backup was restored, or in front of another
database, none of them counts, though the numbers of changes may be the same.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

import msgspec
import sqlalchemy as sa

from liuying.features.search.queries import saves
from liuying.features.search.segment_files import (
    map_segment,
    map_texts,
    size_of,
    write_changes,
    write_texts,
)
from liuying.features.search.segments import Segment
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.file_locks import held_if_free, lock_file
from liuying.kit.files import sync_folder, sync_tree
from liuying.kit.freed_memory import give_memory_back
from liuying.kit.storage_layout import LOCK_NAME

LOG = logging.getLogger(__name__)
# Of the files: another number where what they hold gets another meaning. Others are not read.
FORMAT = 1
# Fewer texts are read within two seconds.
SAVED_FROM = 200_000
# The change log keeps ten minutes: a process that is started again soon finds it whole.
SAVED_EVERY_S = 300.0
# So many times the size of a segment must be free.
ROOM = 4
NOT_SAVED = "searchable texts cannot be saved: %s"
BASE, STATE, DRAFT, ABOUT_NAME = "base-", "state-", "draft-", "about.json"


class Saved(msgspec.Struct, frozen=True, eq=False):
    """Texts as of one change.

    Attributes:
        seq: The change's number.
        base: What was read at once.
        fresh: What has changed since.
    """

    seq: int
    base: Sequence[Segment]
    fresh: Sequence[Segment] = ()


class _About(msgspec.Struct, frozen=True):
    """What a state folder says of itself."""

    format: int
    seq: int
    base: str
    base_segments: int
    fresh_segments: int


class SavedTexts:
    """The saved texts of one data folder.

    Args:
        folder: Where they are; created once there are many texts.
        database: Whose texts they are.
        clock: The current moment.
    """

    def __init__(self, folder: Path, database: Database, clock: Clock) -> None:
        self._folder = folder
        self._database = database
        self._clock = clock
        # The base that is mapped, its folder's name, and the state that was taken or written last.
        self._mapped: tuple[Segment, ...] = ()
        self._base = ""
        self._state = ""
        self._seq = 0
        self._due = 0.0

    def shared(
        self, connection: sa.Connection, read: Callable[[], tuple[int, Iterable[Segment]]]
    ) -> Saved:
        """What a process of this machine has saved, or else what is read now, which is saved.

        Args:
            read: The number of a change, and the texts as of it or newer, indexed by ranges.
        """
        self._mapped, self._base, self._state = (), "", ""
        if not saves.may_be_many(connection, SAVED_FROM):
            seq, segments = read()
            return Saved(seq, list(segments))
        with self._turn() as is_ours:
            connection.rollback()  # It may have been waited for.
            found = self._taken(connection)
            if found is None:
                seq, segments = read()
                found = Saved(seq, self._kept(segments) if is_ours else list(segments))
                if self._is_mapped(found.base):
                    self._write_state(found)
        return found

    def save(self, saved: Saved) -> None:
        """Write the current state, where its base is saved, something has changed and some minutes
        have passed.
        """
        if saved.seq == self._seq or monotonic() < self._due or not self._is_mapped(saved.base):
            return
        with suppress(OSError), held_if_free(self._folder / LOCK_NAME) as is_ours:
            # Where another process has read everything again, its base has replaced this one.
            if is_ours and (self._folder / self._base).is_dir():
                self._write_state(saved)

    def discard(self) -> None:
        """Forget the state that was taken: the change log does not tell what followed it."""
        if self._state:
            shutil.rmtree(self._folder / self._state, ignore_errors=True)

    @contextmanager
    def _turn(self) -> Iterator[bool]:
        """One process reads, the others wait for what it makes. False where nothing can be
        saved.
        """
        descriptor = -1
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            descriptor = lock_file(self._folder / LOCK_NAME, wait=True)
        except OSError as error:
            LOG.warning(NOT_SAVED, error)
        try:
            yield descriptor >= 0
        finally:
            if descriptor >= 0:
                os.close(descriptor)

    def _taken(self, connection: sa.Connection) -> Saved | None:
        states = sorted(self._folder.glob(f"{STATE}*"), key=_written_at, reverse=True)
        known = saves.known_among(connection, [one.name.removeprefix(STATE) for one in states])
        for state in states:
            if state.name.removeprefix(STATE) not in known:
                continue
            try:
                about = msgspec.json.decode((state / ABOUT_NAME).read_bytes(), type=_About)
                if about.format != FORMAT:
                    continue
                base, fresh = self._read(state, about)
            except (OSError, ValueError, msgspec.DecodeError) as error:
                LOG.warning("saved searchable texts cannot be read: %s", error)
                continue
            self._mapped, self._base, self._state = tuple(base), about.base, state.name
            self._seq, self._due = about.seq, monotonic() + SAVED_EVERY_S
            return Saved(about.seq, base, fresh)
        return None

    def _read(self, state: Path, about: _About) -> tuple[list[Segment], list[Segment]]:
        base, all_of_it = self._folder / about.base, about.base_segments + about.fresh_segments
        segments = [
            map_segment((base if number < about.base_segments else state) / str(number), place)
            for number in range(all_of_it)
            if (place := state / str(number))
        ]
        return segments[: about.base_segments], segments[about.base_segments :]

    def _kept(self, segments: Iterable[Segment]) -> list[Segment]:
        """Segments, each written and then mapped instead of what was in memory."""
        name = f"{BASE}{secrets.token_hex(16)}"
        draft = self._folder / f"{DRAFT}{name}"
        found: list[Segment] = []
        is_saved = True
        for segment in segments:
            is_saved = is_saved and (bool(found) or len(segment.ids) >= SAVED_FROM)
            kept = self._mapped_copy(draft / str(len(found)), segment) if is_saved else None
            is_saved = kept is not None
            found.append(segment if kept is None else kept)
            del segment, kept
            give_memory_back()
        try:
            if is_saved and found:
                sync_tree(draft)
                draft.rename(self._folder / name)
                self._mapped, self._base = tuple(found), name
        except OSError as error:
            LOG.warning(NOT_SAVED, error)
        shutil.rmtree(draft, ignore_errors=True)
        return found

    def _mapped_copy(self, place: Path, segment: Segment) -> Segment | None:
        """A segment that lies in files; None where there is no room for them."""
        try:
            place.mkdir(mode=0o700, parents=True)
            if shutil.disk_usage(place).free < ROOM * size_of(segment):
                LOG.warning(NOT_SAVED, "the disk has too little room")
                return None
            write_texts(place, segment)
            return map_texts(place, segment.scores, segment.is_there)
        except OSError as error:
            LOG.warning(NOT_SAVED, error)
            return None

    def _write_state(self, saved: Saved) -> None:
        """Write what has changed of the mapped base; its folder's lock must be held."""
        self._due = monotonic() + SAVED_EVERY_S
        token = secrets.token_hex(16)
        draft, state = self._folder / f"{DRAFT}{token}", self._folder / f"{STATE}{token}"
        about = _About(FORMAT, saved.seq, self._base, len(saved.base), len(saved.fresh))
        try:
            for number, segment in enumerate((*saved.base, *saved.fresh)):
                place = draft / str(number)
                place.mkdir(mode=0o700, parents=True)
                write_changes(place, segment)
                if number >= len(saved.base):
                    write_texts(place, segment)
            (draft / ABOUT_NAME).write_bytes(msgspec.json.encode(about))
            sync_tree(draft)
            draft.rename(state)
            sync_folder(self._folder)
            # Last: the database's history reaches to the change before it knows the state.
            with self._database.write() as connection:
                saves.note(connection, token, self._clock())
        except (OSError, sa.exc.SQLAlchemyError) as error:
            LOG.warning(NOT_SAVED, error)
            shutil.rmtree(draft, ignore_errors=True)
            shutil.rmtree(state, ignore_errors=True)
            return
        self._state, self._seq = state.name, saved.seq
        self._remove_others()

    def _remove_others(self) -> None:
        """Remove what was replaced, and what killed processes left. Whoever has mapped it keeps
        it.
        """
        for entry in self._folder.iterdir():
            if entry.name not in {self._base, self._state, LOCK_NAME}:
                shutil.rmtree(entry, ignore_errors=True)

    def _is_mapped(self, base: Sequence[Segment]) -> bool:
        return len(base) == len(self._mapped) > 0 and all(
            one.ids is other.ids for one, other in zip(base, self._mapped, strict=True)
        )


def _written_at(folder: Path) -> float:
    with suppress(OSError):
        return folder.stat().st_mtime
    return 0.0
