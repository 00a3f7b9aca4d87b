"""Indexes of large tables, built beside whoever reads and writes them.

`CREATE INDEX` lets nobody write the table until it has ended, and its transaction longer still.
`CREATE INDEX CONCURRENTLY` needs no transaction and waits for those that are open; where it is
broken off it leaves an index that is kept up to date and never used.

Source: https://www.postgresql.org/docs/current/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from liuying.kit.advisory_locks import AdvisoryLock


class LateIndex(msgspec.Struct, frozen=True):
    """An index that no migration makes.

    Attributes:
        name: As the table's declaration has it.
        on: Table and columns, as `CREATE INDEX` wants them: `video (created_at DESC, id)`.
    """

    name: str
    on: str


def unbuilt(connection: sa.Connection, indexes: Sequence[LateIndex]) -> list[LateIndex]:
    """Those that are not there, or not whole."""
    if connection.dialect.name == "postgresql":
        statement = sa.text(
            "SELECT relname FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid"
            " WHERE indisvalid AND pg_table_is_visible(pg_class.oid)"
        )
    else:
        statement = sa.text("SELECT name FROM sqlite_master WHERE type = 'index'")
    built = set(connection.execute(statement).scalars())
    return [one for one in indexes if one.name not in built]


def build(connection: sa.Connection, index: LateIndex) -> None:
    """Build one.

    Args:
        connection: On PostgreSQL each of its statements is committed at once.

    Raises:
        sqlalchemy.exc.DBAPIError: The connection broke, or the server ended it. What is left is
            removed the next time.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"DROP INDEX CONCURRENTLY IF EXISTS {index.name}")
        connection.exec_driver_sql(f"CREATE INDEX CONCURRENTLY {index.name} ON {index.on}")
    else:
        connection.exec_driver_sql(f"CREATE INDEX IF NOT EXISTS {index.name} ON {index.on}")


def take_turn(connection: sa.Connection) -> bool:
    """Whether nobody else builds indexes; then this connection of PostgreSQL keeps others from it
    until it is closed.

    Nobody waits for his turn: a build waits for all statements that began before it, and would wait
    for that one, too.
    """
    statement = f"SELECT pg_try_advisory_lock({AdvisoryLock.LATE_INDEXES.value})"
    return bool(connection.exec_driver_sql(statement).scalar_one())
