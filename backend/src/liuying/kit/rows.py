"""Rows that a command names by their number, or by their name."""

from __future__ import annotations

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
    if connection.execute(sa.select(table.c.id).where(table.c.id == row_id)).first() is None:
        raise NotFoundError(f"没有编号为 {row_id} 的{name}")


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
