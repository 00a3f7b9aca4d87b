"""Do maintenance from the console, and by a schedule."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"

IS_OPEN = sa.text("ended_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "maintenance_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column(
            "scheduled_for",
            sa.BigInteger(),
            nullable=True,
            comment="None where somebody asked for it",
        ),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("asked_by", sa.String(40), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column(
            "held_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="the process that works on it is alive",
        ),
        sa.Column("is_unwanted", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("stage", sa.String(40), server_default="", nullable=False),
        sa.Column("done", sa.BigInteger(), server_default="0", nullable=False, comment="bytes"),
        sa.Column(
            "total", sa.BigInteger(), server_default="0", nullable=False, comment="0: unknown"
        ),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("fault", sa.String(400), server_default="", nullable=False),
        sa.Column("host", sa.String(80), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_maintenance_run")),
    )
    op.create_index(
        "uq_maintenance_run_open",
        "maintenance_run",
        ["kind"],
        unique=True,
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    )
    op.create_index(
        "uq_maintenance_run_scheduled_for",
        "maintenance_run",
        ["kind", "scheduled_for"],
        unique=True,
    )
    op.create_table(
        "maintenance_schedule",
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False, comment="of the day, UTC"),
        sa.Column("kept", sa.Integer(), nullable=False, comment="how many scheduled ones"),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", name=op.f("pk_maintenance_schedule")),
    )
