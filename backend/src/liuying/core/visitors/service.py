"""Which visitor a data code belongs to. A visitor's row is created by the first write; only a
keyed hash of the code is stored.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

import msgspec
import sqlalchemy as sa

from liuying.core.visitors import queries
from liuying.core.visitors.tables import visitor
from liuying.kit.clock import Milliseconds
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.rows import delete_row
from liuying.kit.visitor_code import VisitorCode

# No row has this id: a question about an unknown code runs the same statements and finds nothing
# (docs/security.md#t1).
NOBODY = 0
ROW_ID_BYTES = 8
ROW_ID = re.compile(f"[0-9a-f]{{{2 * ROW_ID_BYTES}}}")
MAX_CHANGES = 2
CHANGE_WINDOW_MS = 24 * 60 * 60 * 1000
LIMIT_MESSAGE = "24小时内只能更改2次，请稍后再试!"
ATTEMPTS = 5

# Tells whether a visitor has favourites or shares, which belong to other modules.
HoldsData = Callable[[sa.Connection, int], bool]


class VisitorView(msgspec.Struct, frozen=True):
    """What others may know of a visitor."""

    row_id: str
    alias: str


def find_visitor(
    connection: sa.Connection, hashes: KeyedHashes, code: VisitorCode, *, is_locked: bool = False
) -> int | None:
    """The visitor with a code; None if nothing was ever written for it.

    Args:
        is_locked: Whether to lock the row until the transaction ends, as before a write.
    """
    return queries.visitor_of_code(connection, hashes.code(code), is_locked=is_locked)


def ensure_visitor(
    connection: sa.Connection, hashes: KeyedHashes, code: VisitorCode, now: Milliseconds
) -> int:
    """The visitor with a code, created if missing and locked until the transaction ends.

    The lock orders writes and changes of the code, which may remove an empty row.
    """
    code_hash = hashes.code(code)
    for _ in range(ATTEMPTS):
        found = queries.visitor_of_code(connection, code_hash, is_locked=True)
        if found is not None:
            return found
        row_id = secrets.token_hex(ROW_ID_BYTES)
        values = {
            "code_hash": code_hash,
            "row_id": row_id,
            "alias": hashes.alias(row_id),
            "created_at": now,
        }
        # Somebody else may be creating the same row right now.
        queries.insert_visitor(connection, values)
    raise RuntimeError("a visitor's row is removed as often as it is made")


def find_by_row_id(connection: sa.Connection, row_id: str) -> int | None:
    """The visitor with a public `row_id`, which may be any text."""
    if ROW_ID.fullmatch(row_id) is None:
        return None
    return queries.visitor_of_row_id(connection, row_id)


def views_of(connection: sa.Connection, ids: list[int]) -> dict[int, VisitorView]:
    """What others may know of each of `ids`."""
    rows = queries.visitor_rows(connection, ids)
    return {row.id: VisitorView(row_id=row.row_id, alias=row.alias) for row in rows}


def change_code(
    connection: sa.Connection,
    hashes: KeyedHashes,
    current: VisitorCode,
    new: VisitorCode,
    now: Milliseconds,
    holds_data: HoldsData,
) -> int:
    """Let a visitor use another code from now on.

    The row is renamed, so everything that belongs to it comes along. If the new code already has
    data, nothing is renamed: the visitor joins that data, and the old code keeps its own. The
    caller cannot tell which one happened.

    Returns:
        Number of changes left within 24 hours.

    Raises:
        TooManyRequestsError: Both changes of the last 24 hours are used up.
    """
    queries.lock_code_changes(connection)
    mine = ensure_visitor(connection, hashes, current, now)
    left = _count_change(connection, mine, now)
    for _ in range(ATTEMPTS):
        if _take_code(connection, mine, hashes.code(new), holds_data):
            return left
    raise RuntimeError("a code is taken as often as it is freed")


def _count_change(connection: sa.Connection, visitor_id: int, now: Milliseconds) -> int:
    """Record a change and return how many are left. The visitor's row is locked, so that
    simultaneous changes are counted one by one.
    """
    used = queries.code_changes_after(connection, visitor_id, now - CHANGE_WINDOW_MS)
    if len(used) >= MAX_CHANGES:
        wait = used[MAX_CHANGES - 1] + CHANGE_WINDOW_MS - now
        raise TooManyRequestsError(LIMIT_MESSAGE, retry_after=max(1, -(-wait // 1000)))
    queries.note_code_change(connection, visitor_id, now)
    return MAX_CHANGES - 1 - len(used)


def _take_code(connection: sa.Connection, mine: int, code_hash: str, holds_data: HoldsData) -> bool:
    """Rename the row unless the code has data. False if somebody else took the code meanwhile."""
    other = queries.visitor_of_code(connection, code_hash, is_locked=True)
    if other is not None:
        if holds_data(connection, other):
            return True
        delete_row(connection, visitor, other)
    # Its first favourite may be stored between the two statements; then the caller looks again.
    return queries.rename_visitor(connection, mine, code_hash)
