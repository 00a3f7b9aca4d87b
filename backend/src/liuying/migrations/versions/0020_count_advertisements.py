"""Count how often advertisements are seen and followed, by day and without identity."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "ad_count",
        sa.Column("ad_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False, comment="days since 1970, UTC"),
        sa.Column("views", sa.Integer(), server_default="0", nullable=False),
        sa.Column("clicks", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["ad_id"], ["ad.id"], name=op.f("fk_ad_count_ad_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("ad_id", "day", name=op.f("pk_ad_count")),
    )
