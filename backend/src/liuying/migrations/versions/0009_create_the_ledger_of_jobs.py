"""Create the ledger of jobs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

IS_OPEN = sa.text("due_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False, comment="rules.Kind"),
        sa.Column(
            "source", sa.Text(), nullable=False, comment="absolute path of the operator's file"
        ),
        sa.Column("wanted", sa.JSON(), nullable=False, comment="what is said of the file"),
        sa.Column("state", sa.String(length=12), nullable=False, comment="rules.State"),
        sa.Column("priority", sa.Integer(), nullable=False, comment="lower goes first"),
        sa.Column("attempt", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column(
            "lease_owner",
            sa.String(length=80),
            comment="of one claim alone; NULL where nobody works on it",
        ),
        sa.Column(
            "due_at",
            sa.BigInteger(),
            comment="may be claimed from then on: waited for, or its lease has run out",
        ),
        sa.Column("progress", sa.Float(), server_default="0", nullable=False, comment="0 to 1"),
        sa.Column(
            "stage",
            sa.String(length=16),
            server_default="",
            nullable=False,
            comment="what is being done, for the operator",
        ),
        sa.Column(
            "fault",
            sa.String(length=16),
            server_default="",
            nullable=False,
            comment="rules.Fault of the last failure",
        ),
        sa.Column("cause", sa.String(length=400), server_default="", nullable=False),
        sa.Column("cause_en", sa.String(length=400), server_default="", nullable=False),
        sa.Column("video_id", sa.Integer(), comment="what came of it; the video may be gone since"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index(
        "ix_job_open",
        "job",
        ["priority", "id", "due_at"],
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    )
    op.create_index("ix_job_state", "job", ["state", "id"])
    op.create_index(
        "uq_job_source",
        "job",
        ["source"],
        unique=True,
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    )
