"""Sum views by day; those of days that are over are summed by the running site, a day a turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0039"


def upgrade() -> None:
    op.create_table(
        "view_day",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("views", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["video_id"],
            ["video.id"],
            name=op.f("fk_view_day_video_id_video"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("day", "video_id", name=op.f("pk_view_day")),
    )
    op.create_index(op.f("ix_view_day_video_id"), "view_day", ["video_id"])
