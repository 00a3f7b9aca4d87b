"""Holding an asset across machines: only its holder publishes files and rows of it.

On one machine the lock of a job's folder does that (`workflows/job_folders.py`). Where objects are
in a store that several machines share, the asset's row does: it names the holder until a moment by
the database's clock, which the holder moves on. Whoever has died, or was stopped for so long that
another took over, publishes no row and no file any more, and removes nothing.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

import sqlalchemy as sa

from liuying.core.playback.queries import holds
from liuying.kit.database import Database
from liuying.kit.object_store import ObjectStore, RecordsObjects
from liuying.workflows.job_folders import ImportBusyError

LOG = logging.getLogger(__name__)
# Shorter than a job's lease (`core/jobs/rules.py`): whoever claims the job finds its asset free.
HELD_MS = 15_000
BEAT_S = 3.0
# It goes on while a process stands still, and on Linux while the machine sleeps.
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class AssetHold:
    """The right to publish an asset; without effect where the folder's lock is enough.

    Args:
        database: The catalogue.
        objects: Where the asset is published.
        key: The asset's.
    """

    def __init__(self, database: Database, objects: ObjectStore, key: str) -> None:
        self._database = database
        self.key = key
        # How the asset's row names the holder; empty where the folder's lock is enough.
        self.owner = secrets.token_hex(16) if isinstance(objects, RecordsObjects) else ""
        self._is_over = Event()
        # When it was last known to be ours, by this machine's clock.
        self._known_at = -HELD_MS / 1000
        self._beating: Thread | None = None

    def take(self, connection: sa.Connection) -> None:
        """Take it, in a transaction that ends soon.

        Raises:
            ImportBusyError: Somebody on another machine has it.
        """
        asked_at = time.clock_gettime(CLOCK)
        if self.owner and not holds.take(connection, self.key, self.owner, HELD_MS):
            raise ImportBusyError
        self._known_at = asked_at

    def require(self, connection: sa.Connection) -> None:
        """Make sure that it stays ours until this transaction ends.

        Raises:
            ImportBusyError: Another has taken over.
        """
        asked_at = time.clock_gettime(CLOCK)
        if self.owner and not holds.renew(connection, self.key, self.owner, HELD_MS):
            raise ImportBusyError
        self._known_at = asked_at

    def guard(self, objects: ObjectStore) -> ObjectStore:
        """The store, refusing to write and to remove anything once another may have taken over."""
        if self.owner and isinstance(objects, RecordsObjects):
            return objects.guarded(self._check)
        return objects

    def _check(self) -> None:
        """Make sure that it is ours now; the database is asked only where nobody has been for long.

        Raises:
            ImportBusyError: Another has taken over.
        """
        if time.clock_gettime(CLOCK) - self._known_at < HELD_MS / 1000:
            return
        with self._database.write() as connection:
            self.require(connection)

    @property
    def is_ours(self) -> bool:
        """Whether nobody has taken over yet."""
        with self._database.write() as connection:
            try:
                self.require(connection)
            except ImportBusyError:
                return False
        return True

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep it until the block ends."""
        if not self.owner:
            yield
            return
        beating = Thread(target=self._beat, name=f"holding {self.key}", daemon=True)
        beating.start()
        try:
            yield
        finally:
            self._is_over.set()
            beating.join()
            # Otherwise it runs out.
            with suppress(sa.exc.SQLAlchemyError), self._database.write() as connection:
                holds.let_go(connection, self.key, self.owner)

    def _beat(self) -> None:
        while not self._is_over.wait(BEAT_S):
            try:
                if not self.is_ours:
                    LOG.warning("another machine took over %s", self.key)
                    return
            except sa.exc.SQLAlchemyError as error:
                LOG.warning("%s could not be held on to: %s", self.key, error)


@contextmanager
def holding(database: Database, objects: ObjectStore, key: str) -> Iterator[AssetHold]:
    """An asset, held until the block ends.

    Raises:
        ImportBusyError: Somebody on another machine has it.
    """
    hold = AssetHold(database, objects, key)
    with database.write() as connection:
        hold.take(connection)
    with hold.kept():
        yield hold
