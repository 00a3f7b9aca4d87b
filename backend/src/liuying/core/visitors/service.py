"""Who a data code belongs to. A visitor's row is made at the first write; only a keyed hash of the
code is kept.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

import msgspec
import sqlalchemy as sa

from liuying.core.visitors.tables import code_change, visitor
from liuying.kit.clock import Milliseconds
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.inserting import insert_if_absent
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.visitor_code import VisitorCode

# No row has it: a question about an unknown code runs the same statements and finds nothing
# (docs/security.md#t1).
NOBODY = 0
ROW_ID_BYTES = 8
ROW_ID = re.compile(f"[0-9a-f]{{{2 * ROW_ID_BYTES}}}")
MAX_CHANGES = 2
CHANGE_WINDOW_MS = 24 * 60 * 60 * 1000
LIMIT_MESSAGE = "24小时内只能更改2次，请稍后再试!"
# Any number that no other lock on the same PostgreSQL server has.
CODE_LOCK = 7_216_073_003
ATTEMPTS = 5

# Whether a visitor has favourites or shares: those belong to other slices.
HoldsData = Callable[[sa.Connection, int], bool]


class VisitorView(msgspec.Struct, frozen=True):
    """What others may see of a visitor."""

    row_id: str
    alias: str


def find_visitor(
    connection: sa.Connection, hashes: KeyedHashes, code: VisitorCode, *, is_locked: bool = False
) -> int | None:
    """The visitor behind a code, None where it was never written for.

    Args:
        is_locked: Whether the row is locked until the transaction ends, as before a write.
    """
    statement = sa.select(visitor.c.id).where(visitor.c.code_hash == hashes.code(code))
    return connection.execute(statement.with_for_update() if is_locked else statement).scalar()


def ensure_visitor(
    connection: sa.Connection, hashes: KeyedHashes, code: VisitorCode, now: Milliseconds
) -> int:
    """The visitor behind a code, made where there is none; locked until the transaction ends.

    The lock keeps a change of the code, which may remove an empty row, from passing a write to that
    row.
    """
    code_hash = hashes.code(code)
    locked = sa.select(visitor.c.id).where(visitor.c.code_hash == code_hash).with_for_update()
    for _ in range(ATTEMPTS):
        found = connection.execute(locked).scalar()
        if found is not None:
            return int(found)
        row_id = secrets.token_hex(ROW_ID_BYTES)
        values = {
            "code_hash": code_hash,
            "row_id": row_id,
            "alias": hashes.alias(row_id),
            "created_at": now,
        }
        insert_if_absent(
            connection, visitor, values
        )  # somebody else may be making the same row right now
    raise RuntimeError("a visitor's row is removed as often as it is made")


def find_by_row_id(connection: sa.Connection, row_id: str) -> int | None:
    """The visitor whom others know by `row_id`, which may be any text."""
    if ROW_ID.fullmatch(row_id) is None:
        return None
    return connection.execute(sa.select(visitor.c.id).where(visitor.c.row_id == row_id)).scalar()


def views_of(connection: sa.Connection, ids: list[int]) -> dict[int, VisitorView]:
    """What others may see of each of `ids`."""
    rows = connection.execute(sa.select(visitor).where(visitor.c.id.in_(ids)))
    return {row.id: VisitorView(row_id=row.row_id, alias=row.alias) for row in rows}


def change_code(
    connection: sa.Connection,
    hashes: KeyedHashes,
    current: VisitorCode,
    new: VisitorCode,
    now: Milliseconds,
    holds_data: HoldsData,
) -> int:
    """Let a visitor be known by a code other than the current one.

    The row is renamed, so that all that belongs to it comes along. Where the new code already holds
    data, nothing is renamed: the visitor goes over to that data, and the old code keeps its own.
    The caller cannot tell which it was.

    Returns:
        How many changes are left within 24 hours.

    Raises:
        TooManyRequestsError: Both changes of 24 hours are used up.
    """
    if connection.dialect.name == "postgresql":
        # Two changes that cross (a to b, b to a) would wait for each other. SQLite has one writer
        # at a time anyway.
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(CODE_LOCK)))
    mine = ensure_visitor(connection, hashes, current, now)
    left = _count_change(connection, mine, now)
    for _ in range(ATTEMPTS):
        if _take_code(connection, mine, hashes.code(new), holds_data):
            return left
    raise RuntimeError("a code is taken as often as it is freed")


def _count_change(connection: sa.Connection, visitor_id: int, now: Milliseconds) -> int:
    """Note a change; how many are left. The visitor's row is locked: two changes at once are
    counted one by one.
    """
    recent = sa.and_(
        code_change.c.visitor_id == visitor_id, code_change.c.changed_at > now - CHANGE_WINDOW_MS
    )
    times = connection.execute(
        sa.select(code_change.c.changed_at).where(recent).order_by(code_change.c.changed_at.desc())
    ).scalars()
    used = list(times)
    if len(used) >= MAX_CHANGES:
        wait = used[MAX_CHANGES - 1] + CHANGE_WINDOW_MS - now
        raise TooManyRequestsError(LIMIT_MESSAGE, retry_after=max(1, -(-wait // 1000)))
    connection.execute(sa.insert(code_change).values(visitor_id=visitor_id, changed_at=now))
    return MAX_CHANGES - 1 - len(used)


def _take_code(connection: sa.Connection, mine: int, code_hash: str, holds_data: HoldsData) -> bool:
    """Rename the row, or leave it where the code holds data. False where somebody else took the
    code meanwhile.
    """
    holder = connection.execute(
        sa.select(visitor.c.id).where(visitor.c.code_hash == code_hash).with_for_update()
    )
    other = holder.scalar()
    if other is not None:
        if holds_data(connection, other):
            return True
        connection.execute(sa.delete(visitor).where(visitor.c.id == other))
    try:
        with connection.begin_nested():
            connection.execute(
                sa.update(visitor).where(visitor.c.id == mine).values(code_hash=code_hash)
            )
    except sa.exc.IntegrityError:
        return False  # its first favourite was stored between the two statements: look again
    return True
