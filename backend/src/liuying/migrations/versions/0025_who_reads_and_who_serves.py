"""Note the oldest version that works with the tables, and the settings of serving processes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.create_table(
        "schema_reader",
        sa.Column("oldest", sa.String(8), comment="a migration"),
        sa.PrimaryKeyConstraint("oldest", name="pk_schema_reader"),
        if_not_exists=True,
    )
    op.create_table(
        "serving_process",
        sa.Column("name", sa.String(120), comment="machine and port"),
        sa.Column("settings", sa.JSON, nullable=False, comment="those that visitors see"),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_serving_process"),
        if_not_exists=True,
    )
