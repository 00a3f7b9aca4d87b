"""What was taken down and must not come back. Each function runs inside the caller's
transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.core.playback.tables import asset, tombstone
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow


def tombstone_reason(connection: sa.Connection, source_hash: str | None) -> str | None:
    """Why a content was taken down; None if it was not."""
    statement = sa.select(tombstone.c.reason).where(tombstone.c.source_hash == source_hash)
    return connection.execute(statement).scalar()


def lay_tombstone(
    connection: sa.Connection,
    source_hash: str,
    reason: str,
    now: Milliseconds,
    title: str | None = None,
) -> None:
    """Record that a content was taken down. One that was before gets the new reason; its
    fingerprint stays, and its title where none is given.
    """
    same = tombstone.c.source_hash == source_hash
    values: dict[str, object] = {"reason": reason, "removed_at": now}
    if title is not None:
        values["title"] = title
    if connection.execute(sa.update(tombstone).where(same).values(values)).rowcount == 0:
        connection.execute(sa.insert(tombstone).values(source_hash=source_hash, **values))


def taken_down(connection: sa.Connection, offset: int, limit: int) -> Sequence[AnyRow]:
    """`removed_at`, `reason` and `title` of what was taken down, the latest first."""
    columns = (tombstone.c.removed_at, tombstone.c.reason, tombstone.c.title)
    latest = (tombstone.c.removed_at.desc(), tombstone.c.source_hash)
    statement = sa.select(*columns).order_by(*latest).offset(offset).limit(limit)
    return connection.execute(statement).all()


def count_taken_down(connection: sa.Connection) -> int:
    """How many contents were taken down."""
    return connection.execute(sa.select(sa.func.count()).select_from(tombstone)).scalar_one()


def set_fingerprint(connection: sa.Connection, source_hash: str, fingerprint: bytes) -> None:
    """Keep what a content that was taken down looks like (`media/fingerprint.py`)."""
    same = tombstone.c.source_hash == source_hash
    connection.execute(sa.update(tombstone).where(same).values(fingerprint=fingerprint))


def fingerprinted(connection: sa.Connection) -> Sequence[str]:
    """The contents whose fingerprints are kept, latest first."""
    statement = sa.select(tombstone.c.source_hash).where(tombstone.c.fingerprint.is_not(None))
    return connection.execute(statement.order_by(tombstone.c.removed_at.desc())).scalars().all()


def fingerprint_rows(connection: sa.Connection, contents: Sequence[str]) -> Sequence[AnyRow]:
    """`source_hash`, `reason` and `fingerprint` of those contents that have one, latest first."""
    columns = (tombstone.c.source_hash, tombstone.c.reason, tombstone.c.fingerprint)
    statement = sa.select(*columns).where(
        tombstone.c.source_hash.in_(contents), tombstone.c.fingerprint.is_not(None)
    )
    return connection.execute(statement.order_by(tombstone.c.removed_at.desc())).all()


def taken_down_assets(connection: sa.Connection) -> Sequence[str]:
    """Keys of assets whose content was taken down, but whose files are still there."""
    statement = sa.select(asset.c.key).where(asset.c.is_removed)
    joined = statement.join(tombstone, tombstone.c.source_hash == asset.c.source_hash)
    return connection.execute(joined.order_by(asset.c.key)).scalars().all()
