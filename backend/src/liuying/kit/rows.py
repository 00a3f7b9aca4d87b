"""Rows of any table by their number: found, written, changed and removed."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from liuying.kit.errors import NotFoundError

# Identifiers are 32 bits: every database holds them, and a larger number is refused before it is
# looked up.
MAX_ID = 2**31 - 1


def require_row(connection: sa.Connection, table: sa.Table, row_id: int, name: str) -> None:
    """Make sure that a row is there.

    Args:
        name: What a row of the table is, for the refusal.

    Raises:
        NotFoundError: There is none of this number.
    """
    if not _has_row(connection, table, row_id):
        raise NotFoundError(f"没有编号为 {row_id} 的{name}")


def _has_row(connection: sa.Connection, table: sa.Table, row_id: int) -> bool:
    statement = sa.select(table.c.id).where(table.c.id == row_id)
    return connection.execute(statement).first() is not None


def row_id_of(connection: sa.Connection, table: sa.Table, wanted: str, kind: str) -> int:
    """The number of a row that is called by its number or its name; a name of digits counts as a
    number first.

    Args:
        kind: What a row of the table is, for the refusal.

    Raises:
        NotFoundError: There is none of this number or name.
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
    """Write a row; returns the number that it was given."""
    statement = sa.insert(table).values(**values).returning(table.c.id)
    return int(connection.execute(statement).scalar_one())


def update_row(
    connection: sa.Connection, table: sa.Table, row_id: int, values: Mapping[str, object]
) -> bool:
    """Change columns of a row; no values change nothing. Whether there is such a row."""
    if not values:
        return _has_row(connection, table, row_id)
    statement = sa.update(table).where(table.c.id == row_id).values(**values)
    return connection.execute(statement).rowcount == 1


def delete_row(connection: sa.Connection, table: sa.Table, row_id: int) -> bool:
    """Remove a row; whether there was one."""
    return connection.execute(sa.delete(table).where(table.c.id == row_id)).rowcount == 1
