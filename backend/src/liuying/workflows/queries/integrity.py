"""What each machine found when it compared its program with the release, and what it remembers of
the release from the time before. Each function runs inside the caller's transaction.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow, metadata

integrity = sa.Table(
    "integrity",
    metadata,
    sa.Column("machine", sa.String(100), primary_key=True),
    sa.Column("checked_at", sa.BigInteger, nullable=False),
    sa.Column("findings", sa.JSON, nullable=False, comment="paths and what was done to them"),
    sa.Column("release_key", sa.String(60), nullable=False, comment="who signed; base64"),
    sa.Column("version", sa.String(40), nullable=False),
    sa.Column("released_at", sa.BigInteger, nullable=False, comment="seconds since 1970"),
    sa.Column("records", sa.String(64), nullable=False, comment="hash of third-party lists"),
    sa.Column("settings", sa.JSON, nullable=False, comment="keyed hashes by name"),
    sa.Column("changed_settings", sa.JSON, nullable=False, comment="names"),
    sa.Column("settings_changed_at", sa.BigInteger),
)


def this_machine() -> str:
    """This machine's name."""
    return socket.gethostname()[:100]


def integrity_row(connection: sa.Connection, machine: str) -> AnyRow | None:
    """What a machine found last."""
    return connection.execute(sa.select(integrity).where(integrity.c.machine == machine)).first()


def integrity_rows(connection: sa.Connection) -> Sequence[AnyRow]:
    """What all machines found, by name."""
    return connection.execute(sa.select(integrity).order_by(integrity.c.machine)).all()


def write_integrity(
    connection: sa.Connection, machine: str, now: Milliseconds, values: Mapping[str, Any]
) -> None:
    """Replace what a machine found."""
    connection.execute(sa.delete(integrity).where(integrity.c.machine == machine))
    row = {"machine": machine, "checked_at": now, **values}
    connection.execute(sa.insert(integrity).values(row))
