"""Many texts that were read and indexed, in files that all processes of a machine map into memory.

Reading ten million texts takes a minute, and some gigabytes of memory in each process. So the first
process writes what it made, and maps it instead; a later start maps it and follows the change log
from there. Pages of a file are in memory once, however many processes map it.

The database names the states that belong to it: after an older backup was restored, or with another
database, none of them counts, though the numbers of changes may be the same.
"""

from __future__ import annotations

import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

import sqlalchemy as sa

from liuying.features.search.queries import saves
from liuying.features.search.saved_folder import (
    DAMAGED,
    Saved,
    SavedFolder,
    in_memory,
    state_name,
)
from liuying.features.search.segments import Segment
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.file_locks import held_if_free, lock_file
from liuying.kit.postgresql import server_of
from liuying.kit.storage_layout import LOCK_NAME

LOG = logging.getLogger(__name__)
# Fewer texts are read within two seconds.
SAVED_FROM = 200_000
# The change log keeps at least ten minutes: a process that is started again soon finds it whole.
SAVED_EVERY_S = 300.0
# How long a process waits for what another one reads, before it reads by itself.
PATIENCE_S = 300.0
LOOK_EVERY_S = 0.2
NOT_SAVED = "searchable texts cannot be saved: %s"


class EndingError(Exception):
    """The process ends: nothing is read any more."""


class SavedTexts:
    """The saved texts of one data folder.

    Args:
        path: Where they are; created once there are many texts.
        database: Whose texts they are.
        clock: The current moment.
    """

    def __init__(self, path: Path, database: Database, clock: Clock) -> None:
        self._folder = SavedFolder(path)
        self._database = database
        self._clock = clock
        self._is_ending = threading.Event()
        # The base that is mapped, the name of its folder, and the state that was taken or written
        # last.
        self._mapped: tuple[Segment, ...] = ()
        self._base = ""
        self._token = ""
        self._seq = 0
        # Which server everything was read from: after a failover another one answers, to which
        # what was followed may be unknown.
        self._server = ""
        self._due = 0.0

    def end(self) -> None:
        """Wait for no other process any more."""
        self._is_ending.set()

    def shared(
        self, connection: sa.Connection, read: Callable[[], tuple[int, Iterable[Segment]]]
    ) -> Saved:
        """What a process of this machine has saved, or else what is read now, which is saved.

        Args:
            read: The number of a change, and the texts as of it or newer, indexed by ranges.

        Raises:
            EndingError: `end` was called meanwhile.
        """
        self._mapped, self._base, self._token = (), "", ""
        last_id = saves.last_id(connection)
        if last_id < SAVED_FROM:
            shutil.rmtree(self._folder.path, ignore_errors=True)
            return in_memory(read)
        connection.rollback()  # Nobody waits with a snapshot.
        with self._turn() as is_ours:
            self._server = server_of(connection)
            if is_ours and (found := self._taken(connection) or self._made(read, last_id)):
                return found
            # Beside the others: none of them waits for what will not be saved.
        return in_memory(read)

    def save(self, saved: Saved) -> None:
        """Write the current state, where its base is saved, something has changed and no process
        has written one for some minutes.
        """
        if saved.seq == self._seq or monotonic() < self._due or not self._is_mapped(saved.base):
            return
        self._due = monotonic() + SAVED_EVERY_S
        with suppress(OSError), held_if_free(self._folder.path / LOCK_NAME) as is_ours:
            # Where another process has read everything again, its base has replaced this one.
            if is_ours and (self._folder.path / self._base).is_dir() and self._is_newer(saved):
                self._note(saved)

    def discard(self) -> None:
        """Remove the state that was taken: the change log does not tell what followed it."""
        if self._token:
            self._folder.discard(self._token)

    @contextmanager
    def _turn(self) -> Iterator[bool]:
        """One process reads, the others wait for what it makes. False where nothing can be saved,
        or the one that reads does not come to an end.
        """
        descriptor = -1
        try:
            self._folder.path.mkdir(mode=0o700, exist_ok=True)
            descriptor = self._wait_for(self._folder.path / LOCK_NAME)
        except OSError as error:
            LOG.warning(NOT_SAVED, error)
        try:
            yield descriptor >= 0
        finally:
            if descriptor >= 0:
                os.close(descriptor)

    def _wait_for(self, path: Path) -> int:
        until = monotonic() + PATIENCE_S
        while True:
            try:
                return lock_file(path, wait=False)
            except BlockingIOError:
                if monotonic() > until:
                    raise
            if self._is_ending.wait(LOOK_EVERY_S):
                raise EndingError

    def _taken(self, connection: sa.Connection) -> Saved | None:
        tokens = self._folder.states()
        known = saves.known_among(connection, tokens)
        for token in tokens:
            if token not in known:
                continue
            try:
                found, base = self._folder.read(token)
            except DAMAGED as error:
                LOG.warning("saved searchable texts cannot be used: %s", error)
                continue
            self._mapped, self._base, self._token = tuple(found.base), base, token
            self._seq, self._due = found.seq, monotonic() + SAVED_EVERY_S
            return found
        return None

    def _made(
        self, read: Callable[[], tuple[int, Iterable[Segment]]], last_id: int
    ) -> Saved | None:
        """What is read now, saved and mapped; None where it cannot be saved."""
        # First: what cannot be used may have taken the room.
        self._folder.keep_only(())
        seq, segments = read()
        try:
            self._base, base = self._folder.write_base(segments, last_id)
        except OSError as error:
            # What was mapped of it may not have reached the disk.
            LOG.warning(NOT_SAVED, error)
            return None
        made = Saved(seq, base)
        self._mapped = tuple(base)
        self._note(made)
        return made

    def _note(self, saved: Saved) -> None:
        """Write a state; the folder's lock must be held."""
        token, replaced = "", self._folder.states()
        try:
            token = self._folder.write_state(saved, self._base)
            # Last: the database's history reaches to the change before it knows the state.
            with self._database.write() as connection:
                if server_of(connection) != self._server:
                    self._folder.discard(token)
                    return
                saves.note(connection, token, self._clock(), replaced)
        except (OSError, sa.exc.SQLAlchemyError) as error:
            LOG.warning(NOT_SAVED, error)
            if token:
                self._folder.discard(token)
            return
        self._token, self._seq = token, saved.seq
        self._folder.keep_only({self._base, state_name(token)})

    def _is_newer(self, saved: Saved) -> bool:
        """Whether a state is worth being written beside the newest one."""
        for token in self._folder.states()[:1]:
            with suppress(*DAMAGED):
                about = self._folder.about(token)
                # Also where the clock was set back.
                is_old = abs(time.time() - self._folder.written_at(token)) >= SAVED_EVERY_S
                return about.base != self._base or (about.seq < saved.seq and is_old)
        return True

    def _is_mapped(self, base: Sequence[Segment]) -> bool:
        return len(base) == len(self._mapped) > 0 and all(
            one.ids is other.ids for one, other in zip(base, self._mapped, strict=True)
        )
