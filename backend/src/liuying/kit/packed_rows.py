"""Rows of frequent statements, transferred as one text where that is cheaper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec
import sqlalchemy as sa

T = TypeVar("T", bound=msgspec.Struct)


class PackedRows(Generic[T]):
    """A statement whose rows SQLite encodes as one JSON text.

    SQLite's driver releases the interpreter at every row and gets it back after the other threads
    had their turns; with three busy threads that costs more than the answer itself. PostgreSQL's
    driver fetches all rows at once.

    Args:
        statement: Columns of numbers, booleans, text and JSON. Rows come in no particular order.
        row: What a row becomes: an array-like struct with its fields in the order of the columns.
    """

    def __init__(self, statement: sa.Select[Any], row: type[T]) -> None:
        self._plain = statement
        self._row = row
        rows = statement.subquery()
        values = [_as_json(column) for column in rows.c]
        self._packed = sa.select(sa.func.json_group_array(sa.func.json_array(*values)))
        # SQLite stores booleans as 0 or 1.
        self._decoder = msgspec.json.Decoder(list[row], strict=False)  # type: ignore[valid-type]

    def read(self, connection: sa.Connection, parameters: Mapping[str, Any]) -> list[T]:
        """All rows."""
        if connection.dialect.name == "sqlite":
            found: list[T] = self._decoder.decode(
                connection.execute(self._packed, parameters).scalar_one()
            )
            return found
        return [self._row(*row) for row in connection.execute(self._plain, parameters)]


def _as_json(column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    return (
        sa.func.json(sa.type_coerce(column, sa.Text))
        if isinstance(column.type, sa.JSON)
        else column
    )


def as_text(column: sa.ColumnElement[Any]) -> sa.FunctionElement[str]:
    """An aggregate: a column of whole numbers as one text, parted by commas; NULL without rows.
    Columns of one statement have the same order, though not any particular one.
    """
    return sa.func.aggregate_strings(sa.cast(column, sa.Text), ",")
