"""A helper's claim on a chunk of a film that another machine imports.

The film's import gives the chunk (`workflows/chunk_sharing.py`). Its files are stored in the inbox
by content, named by the claim's row before. The claim must be renewed: who stood still for too long
stores nothing more, and what it stored is removed.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import sqlalchemy as sa

from liuying.kit.database import Database
from liuying.kit.object_keys import inbox_key
from liuying.kit.object_store import ObjectStore, RecordsObjects
from liuying.workflows.asset_hold import BEAT_S, CLOCK
from liuying.workflows.content_hash import hash_file
from liuying.workflows.inbox import remove_unneeded
from liuying.workflows.queries import shared_films
from liuying.workflows.queries.shared_films import HELD_MS, Claimed, State

LOG = logging.getLogger(__name__)
# How often a helper looks whether it was answered.
LOOK_S = 0.2


class ChunkClaim:
    """One helper's one try to make a chunk.

    Args:
        database: The installation's.
        objects: Where the chunk is stored.
        film: The film's name.
    """

    def __init__(self, database: Database, objects: ObjectStore, film: str) -> None:
        self._database = database
        self._objects = objects
        self._film = film
        self._name = secrets.token_hex(16)
        self._files: dict[str, str] = {}
        # When it was last known to be ours, by this machine's clock.
        self._known_at = 0.0
        self._is_over = Event()
        self._is_stored = False
        # Set once the film's import does without this chunk.
        self.is_lost = Event()

    @contextmanager
    def kept(self) -> Iterator[Claimed | None]:
        """Ask for a chunk, and keep it until the block ends; None where none was given. What is not
        used is removed then.
        """
        self._known_at = time.clock_gettime(CLOCK)
        with self._database.write() as connection:
            shared_films.ask(connection, self._name, self._film)
        beating = Thread(target=self._beat, name=f"keeping {self._name}", daemon=True)
        try:
            given = self._answer()
            if given is not None:
                beating.start()
            yield given
        finally:
            self._is_over.set()
            if beating.ident is not None:
                beating.join()
            if not self._is_stored:
                # Otherwise the sweep does it.
                with suppress(OSError, sa.exc.SQLAlchemyError):
                    with self._database.write() as connection:
                        shared_films.forget(connection, self._name)
                    remove_unneeded(self._database, self._objects, self._files.values())

    def store(self, folder: Path) -> bool:
        """Store the chunk's files; False if its import does without.

        Raises:
            OSError: The store does not answer.
        """
        files = {path.name: hash_file(path) for path in sorted(folder.iterdir())}
        # Named before it is stored: nobody removes what a row names.
        with self._database.write() as connection:
            if not shared_films.note_files(connection, self._name, files):
                return False
        self._files = files
        try:
            self._put(folder, files)
        except CancelledError:
            return False
        with self._database.write() as connection:
            self._is_stored = shared_films.note_stored(connection, self._name)
        return self._is_stored

    def _put(self, folder: Path, files: Mapping[str, str]) -> None:
        store = self._objects
        if isinstance(store, RecordsObjects):
            store = store.guarded(self._check)
        for name, content in files.items():
            store.put_if_absent(inbox_key(content), folder / name)

    def _check(self) -> None:
        """Make sure that the claim has not run out.

        Raises:
            CancelledError: The import does without this chunk.
        """
        is_old = time.clock_gettime(CLOCK) - self._known_at >= HELD_MS / 1000
        if self.is_lost.is_set() or (is_old and not self._is_renewed()):
            raise CancelledError

    def _answer(self) -> Claimed | None:
        """What the import gave; None if it gives nothing, or does not answer."""
        until = self._known_at + HELD_MS / 1000
        while time.clock_gettime(CLOCK) < until:
            asked_at = time.clock_gettime(CLOCK)
            with self._database.read() as connection:
                found = shared_films.claimed(connection, self._name)
            if found is None or found.state is State.VOID:
                return None
            if found.state is State.GIVEN:
                self._known_at = asked_at
                return found
            time.sleep(LOOK_S)
        return None

    def _is_renewed(self) -> bool:
        asked_at = time.clock_gettime(CLOCK)
        with self._database.write() as connection:
            is_ours = shared_films.renew(connection, self._name)
        if is_ours:
            self._known_at = asked_at
        return is_ours

    def _beat(self) -> None:
        while not self._is_over.wait(BEAT_S):
            try:
                if not self._is_renewed():
                    self.is_lost.set()
                    return
            except sa.exc.SQLAlchemyError as error:
                LOG.warning("a chunk of %s could not be held on to: %s", self._film, error)
