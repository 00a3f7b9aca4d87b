"""Put removed videos into a bin, from which they come back until they are purged."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "removed_video",
        sa.Column("video_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("removed_at", sa.BigInteger(), nullable=False),
        sa.Column("was_hidden", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["video_id"],
            ["video.id"],
            name=op.f("fk_removed_video_video_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("video_id", name=op.f("pk_removed_video")),
    )
    op.create_index("ix_removed_video_removed_at", "removed_video", ["removed_at"])
    op.add_column(
        "asset",
        sa.Column(
            "is_removed",
            sa.Boolean(),
            nullable=False,
            server_default=sa.false(),
            comment="its video is in the bin, and nobody may read it",
        ),
    )
