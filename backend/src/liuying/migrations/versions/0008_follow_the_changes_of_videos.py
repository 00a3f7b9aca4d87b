"""Follow the changes of videos, find those of an artist or a label in an index alone, mark made-up
installations.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "video_change",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("video_id", sa.Integer(), nullable=False, comment="0 is all of them"),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_video_change")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "made_up",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False, comment="always 1"),
        sa.Column("videos", sa.Integer(), nullable=False, comment="how many there are to be"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_made_up")),
    )
    for name in ("artist", "label"):
        op.drop_index(op.f(f"ix_video_{name}_{name}_id"), f"video_{name}")
        op.create_index(
            f"ix_video_{name}_{name}", f"video_{name}", [f"{name}_id", "video_id"], unique=False
        )
