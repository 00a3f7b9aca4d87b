"""Keep the hashed files of web builds: pages of the version before go on asking for theirs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.create_table(
        "web_asset",
        sa.Column("path", sa.String(200), nullable=False, comment="its name follows its content"),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("served_at", sa.BigInteger(), nullable=False, comment="its version served then"),
        sa.PrimaryKeyConstraint("path", name=op.f("pk_web_asset")),
    )
    op.create_index("ix_web_asset_served_at", "web_asset", ["served_at"])
