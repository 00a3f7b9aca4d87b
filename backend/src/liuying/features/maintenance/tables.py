"""Tables of maintenance. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

IS_OPEN = sa.text("ended_at IS NULL")

maintenance_run = sa.Table(
    "maintenance_run",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("scheduled_for", sa.BigInteger, comment="None where somebody asked for it"),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("asked_by", sa.String(40), nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("started_at", sa.BigInteger),
    sa.Column("ended_at", sa.BigInteger),
    sa.Column(
        "held_until",
        sa.BigInteger,
        nullable=False,
        server_default="0",
        comment="the process that works on it is alive",
    ),
    sa.Column("is_unwanted", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("stage", sa.String(40), nullable=False, server_default=""),
    sa.Column("done", sa.BigInteger, nullable=False, server_default="0", comment="bytes"),
    sa.Column("total", sa.BigInteger, nullable=False, server_default="0", comment="0: unknown"),
    sa.Column("result", sa.JSON),
    sa.Column("fault", sa.String(400), nullable=False, server_default=""),
    sa.Column("host", sa.String(80), nullable=False, server_default=""),
    # Of several that ask at once, one begins it; so does one process of all that see it due.
    sa.Index(
        "uq_maintenance_run_open",
        "kind",
        unique=True,
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    ),
    sa.Index("uq_maintenance_run_scheduled_for", "kind", "scheduled_for", unique=True),
)

maintenance_schedule = sa.Table(
    "maintenance_schedule",
    metadata,
    # A kind without a row has its default.
    sa.Column("kind", sa.String(10), primary_key=True),
    sa.Column("is_on", sa.Boolean, nullable=False),
    sa.Column("minute", sa.Integer, nullable=False, comment="of the day, UTC"),
    sa.Column("kept", sa.Integer, nullable=False, comment="how many scheduled ones"),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("changed_at", sa.BigInteger, nullable=False),
)
