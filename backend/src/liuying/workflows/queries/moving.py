"""Reading and writing all rows of an installation, whichever database holds them.

Values are those of the columns' types, JSON as its text: both databases keep that text as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.tables import name_count, name_count_change, video_change
from liuying.features.search.entries import CHANNELS
from liuying.features.search.tables import (
    search_document,
    search_save,
    search_spelling,
    search_spelling_start,
    search_start,
    search_state,
)
from liuying.kit import changes, object_records, repeated_writes, shared_limits
from liuying.kit.database import metadata
from liuying.kit.inserting import insert_many
from liuying.workflows.queries import database, processes, shared_films, web_assets

Row = tuple[Any, ...]
BATCH = 10_000
# Written anew from the catalogue: the two databases have different word indexes.
INDEX = (search_document, search_start, search_spelling, search_spelling_start)
# What only the running processes of one installation mean; the last is what the migrations say.
# Names are counted anew.
NOT_MOVED = frozenset(
    {
        *(table.name for table in (name_count, name_count_change)),
        *(table.name for table in (*INDEX, search_state, search_save)),
        *(table.name for table in shared_limits.TABLES),
        changes.change.name,
        video_change.name,
        object_records.stored_object.name,
        repeated_writes.written_once.name,
        processes.serving_process.name,
        shared_films.shared_film.name,
        shared_films.shared_chunk.name,
        web_assets.web_asset.name,
        database.schema_reader.name,
    }
)
# Tables that only migrations declare: their own, and the word index. That is one in PostgreSQL, and
# in SQLite one a channel, with the tables that FTS5 keeps it in.
UNDECLARED = frozenset(
    {
        "alembic_version",
        "search_index",
        *(
            f"search_{channel}{part}"
            for channel in CHANNELS
            for part in ("", "_config", "_data", "_idx")
        ),
    }
)


def moved_tables() -> list[sa.Table]:
    """All tables whose rows are moved, parents first."""
    return [table for table in metadata.sorted_tables if table.name not in NOT_MOVED]


def unknown_tables(connection: sa.Connection) -> list[str]:
    """Tables of a database that are neither moved nor left out on purpose: their rows would stay
    behind.
    """
    known = UNDECLARED | metadata.tables.keys()
    return sorted(name for name in sa.inspect(connection).get_table_names() if name not in known)


def see_one_moment(connection: sa.Connection) -> sa.Connection:
    """Let all reads of a connection see the state of one moment; SQLite does so by itself."""
    if connection.dialect.name == "postgresql":
        return connection.execution_options(isolation_level="REPEATABLE READ")
    return connection


def rows_of(connection: sa.Connection, table: sa.Table) -> Iterator[Row]:
    """All rows of a table, in the order of its primary key. They are not held in memory at once."""
    is_postgresql = connection.dialect.name == "postgresql"
    columns = [_text_of(column, is_postgresql=is_postgresql) for column in table.columns]
    statement = sa.select(*columns).order_by(*table.primary_key.columns)
    options = {"stream_results": True, "yield_per": BATCH}
    with connection.execute(statement, execution_options=options) as found:
        for row in found:
            yield tuple(row)


def count_rows(connection: sa.Connection, tables: Sequence[sa.Table]) -> int:
    """The rows of several tables."""
    counts = (sa.select(sa.func.count()).select_from(table) for table in tables)
    return sum(connection.execute(statement).scalar_one() for statement in counts)


def empty_tables(connection: sa.Connection) -> None:
    """Remove the rows that the migrations wrote; search counts as not built."""
    for table in reversed(moved_tables()):
        connection.execute(sa.delete(table))
    statement = sa.update(search_state).values(last_video_id=0, is_complete=False)
    connection.execute(statement)


def write_rows(connection: sa.Connection, table: sa.Table, rows: Iterable[Row]) -> None:
    """Insert rows as `rows_of` gives them."""
    if connection.dialect.name == "postgresql":
        insert_many(connection, table, rows)
        return
    # A row may refer to a later one.
    connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    rest = iter(rows)
    while some := list(islice(rest, BATCH)):
        insert_many(connection, table, some)


def last_number(connection: sa.Connection, table: sa.Table) -> int:
    """The largest number that the key of a table ever had, as far as the database knows; 0 for a
    table whose key it does not number.
    """
    key = numbered_column(table)
    if key is None:
        return 0
    largest = connection.execute(sa.select(sa.func.max(key))).scalar() or 0
    if connection.dialect.name == "postgresql":
        sequence = _sequence_of(connection, table, key)
        last = _last_of(connection, sequence) if sequence else 0
    elif table.dialect_options["sqlite"]["autoincrement"]:
        statement = sa.text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        last = connection.execute(statement, {"name": table.name}).scalar() or 0
    else:
        last = 0
    return max(int(largest), last)


def note_last_number(connection: sa.Connection, table: sa.Table, last: int) -> None:
    """Let the next row of a table have a larger number."""
    key = numbered_column(table)
    if key is None or last == 0:
        return
    if connection.dialect.name == "postgresql":
        if sequence := _sequence_of(connection, table, key):
            connection.execute(sa.select(sa.func.setval(sequence, last)))
    elif table.dialect_options["sqlite"]["autoincrement"]:
        values = {"name": table.name, "seq": last}
        connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
        statement = sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :seq)")
        connection.execute(statement, values)


def numbered_column(table: sa.Table) -> sa.Column[int] | None:
    """The key that the database numbers, if there is one."""
    return table.autoincrement_column


def _sequence_of(connection: sa.Connection, table: sa.Table, key: sa.Column[int]) -> str | None:
    statement = sa.select(sa.func.pg_get_serial_sequence(table.name, key.name))
    found: str | None = connection.execute(statement).scalar()
    return found


def _last_of(connection: sa.Connection, sequence: str) -> int:
    statement = f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}"  # noqa: S608  # the database's own name
    return int(connection.exec_driver_sql(statement).scalar_one())


def _text_of(column: sa.Column[Any], *, is_postgresql: bool) -> sa.ColumnElement[Any]:
    if not isinstance(column.type, sa.JSON):
        return column
    return sa.cast(column, sa.Text) if is_postgresql else sa.type_coerce(column, sa.Text)
