"""Statements of partners and their used codes. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from liuying.features.embedding.tables import used_code, vendor
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.encrypted_values import PREFIX

_IS_ACTIVE = vendor.c.is_active.is_(sa.true())


def vendor_row(connection: sa.Connection, vendor_id: str) -> AnyRow | None:
    """A partner, active or not."""
    return connection.execute(sa.select(vendor).where(vendor.c.id == vendor_id)).first()


def active_vendor_row(connection: sa.Connection, vendor_id: str | None) -> AnyRow | None:
    """A partner whose codes are accepted."""
    statement = sa.select(vendor).where(vendor.c.id == vendor_id, _IS_ACTIVE)
    return connection.execute(statement).first()


def vendor_rows(connection: sa.Connection) -> Sequence[AnyRow]:
    """All partners by id."""
    return connection.execute(sa.select(vendor).order_by(vendor.c.id)).all()


def stored_key(connection: sa.Connection, vendor_id: str) -> str:
    """A partner's key as stored; empty if there is no such partner."""
    statement = sa.select(vendor.c.key).where(vendor.c.id == vendor_id)
    return connection.execute(statement).scalar() or ""


def clear_keys(connection: sa.Connection) -> Sequence[tuple[str, str]]:
    """Partners whose keys are stored in clear, and these keys."""
    statement = sa.select(vendor.c.id, vendor.c.key).where(
        vendor.c.key.not_like(f"{PREFIX}%"), vendor.c.key != ""
    )
    return [(row.id, row.key) for row in connection.execute(statement)]


def active_origins(connection: sa.Connection) -> tuple[str, ...]:
    """Origins of the active partners."""
    statement = sa.select(vendor.c.origin).where(_IS_ACTIVE).distinct().order_by(vendor.c.origin)
    return tuple(connection.execute(statement).scalars())


def update_vendor(connection: sa.Connection, vendor_id: str, values: Mapping[str, object]) -> None:
    """Change columns of a partner."""
    connection.execute(sa.update(vendor).where(vendor.c.id == vendor_id).values(**values))


def delete_vendor(connection: sa.Connection, vendor_id: str) -> None:
    """Delete a partner."""
    connection.execute(sa.delete(vendor).where(vendor.c.id == vendor_id))


def prune_codes(connection: sa.Connection, now: Milliseconds) -> int:
    """Delete used codes that are too old to be accepted anyway.

    Returns:
        How many were deleted.
    """
    return connection.execute(sa.delete(used_code).where(used_code.c.expires_at <= now)).rowcount
