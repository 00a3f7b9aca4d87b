"""Create views, ranks, play health and topics."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "topic",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("intro", sa.String(length=400), server_default="", nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_topic")),
        sa.UniqueConstraint("title", name=op.f("uq_topic_title")),
    )
    op.create_table(
        "view_mark",
        sa.Column(
            "mark",
            sa.String(length=64),
            nullable=False,
            comment="keyed hash of viewer, video and hour",
        ),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("mark", name=op.f("pk_view_mark")),
    )
    op.create_index(op.f("ix_view_mark_hour"), "view_mark", ["hour"], unique=False)
    op.create_table(
        "play_health",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("starts", sa.Integer(), server_default="0", nullable=False),
        sa.Column(
            "start_ms",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="sum of waiting times",
        ),
        sa.Column("stalls", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_play_health_video_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("day", "video_id", name=op.f("pk_play_health")),
    )
    op.create_index(op.f("ix_play_health_video_id"), "play_health", ["video_id"], unique=False)
    op.create_table(
        "rank_place",
        sa.Column("kind", sa.String(length=12), nullable=False, comment="rules.RankKind"),
        sa.Column("period", sa.String(length=8), nullable=False, comment="rules.Period"),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False, comment="from 1"),
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("score", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_rank_place_video_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("kind", "period", "place", name=op.f("pk_rank_place")),
    )
    op.create_index(op.f("ix_rank_place_video_id"), "rank_place", ["video_id"], unique=False)
    op.create_table(
        "topic_video",
        sa.Column("topic_id", sa.Integer(), nullable=False),
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["topic_id"], ["topic.id"], name=op.f("fk_topic_video_topic_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_topic_video_video_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("topic_id", "video_id", name=op.f("pk_topic_video")),
    )
    op.create_index(op.f("ix_topic_video_video_id"), "topic_video", ["video_id"], unique=False)
    op.create_table(
        "view_hour",
        sa.Column("hour", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("views", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_view_hour_video_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hour", "video_id", name=op.f("pk_view_hour")),
    )
    op.create_index(op.f("ix_view_hour_video_id"), "view_hour", ["video_id"], unique=False)
    op.create_table(
        "view_pending",
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("views", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_view_pending_video_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("video_id", name=op.f("pk_view_pending")),
    )
