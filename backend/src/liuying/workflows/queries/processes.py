"""The serving processes on one database, and the settings of theirs that visitors see."""

from __future__ import annotations

import socket
from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from liuying.kit.clock import Milliseconds
from liuying.kit.database import metadata

serving_process = sa.Table(
    "serving_process",
    metadata,
    sa.Column("name", sa.String(120), primary_key=True, comment="machine and port"),
    sa.Column("settings", sa.JSON, nullable=False, comment="those that visitors see"),
    sa.Column("seen_at", sa.BigInteger, nullable=False),
)
# Whoever has not been seen for so long serves no more.
GONE_MS: Milliseconds = 120_000


def process_name(port: int) -> str:
    """The name of a serving process of this machine."""
    return f"{socket.gethostname()[:100]}:{port}"


def note_process(
    connection: sa.Connection, name: str, settings: Mapping[str, str], now: Milliseconds
) -> None:
    """Note on PostgreSQL that a process serves, and with which settings; forget those that do not
    any more.
    """
    values = {"settings": dict(settings), "seen_at": now}
    statement = postgresql.insert(serving_process).values(name=name, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=values))
    connection.execute(sa.delete(serving_process).where(serving_process.c.seen_at < now - GONE_MS))


def serving_processes(connection: sa.Connection, now: Milliseconds) -> list[str]:
    """Names of the processes that served lately."""
    statement = sa.select(serving_process.c.name).where(serving_process.c.seen_at >= now - GONE_MS)
    return list(connection.execute(statement.order_by(serving_process.c.name)).scalars())


def differing_settings(
    connection: sa.Connection, now: Milliseconds
) -> dict[str, dict[str, list[str]]]:
    """Settings in which the serving processes differ: by name, for each value who has it."""
    statement = sa.select(serving_process).where(serving_process.c.seen_at >= now - GONE_MS)
    found: dict[str, dict[str, list[str]]] = {}
    for row in connection.execute(statement.order_by(serving_process.c.name)):
        for name, value in row.settings.items():
            found.setdefault(name, {}).setdefault(value, []).append(row.name)
    return {name: values for name, values in found.items() if len(values) > 1}
