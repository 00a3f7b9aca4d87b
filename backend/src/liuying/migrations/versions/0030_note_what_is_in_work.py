"""Note which feedback the operator is working on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.add_column(
        "feedback",
        sa.Column("is_in_work", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
