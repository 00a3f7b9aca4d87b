"""Note who met failures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column(
        "play_health",
        sa.Column("failed_networks", sa.Integer(), server_default="0", nullable=False),
    )
    op.create_table(
        "failure_mark",
        sa.Column(
            "mark",
            sa.String(length=64),
            nullable=False,
            comment="keyed hash of network, video and day",
        ),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("mark", name=op.f("pk_failure_mark")),
    )
    op.create_index(op.f("ix_failure_mark_day"), "failure_mark", ["day"])
    op.create_table(
        "failure_alarm",
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("told_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_failure_alarm_video_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("video_id", name=op.f("pk_failure_alarm")),
    )
