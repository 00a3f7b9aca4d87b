"""Statements of the audit log. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import sqlalchemy as sa

from liuying.features.audit.tables import console_audit
from liuying.kit.database import AnyRow

BATCH = 500


def append(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Add a row; values of None in `before` and `after` become SQL NULL."""
    stored = {name: sa.null() if value is None else value for name, value in values.items()}
    connection.execute(sa.insert(console_audit).values(**stored))


def newest(connection: sa.Connection, before_id: int | None, limit: int) -> Sequence[AnyRow]:
    """The newest rows, below a number where one is given."""
    is_older = sa.true() if before_id is None else console_audit.c.id < before_id
    statement = sa.select(console_audit).where(is_older).order_by(console_audit.c.id.desc())
    return connection.execute(statement.limit(limit)).all()


def every_row(connection: sa.Connection) -> Iterator[AnyRow]:
    """All rows, oldest first, a few hundred in memory at a time."""
    last = 0
    while True:
        statement = sa.select(console_audit).where(console_audit.c.id > last)
        rows = connection.execute(statement.order_by(console_audit.c.id).limit(BATCH)).all()
        yield from rows
        if len(rows) < BATCH:
            return
        last = rows[-1].id
