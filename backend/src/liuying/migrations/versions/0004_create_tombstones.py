"""Create tombstones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "tombstone",
        sa.Column(
            "source_hash",
            sa.String(length=64),
            nullable=False,
            comment="SHA-256 of the source file",
        ),
        sa.Column("reason", sa.String(length=200), nullable=False),
        sa.Column("removed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("source_hash", name=op.f("pk_tombstone")),
    )
