"""Rows that are written once, also when two requests write them at the same time; and very many
rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_absent(
    connection: sa.Connection, table: sa.Table, values: Mapping[str, object]
) -> bool:
    """Insert a row unless one of the table's unique keys is taken.

    The database decides: of two transactions with the same key one inserts, and the other waits for
    it (PostgreSQL) or comes after it (SQLite).

    Returns:
        Whether the row was inserted.
    """
    # The drivers' row counts of such statements differ; what was inserted comes back as a row on
    # both.
    statement = (
        _insert(connection, table)
        .values(**values)
        .on_conflict_do_nothing()
        .returning(sa.literal(1))
    )
    return connection.execute(statement).first() is not None


def insert_absent(
    connection: sa.Connection,
    table: sa.Table,
    rows: Sequence[Mapping[str, object]],
    key: sa.ColumnElement[str],
) -> set[str]:
    """Insert those of several rows whose unique keys are free, in their order.

    Returns:
        `key` of those that were inserted.
    """
    statement = _insert(connection, table).on_conflict_do_nothing().returning(key)
    return set(connection.execute(statement, rows).scalars())


def add_to_counters(
    connection: sa.Connection,
    table: sa.Table,
    key: Mapping[str, int],
    counts: Mapping[str, int],
) -> None:
    """Add numbers to a row that may not be there yet, in one statement."""
    statement = _insert(connection, table).values(**key, **counts)
    sums = {name: table.c[name] + statement.excluded[name] for name in counts}
    connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=sums))


def _insert(connection: sa.Connection, table: sa.Table) -> postgresql.Insert | sqlite.Insert:
    return (
        postgresql.insert(table)
        if connection.dialect.name == "postgresql"
        else sqlite.insert(table)
    )


def insert_many(
    connection: sa.Connection,
    table: sa.TableClause,
    rows: Iterable[tuple[object, ...]],
    columns: Sequence[str] | None = None,
) -> None:
    """Insert rows as the driver takes them fastest: with `COPY` where there is one.

    Args:
        rows: Values that need no conversion by their column's type.
        columns: Names, in the order of the values; None for all of the table's.
    """
    names = list(columns or table.columns.keys())
    target = f"{table.name} ({', '.join(names)})"
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {target} FROM STDIN", rows)
    elif some := list(rows):
        places = ", ".join("?" for _ in names)
        connection.exec_driver_sql(f"INSERT INTO {target} VALUES ({places})", some)  # noqa: S608  # names of our own tables


def _copy(connection: sa.Connection, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
    cursor: Any = (
        connection.connection.cursor()
    )  # SQLAlchemy's interface of drivers does not know `copy`
    error = connection.dialect.loaded_dbapi.Error
    try:
        with cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
    except error as fault:  # as SQLAlchemy would have raised it
        raise sa.exc.DBAPIError.instance(
            statement, None, fault, error, hide_parameters=True
        ) from fault
