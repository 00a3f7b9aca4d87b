"""Gate categories by age, and tell what was removed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    op.add_column(
        "category",
        sa.Column("is_gated", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.add_column(
        "video",
        sa.Column(
            "seal",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="0 open, 1 sealed, 2 in part",
        ),
    )
    op.create_index("ix_video_seal", "video", ["seal", "category_id"])
    op.create_table(
        "age_gate",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("covers_site", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("title", sa.String(40), server_default="", nullable=False),
        sa.Column("text", sa.String(300), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_age_gate")),
    )
    op.create_table(
        "removal_page",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("is_shown", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("shows_titles", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_removal_page")),
    )
    op.add_column(
        "tombstone",
        sa.Column(
            "title",
            sa.String(200),
            nullable=True,
            comment="the video's, for the page of what was removed",
        ),
    )
