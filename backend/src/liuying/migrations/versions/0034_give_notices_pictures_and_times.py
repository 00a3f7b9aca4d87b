"""Give notices a picture and a time window, topics a picture, and let categories be hidden."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0032"


def upgrade() -> None:
    for table in ("notice", "topic"):
        op.add_column(table, sa.Column("image", sa.JSON(), nullable=True, comment="EncryptedImage"))
    for name in ("starts_at", "ends_at"):
        op.add_column("notice", sa.Column(name, sa.BigInteger(), nullable=True))
    op.add_column(
        "category",
        sa.Column("is_hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
