"""Rows of frequent statements, read by the driver without SQLAlchemy's work."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa


def read_number(connection: sa.Connection, statement: str) -> int | None:
    """Like `read_row`, the number of the first column; None where there is no row."""
    row = read_row(connection, statement)
    return row[0] if row else None


def read_row(connection: sa.Connection, statement: str, *values: int) -> tuple[Any, ...]:
    """Like `read_rows`, the first row; empty where there is none."""
    rows = read_rows(connection, statement, *values)
    return rows[0] if rows else ()


def read_rows(connection: sa.Connection, statement: str, *values: int) -> list[tuple[Any, ...]]:
    """Read rows inside the connection's transaction.

    This asks the driver directly: SQLAlchemy's own work would take ten times as long.

    Args:
        values: For the statement's parameters, `?` each.
    """
    given: tuple[int, ...] | None = values
    if connection.dialect.name == "postgresql":
        statement, given = statement.replace("?", "%s"), values or None
    if not connection.in_transaction():
        connection.begin()
    with driver_errors(connection, statement):
        cursor = connection.connection.cursor()
        cursor.execute(statement, given)
        rows = list(cursor.fetchall())
        cursor.close()
    return rows


@contextmanager
def driver_errors(connection: sa.Connection, statement: str) -> Iterator[None]:
    """Raise errors of the driver as SQLAlchemy would, and let nobody use the connection again that
    broke.
    """
    dialect, used = connection.dialect, connection.connection.dbapi_connection
    error = dialect.loaded_dbapi.Error
    try:
        yield
    except error as fault:
        is_broken = dialect.is_disconnect(fault, used, None)
        if is_broken:
            connection.invalidate(fault)
        raise sa.exc.DBAPIError.instance(
            statement,
            None,
            fault,
            error,
            hide_parameters=True,
            connection_invalidated=is_broken,
        ) from fault


def read_some(
    connection: sa.Connection, statement: str, numbers: Collection[int]
) -> list[tuple[Any, ...]]:
    """Like `read_rows`, for the rows of some numbers.

    Args:
        statement: Has `{}` for them in a condition `IN ({})`, which holds for no row without them.
    """
    marks = ", ".join("?" * len(numbers)) or "NULL"
    return read_rows(connection, statement.format(marks), *numbers)
