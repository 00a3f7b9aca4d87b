"""Statements of feedback. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import sqlalchemy as sa

from liuying.features.feedback.tables import feedback
from liuying.kit.database import AnyRow
from liuying.kit.rows import insert_row

BATCH = 500


def insert_report(connection: sa.Connection, values: Mapping[str, object]) -> int:
    """Insert a report and return its id. `diagnostics` of None are stored as SQL NULL."""
    diagnostics = values["diagnostics"]
    stored = dict(values) | {"diagnostics": sa.null() if diagnostics is None else diagnostics}
    return insert_row(connection, feedback, stored)


def newest_reports(
    connection: sa.Connection, unread_only: bool, limit: int, before: int | None
) -> tuple[Sequence[AnyRow], int]:
    """The newest reports, and the total.

    Args:
        before: Only those with a smaller number; the total counts all.
    """
    where = sa.not_(feedback.c.is_read) if unread_only else sa.true()
    total = sa.select(sa.func.count()).select_from(feedback).where(where)
    newest = sa.select(feedback).where(where).order_by(feedback.c.id.desc())
    if before is not None:
        newest = newest.where(feedback.c.id < before)
    rows = connection.execute(newest.limit(limit)).all()
    return rows, connection.execute(total).scalar_one()


def every_report(connection: sa.Connection) -> Iterator[AnyRow]:
    """All reports, oldest first, a few hundred in memory at a time."""
    last = 0
    while True:
        statement = sa.select(feedback).where(feedback.c.id > last).order_by(feedback.c.id)
        rows = connection.execute(statement.limit(BATCH)).all()
        if not rows:
            return
        yield from rows
        last = rows[-1].id


def report_row(connection: sa.Connection, feedback_id: int) -> AnyRow | None:
    """One report; None if there is none with this id."""
    return connection.execute(sa.select(feedback).where(feedback.c.id == feedback_id)).first()
