"""Conditions on columns of beginnings."""

from __future__ import annotations

import sqlalchemy as sa

LAST_SIGN = chr(0x10FFFF)


def begins(column: sa.ColumnElement[str], start: str) -> sa.ColumnElement[bool]:
    """Whether a column starts with what was typed (`typed_start`), as a range of its index."""
    return sa.and_(column >= start, column < start + LAST_SIGN)
