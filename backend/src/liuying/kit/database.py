"""One engine, one metadata, SQLite (WAL) or PostgreSQL by address alone
(docs/product.md#deployment).

All access is synchronous; the web process calls it in threads.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import ConnectionPoolEntry

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# A row of a statement that names its columns at run time.
AnyRow = sa.Row[*tuple[Any, ...]]

BUSY_TIMEOUT_MS = 10_000
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
        # An error's text reaches the log: the values of its statement must not
        # (docs/security.md#t24).
        self.engine = sa.create_engine(
            url, pool_pre_ping=not url.startswith("sqlite"), hide_parameters=True
        )
        if self.is_sqlite:
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
            sa.event.listen(self.engine, "begin", _begin_sqlite)

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A connection for reading. What it may have changed is rolled back."""
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction: committed (and on disk) when the block ends, rolled back when it
        raises.
        """
        with self.engine.connect().execution_options(liuying_write=True) as connection:
            began = time.perf_counter()
            with connection.begin():
                if self.on_write is not None:
                    self.on_write(time.perf_counter() - began)
                yield connection

    def close(self) -> None:
        self.engine.dispose()


def read_number(connection: sa.Connection, statement: str) -> int | None:
    """The number that a statement says, in the connection's transaction.

    Asked of the driver itself: what SQLAlchemy does for any statement takes ten times as long as
    such an answer.

    Args:
        statement: Without parameters; its first row's first column is the number.
    """
    if not connection.in_transaction():
        connection.begin()
    error = connection.dialect.loaded_dbapi.Error
    try:
        cursor = connection.connection.cursor()
        cursor.execute(statement)
        row = cursor.fetchone()
        cursor.close()
    except error as fault:  # as SQLAlchemy would have raised it
        raise sa.exc.DBAPIError.instance(
            statement, None, fault, error, hide_parameters=True
        ) from fault
    number: int | None = row[0] if row else None
    return number


def _prepare_sqlite(connection: object, _record: ConnectionPoolEntry) -> None:
    # The driver's own transaction handling is switched off: `_begin_sqlite` says BEGIN.
    connection.isolation_level = None  # type: ignore[attr-defined]  # sqlite3.Connection behind the DBAPI's object type
    cursor = connection.cursor()  # type: ignore[attr-defined]  # as above
    cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    _use_wal(cursor)
    for pragma in (
        "synchronous=FULL",  # acknowledged means on disk (docs/security.md#never-lost)
        "foreign_keys=ON",
        "cache_size=-16000",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _use_wal(cursor: sqlite3.Cursor) -> None:
    """Switch a new file to WAL. Where two processes do so at once, SQLite refuses one of them
    without waiting.
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
    # A writer takes its lock at once: a read that turns into a write would fail with "locked"
    # without waiting for busy_timeout.
    writing = connection.get_execution_options().get("liuying_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def take_transaction_lock(connection: sa.Connection, key: int) -> None:
    """Wait until no other transaction holds this lock, and hold it until this one ends.

    Nothing on SQLite, which has one writer at a time anyway.

    Args:
        key: Any number that no other lock on the same PostgreSQL server has.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))
