"""Rows that are written once, also when two requests write them at the same time."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_absent(connection: sa.Connection, table: sa.Table, values: Mapping[str, object]) -> bool:
    """Insert a row unless one of the table's unique keys is taken.

    The database decides: of two transactions with the same key one inserts, and the other waits for it (PostgreSQL) or
    comes after it (SQLite).

    Returns:
        Whether the row was inserted.
    """
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    # The drivers' row counts of such statements differ; what was inserted comes back as a row on both.
    statement = insert(table).values(**values).on_conflict_do_nothing().returning(sa.literal(1))
    return connection.execute(statement).first() is not None
