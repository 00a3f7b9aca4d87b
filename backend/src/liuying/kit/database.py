"""One engine, one metadata, SQLite (WAL) or PostgreSQL by address alone
(docs/product.md#deployment).

All access is synchronous; the web process calls it in threads.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import ConnectionPoolEntry

from liuying.kit import postgresql
from liuying.kit.advisory_locks import AdvisoryLock
from liuying.kit.files import OTHERS, OWNER_ONLY

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# A row whose columns are known only at run time.
AnyRow = sa.Row[*tuple[Any, ...]]

# Files that SQLite keeps beside the database.
DATABASE_SUFFIXES = ("", "-wal", "-shm", "-journal")
BUSY_TIMEOUT_MS = 10_000
# Deadline (`time.monotonic`) until which writes in this context wait for their lock; None for the
# default. It is set when a visitor's request arrives, so that waiting for a thread counts too.
WRITE_DEADLINE: ContextVar[float | None] = ContextVar("write_deadline", default=None)
# Called with the connection before the next write in this context commits: what it writes becomes
# true together with the rest, or not at all. None for nothing.
BEFORE_COMMIT: ContextVar[Callable[[sa.Connection], None] | None] = ContextVar(
    "before_commit", default=None
)
WAL_RETRY_S = 0.02


class Database:
    """The connection to the catalogue.

    Args:
        url: A SQLAlchemy address: `sqlite:////absolute/file` or `postgresql+psycopg://…`.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        # Told how many seconds a write transaction waited for its lock.
        self.on_write: Callable[[float], None] | None = None
        # How far PostgreSQL's clock is ahead of this machine's, as measured by the last connection.
        self.clock_offset_ms = 0
        # Error texts reach the log; the statement's values must not (docs/security.md#t24).
        self.engine = sa.create_engine(
            url, hide_parameters=True, **({} if url.startswith("sqlite") else postgresql.POOL)
        )
        if self.is_sqlite:
            sa.event.listen(self.engine, "do_connect", _make_private)
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
            sa.event.listen(self.engine, "begin", _begin_sqlite)
        else:
            sa.event.listen(self.engine, "do_connect", postgresql.bound_waiting)
            sa.event.listen(self.engine, "connect", self._begin_session)
            sa.event.listen(self.engine, "begin", postgresql.begin)
            sa.event.listen(self.engine, "checkin", postgresql.note_rest)
            sa.event.listen(self.engine, "checkout", postgresql.wake)

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def file(self) -> Path | None:
        """The file of a SQLite database; None for others, and for one in memory."""
        name = self.engine.url.database if self.is_sqlite else None
        return Path(name) if name and name != ":memory:" else None

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A connection for reading. On PostgreSQL each statement is a transaction of its own."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def at_once(self) -> Iterator[sa.Connection]:
        """A connection each of whose statements is committed at once; PostgreSQL's alone."""
        with self.engine.connect() as connection:
            yield connection

    def detached(self) -> sa.Connection:
        """A connection of its own beside the pool, in autocommit: for listening, and for a lock
        that is held for long. The caller closes it.
        """
        connection = self.engine.connect()
        connection.detach()
        return connection

    @contextmanager
    def write(self, *, waits_for_disk: bool = True) -> Iterator[sa.Connection]:
        """A transaction: committed (and on disk) when the block ends, rolled back when it
        raises.

        It waits for its lock for at most `BUSY_TIMEOUT_MS` on SQLite, and until `WRITE_DEADLINE`
        where one is set.

        Args:
            waits_for_disk: Otherwise the commit waits for no disk and no second server of
                PostgreSQL; a crash of the server may lose the last second of such commits. SQLite
                always waits.

        Raises:
            sqlalchemy.exc.OperationalError: Another program holds the lock for longer
                (`database_errors.LOCKED`).
        """
        with (
            self.engine.connect().execution_options(
                liuying_write=True, liuying_waits=waits_for_disk
            ) as connection,
            self._lock_wait(connection, WRITE_DEADLINE.get()),
        ):
            began = time.perf_counter()
            with connection.begin():
                if self.on_write is not None:
                    self.on_write(time.perf_counter() - began)
                yield connection
                if (rider := BEFORE_COMMIT.get()) is not None:
                    rider(connection)

    @contextmanager
    def _lock_wait(self, connection: sa.Connection, deadline: float | None) -> Iterator[None]:
        """Limit how long the next transaction waits for locks."""
        if deadline is None:
            yield
            return
        left_ms = max(0, round((deadline - time.monotonic()) * 1000))
        if self.is_sqlite:
            raw = connection.connection.cursor()
            raw.execute(f"PRAGMA busy_timeout={left_ms}")
            try:
                yield
            finally:
                raw.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
                raw.close()
        else:
            # 0 would mean no limit.
            connection.info[postgresql.LOCK_TIMEOUT] = max(1, left_ms)
            try:
                yield
            finally:
                if not connection.invalidated:  # Its information would be another connection's.
                    connection.info.pop(postgresql.LOCK_TIMEOUT, None)

    @contextmanager
    def write_without_trace(self) -> Iterator[sa.Connection]:
        """Like `write`, but SQLite overwrites what is replaced in its files. In PostgreSQL it stays
        until vacuumed.
        """
        with self.write() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql("PRAGMA secure_delete=ON")
            yield connection
        if self.is_sqlite:
            raw = self.engine.raw_connection()  # Outside any transaction.
            try:
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                raw.close()

    def make_private(self) -> None:
        """Restrict SQLite's files to their owner, since earlier versions left them readable. Files
        that SQLite creates beside the database inherit its mode.
        """
        if self.file is None:
            return
        for suffix in DATABASE_SUFFIXES:
            path = self.file.with_name(self.file.name + suffix)
            # Removed meanwhile, or not ours to change; doctor reports it.
            with suppress(OSError):
                if path.stat().st_mode & OTHERS:
                    path.chmod(OWNER_ONLY)

    def close(self) -> None:
        self.engine.dispose()

    def _begin_session(self, connection: Any, _record: ConnectionPoolEntry) -> None:
        postgresql.bound_session(connection)
        self.clock_offset_ms = postgresql.measure_clock(connection)


def _make_private(
    _dialect: object, _record: object, arguments: list[Any], _named: dict[str, Any]
) -> None:
    """Create a new SQLite file before SQLite does, readable by its owner alone."""
    name = arguments[0] if arguments else ""
    if not name or name == ":memory:":
        return
    # SQLite itself reports what keeps the file from being created.
    with suppress(OSError):
        os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))


def _prepare_sqlite(connection: object, _record: ConnectionPoolEntry) -> None:
    # The driver's own transaction handling is switched off: `_begin_sqlite` says BEGIN.
    connection.isolation_level = None  # type: ignore[attr-defined]  # sqlite3.Connection behind the DBAPI's object type
    cursor = connection.cursor()  # type: ignore[attr-defined]  # as above
    cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    _use_wal(cursor)
    for pragma in (
        "synchronous=FULL",  # Acknowledged means on disk (docs/security.md#never-lost).
        "foreign_keys=ON",
        "cache_size=-16000",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _use_wal(cursor: sqlite3.Cursor) -> None:
    """Switch a new file to WAL. When two processes do so at once, SQLite refuses one of them at
    once.
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(WAL_RETRY_S)


def _begin_sqlite(connection: sa.Connection) -> None:
    # A writer takes its lock at the start: a read that later turns into a write would fail with
    # "locked" without waiting for busy_timeout.
    writing = connection.get_execution_options().get("liuying_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def database_now(connection: sa.Connection) -> int:
    """Milliseconds since 1970 by the clock that all processes share: the server's of PostgreSQL,
    this machine's of SQLite.
    """
    if connection.dialect.name != "postgresql":
        return time.time_ns() // 1_000_000
    moment = sa.func.extract("epoch", sa.func.clock_timestamp())
    return int(connection.execute(sa.select(moment * 1000)).scalar_one())


def take_transaction_lock(connection: sa.Connection, lock: AdvisoryLock) -> None:
    """Wait until no other transaction holds this lock, and hold it until this one ends.

    Does nothing on SQLite, which has a single writer.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(lock.value)))
