"""The ledger of jobs."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

# An ended job is never due again.
IS_OPEN = sa.text("due_at IS NOT NULL")

job = sa.Table(
    "job",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("kind", sa.String(16), nullable=False, comment="rules.Kind"),
    sa.Column("source", sa.Text, nullable=False, comment="absolute path of the operator's file"),
    sa.Column("wanted", sa.JSON, nullable=False, comment="what is said of the file"),
    sa.Column("state", sa.String(12), nullable=False, comment="rules.State"),
    sa.Column("priority", sa.Integer, nullable=False, comment="lower goes first"),
    # Claims since it was queued, retried, or made a step; likewise failures.
    sa.Column("attempt", sa.Integer, nullable=False, server_default="0"),
    sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    sa.Column(
        "lease_owner", sa.String(80), comment="of one claim alone; NULL where nobody works on it"
    ),
    sa.Column(
        "due_at",
        sa.BigInteger,
        comment="may be claimed from then on: waited for, or its lease has run out",
    ),
    sa.Column("progress", sa.Float, nullable=False, server_default="0", comment="0 to 1"),
    sa.Column(
        "stage",
        sa.String(16),
        nullable=False,
        server_default="",
        comment="what is being done, for the operator",
    ),
    sa.Column(
        "fault",
        sa.String(16),
        nullable=False,
        server_default="",
        comment="rules.Fault of the last failure",
    ),
    sa.Column("cause", sa.String(400), nullable=False, server_default=""),
    sa.Column("cause_en", sa.String(400), nullable=False, server_default=""),
    sa.Column("video_id", sa.Integer, comment="what came of it; the video may be gone since"),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("started_at", sa.BigInteger),
    sa.Column("ended_at", sa.BigInteger),
    sa.Index(
        "ix_job_open", "priority", "id", "due_at", sqlite_where=IS_OPEN, postgresql_where=IS_OPEN
    ),
    sa.Index("ix_job_state", "state", "id"),
    # A file waits only once, however often it is queued.
    sa.Index(
        "uq_job_source", "source", unique=True, sqlite_where=IS_OPEN, postgresql_where=IS_OPEN
    ),
)
