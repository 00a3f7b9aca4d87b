"""Statements of visitors. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from liuying.core.visitors.tables import code_change, visitor
from liuying.kit.advisory_locks import AdvisoryLock
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow, take_transaction_lock
from liuying.kit.inserting import insert_if_absent


def visitor_of_code(
    connection: sa.Connection, code_hash: str, *, is_locked: bool = False
) -> int | None:
    """The visitor with this code hash.

    Args:
        is_locked: Whether to lock the row until the transaction ends, as before a write.
    """
    statement = sa.select(visitor.c.id).where(visitor.c.code_hash == code_hash)
    return connection.execute(statement.with_for_update() if is_locked else statement).scalar()


def visitor_of_row_id(connection: sa.Connection, row_id: str) -> int | None:
    """The visitor with this public row id."""
    return connection.execute(sa.select(visitor.c.id).where(visitor.c.row_id == row_id)).scalar()


def visitor_rows(connection: sa.Connection, ids: Collection[int]) -> Sequence[AnyRow]:
    """Those of `ids` that exist."""
    return connection.execute(sa.select(visitor).where(visitor.c.id.in_(ids))).all()


def insert_visitor(connection: sa.Connection, values: Mapping[str, object]) -> bool:
    """Insert a visitor; False if somebody else has just done so."""
    return insert_if_absent(connection, visitor, values)


def lock_code_changes(connection: sa.Connection) -> None:
    """Run code changes one at a time until the transaction ends.

    Two changes in opposite directions (a to b, b to a) would wait for each other. SQLite has one
    writer anyway.
    """
    take_transaction_lock(connection, AdvisoryLock.CODE_CHANGES)


def code_changes_after(
    connection: sa.Connection, visitor_id: int, since: Milliseconds
) -> list[Milliseconds]:
    """Times of a visitor's code changes after a moment, latest first."""
    recent = (code_change.c.visitor_id == visitor_id, code_change.c.changed_at > since)
    changed_at = code_change.c.changed_at
    statement = sa.select(changed_at).where(*recent).order_by(changed_at.desc())
    return list(connection.execute(statement).scalars())


def note_code_change(connection: sa.Connection, visitor_id: int, now: Milliseconds) -> None:
    """Record a change of a visitor's code."""
    connection.execute(sa.insert(code_change).values(visitor_id=visitor_id, changed_at=now))


def rename_visitor(connection: sa.Connection, visitor_id: int, code_hash: str) -> bool:
    """Change a visitor's code; False if another row has just taken it."""
    statement = sa.update(visitor).where(visitor.c.id == visitor_id).values(code_hash=code_hash)
    try:
        with connection.begin_nested():
            connection.execute(statement)
    except sa.exc.IntegrityError:
        return False
    return True
