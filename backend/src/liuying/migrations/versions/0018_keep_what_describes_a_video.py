"""Keep what describes a video: a text, its own date, chapters, and what its import wrote."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "video_detail",
        sa.Column("video_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("premiered_at", sa.BigInteger(), nullable=True, comment="its source's own date"),
        sa.Column("chapters", sa.JSON(), nullable=True, comment="start in seconds, title"),
        sa.Column("imported", sa.JSON(), nullable=True, comment="what the import wrote, by field"),
        sa.ForeignKeyConstraint(
            ["video_id"],
            ["video.id"],
            name=op.f("fk_video_detail_video_id_video"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("video_id", name=op.f("pk_video_detail")),
    )
