"""One engine, one metadata, SQLite (WAL) or PostgreSQL by address alone (decisions §8).

All access is synchronous; the web process calls it in threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
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


class Database:
    """The connection to the catalogue.

    Args:
        url: A SQLAlchemy address: `sqlite:////absolute/file` or `postgresql+psycopg://…`.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = sa.create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
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
        """A transaction: committed (and on disk) when the block ends, rolled back when it raises."""
        with self.engine.connect().execution_options(liuying_write=True) as connection, connection.begin():
            yield connection

    def close(self) -> None:
        self.engine.dispose()


def insert_unless_there(connection: sa.Connection, table: sa.Table, values: Mapping[str, Any]) -> None:
    """Insert a row; do nothing where a unique key of it is taken, also by a transaction that runs at the same time."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    connection.execute(insert(table).values(values).on_conflict_do_nothing())


def _prepare_sqlite(connection: object, _record: ConnectionPoolEntry) -> None:
    # The driver's own transaction handling is switched off: `_begin_sqlite` says BEGIN.
    connection.isolation_level = None  # type: ignore[attr-defined]  # sqlite3.Connection behind the DBAPI's object type
    cursor = connection.cursor()  # type: ignore[attr-defined]  # as above
    for pragma in (
        f"busy_timeout={BUSY_TIMEOUT_MS}",  # first: the change to WAL waits too, where two processes start at once
        "journal_mode=WAL",
        "synchronous=FULL",  # acknowledged means on disk (threats: never lost)
        "foreign_keys=ON",
        "cache_size=-16000",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: sa.Connection) -> None:
    # A writer takes its lock at once: a read that turns into a write would fail with "locked"
    # without waiting for busy_timeout.
    writing = connection.get_execution_options().get("liuying_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
