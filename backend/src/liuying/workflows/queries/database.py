"""What the database reports of its own state."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa

from liuying.kit.database import BUSY_TIMEOUT_MS, metadata

# Tables that no migration fills; the fingerprints represent everything bound to the secrets.
TELLING_TABLES = (
    "secret_fingerprint",
    "video",
    "asset",
    "visitor",
    "favourite",
    "share",
    "feedback",
    "vendor",
    "notice",
    "ad",
    "artist",
    "category",
)


def revision(connection: sa.Connection) -> str:
    """The database's migration; empty if it has none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return ""
    statement = sa.text("SELECT version_num FROM alembic_version")
    return str(connection.execute(statement).scalar() or "")


schema_reader = sa.Table(
    "schema_reader",
    metadata,
    # One row: whoever is at least as new works with the tables as they are.
    sa.Column("oldest", sa.String(8), primary_key=True, comment="a migration"),
)


def oldest_reader(connection: sa.Connection) -> str:
    """The oldest version that works with the database, by its newest migration; beyond every
    version where nobody noted it.
    """
    if not sa.inspect(connection).has_table(schema_reader.name):
        return "9999"
    return str(connection.execute(sa.select(schema_reader.c.oldest)).scalar() or "9999")


def note_oldest_reader(connection: sa.Connection, oldest: str) -> None:
    """Note it, in the migration's transaction."""
    connection.execute(sa.delete(schema_reader))
    connection.execute(sa.insert(schema_reader), {"oldest": oldest})


def is_empty(connection: sa.Connection) -> bool:
    """Whether there are no tables yet."""
    return not sa.inspect(connection).get_table_names()


def has_tables(connection: sa.Connection) -> bool:
    """Whether the database was migrated at least once."""
    return sa.inspect(connection).has_table("alembic_version")


def holds_rows(connection: sa.Connection) -> bool:
    """Whether an operator or a visitor left anything, whichever version's schema the database
    has.
    """
    found = set(sa.inspect(connection).get_table_names())
    return any(
        connection.execute(sa.select(sa.literal(1)).select_from(sa.table(name)).limit(1)).first()
        for name in TELLING_TABLES
        if name in found
    )


def broken_pages(connection: sa.Connection, limit: int) -> Iterator[str]:
    """Faults that SQLite finds in its file; nothing on other databases."""
    if connection.dialect.name == "sqlite":
        for row in connection.exec_driver_sql(f"PRAGMA integrity_check({limit})"):
            if row[0] != "ok":
                yield str(row[0])


def broken_links(connection: sa.Connection, limit: int) -> Iterator[tuple[str, str]]:
    """Tables with rows that refer to missing rows, and where those should be; nothing on
    databases other than SQLite, which refuse such rows.
    """
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(limit)
        yield from ((str(row[0]), str(row[2])) for row in found)


def copy_sqlite(source: str, target: Path) -> None:
    """Write the state of a SQLite database at one moment into a new file.

    It is one read transaction from the first page to the last: WAL lets writers go on meanwhile.

    Raises:
        sqlite3.DatabaseError: The database cannot be read, or the disk is full.
    """
    with closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT_MS / 1000)) as connection:
        connection.execute("VACUUM INTO ?", (str(target),))


def is_whole_sqlite(path: Path) -> bool:
    """Whether every page and index of an unused SQLite file is in order."""
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False
