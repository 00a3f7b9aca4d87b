"""Rows that a command names by their number."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.errors import NotFoundError


def require_row(connection: sa.Connection, table: sa.Table, row_id: int, name: str) -> None:
    """Make sure that a row is there.

    Args:
        name: What a row of the table is, for the refusal.

    Raises:
        NotFoundError: There is none of this number.
    """
    if connection.execute(sa.select(table.c.id).where(table.c.id == row_id)).first() is None:
        raise NotFoundError(f"没有编号为 {row_id} 的{name}")
