"""What others ask of visitors: whose row a data code leads to."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

from liuying.domains.visitors.tables import visitor
from liuying.kit.clock import Milliseconds
from liuying.kit.inserting import insert_if_absent
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.visitor_code import VisitorCode

ROW_ID_BYTES = 8


def find_visitor(connection: sa.Connection, hashes: KeyedHashes, code: VisitorCode) -> int | None:
    """The visitor whom a code belongs to; None for a code that nothing was written under."""
    statement = sa.select(visitor.c.id).where(visitor.c.code_hash == hashes.code(code))
    return connection.execute(statement).scalar()


def ensure_visitor(connection: sa.Connection, hashes: KeyedHashes, code: VisitorCode, now: Milliseconds) -> int:
    """The same; the row is made where there is none."""
    code_hash = hashes.code(code)
    row_id = secrets.token_hex(ROW_ID_BYTES)
    values = {"code_hash": code_hash, "row_id": row_id, "alias": hashes.alias(row_id), "created_at": now}
    known = find_visitor(connection, hashes, code)
    if known is not None:
        return known
    insert_if_absent(connection, visitor, values)
    return int(connection.execute(sa.select(visitor.c.id).where(visitor.c.code_hash == code_hash)).scalar_one())
