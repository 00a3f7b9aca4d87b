"""Note who publishes an asset, for workers on several machines."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.add_column(
        "asset", sa.Column("held_by", sa.String(40), comment="who may publish it; a random text")
    )
    op.add_column(
        "asset", sa.Column("held_until", sa.BigInteger(), comment="by the database's clock")
    )
