"""Who may publish an asset now. Each function runs inside the caller's transaction; moments are the
database's own, since clocks of machines differ.
"""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.playback.tables import asset
from liuying.kit.database import database_now


def take(connection: sa.Connection, key: str, owner: str, held_ms: int) -> bool:
    """Hold an asset that nobody holds; False if somebody does. An asset without a row is nobody's.

    Args:
        owner: A text that no other holder ever uses.
        held_ms: For so many milliseconds.
    """
    now = database_now(connection)
    is_out = sa.or_(asset.c.held_until.is_(None), asset.c.held_until < now)
    is_free = sa.or_(is_out, asset.c.held_by == owner)
    if _set(connection, key, is_free, owner, now + held_ms):
        return True
    return connection.execute(sa.select(asset.c.key).where(asset.c.key == key)).first() is None


def renew(connection: sa.Connection, key: str, owner: str, held_ms: int) -> bool:
    """Hold it for longer; False if another took over. Its row stays as it is until the transaction
    ends.
    """
    now = database_now(connection)
    return _set(connection, key, asset.c.held_by == owner, owner, now + held_ms)


def let_go(connection: sa.Connection, key: str, owner: str) -> None:
    """Leave it to others."""
    _set(connection, key, asset.c.held_by == owner, None, None)


def _set(
    connection: sa.Connection,
    key: str,
    condition: sa.ColumnElement[bool],
    owner: str | None,
    until: int | None,
) -> bool:
    statement = (
        sa.update(asset)
        .where(asset.c.key == key, condition)
        .values(held_by=owner, held_until=until)
        .returning(asset.c.key)
    )
    return connection.execute(statement).first() is not None
