"""Rows of any table by number: find, insert, update, delete."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from liuying.kit.errors import NotFoundError
from liuying.kit.identifiers import MAX_ID


def require_row(connection: sa.Connection, table: sa.Table, row_id: int, name: str) -> None:
    """Make sure that a row exists.

    Args:
        name: How to call a row of the table in the refusal.

    Raises:
        NotFoundError: No row has this number.
    """
    if not _has_row(connection, table, row_id):
        raise NotFoundError(f"没有编号为 {row_id} 的{name}")


def _has_row(connection: sa.Connection, table: sa.Table, row_id: int) -> bool:
    statement = sa.select(table.c.id).where(table.c.id == row_id)
    return connection.execute(statement).first() is not None


def row_id_of(connection: sa.Connection, table: sa.Table, wanted: str, kind: str) -> int:
    """The number of a row given by number or name; a name of digits is tried as a number first.

    Args:
        kind: How to call a row of the table in the refusal.

    Raises:
        NotFoundError: No row has this number or name.
    """
    found = None
    is_number = wanted.isascii() and wanted.isdigit() and len(wanted) <= len(str(MAX_ID))
    if is_number and int(wanted) <= MAX_ID:
        found = connection.execute(sa.select(table.c.id).where(table.c.id == int(wanted))).scalar()
    if found is None:
        found = connection.execute(
            sa.select(table.c.id).where(table.c.name == wanted.strip())
        ).scalar()
    if found is None:
        raise NotFoundError(f"没有编号或名称为「{wanted}」的{kind}")
    return int(found)


def insert_row(connection: sa.Connection, table: sa.Table, values: Mapping[str, object]) -> int:
    """Insert a row and return its new number."""
    statement = sa.insert(table).values(**values).returning(table.c.id)
    return int(connection.execute(statement).scalar_one())


def update_row(
    connection: sa.Connection, table: sa.Table, row_id: int, values: Mapping[str, object]
) -> bool:
    """Update columns of a row and tell whether it exists; without values nothing changes."""
    if not values:
        return _has_row(connection, table, row_id)
    statement = sa.update(table).where(table.c.id == row_id).values(**values)
    return connection.execute(statement).rowcount == 1


def delete_row(connection: sa.Connection, table: sa.Table, row_id: int) -> bool:
    """Delete a row and tell whether it existed."""
    return connection.execute(sa.delete(table).where(table.c.id == row_id)).rowcount == 1
