"""Take reports of videos: an entry a video, and what each reporter said."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.create_table(
        "reported_video",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(200), nullable=False, comment="when it was first reported"),
        sa.Column("state", sa.String(12), nullable=False, comment="rules.State"),
        sa.Column("reports", sa.Integer(), server_default="0", nullable=False),
        sa.Column("first_at", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.Column(
            "note", sa.String(200), server_default="", nullable=False, comment="the operator's"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reported_video")),
    )
    is_open = sa.text("decided_at IS NULL")
    op.create_index(
        "ix_reported_video_open",
        "reported_video",
        ["video_id"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
    op.create_index("ix_reported_video_last_at", "reported_video", ["last_at"])
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(12), nullable=False, comment="rules.Reason"),
        sa.Column(
            "content", sa.String(500), server_default="", nullable=False, comment="plain text"
        ),
        sa.Column(
            "contact", sa.String(100), server_default="", nullable=False, comment="plain text"
        ),
        sa.Column("receipt_hash", sa.String(64), nullable=False, comment="KeyedHashes.digest"),
        sa.ForeignKeyConstraint(
            ["entry_id"],
            ["reported_video.id"],
            name=op.f("fk_report_entry_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint("receipt_hash", name=op.f("uq_report_receipt_hash")),
    )
    op.create_index(op.f("ix_report_entry_id"), "report", ["entry_id"])
