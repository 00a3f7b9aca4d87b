"""Count limits in the database where several processes share them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    moments = sa.JSON().with_variant(postgresql.ARRAY(sa.BigInteger), "postgresql")
    for name in ("limit_use", "limit_use_of_day"):
        op.create_table(
            name,
            sa.Column("key", sa.String(64), comment="keyed hash of a network"),
            sa.Column(
                "moments", moments, nullable=False, comment="of uses, milliseconds since 1970"
            ),
            sa.Column("before", moments, nullable=False, comment="of uses under yesterday's key"),
            sa.Column("asked", sa.Integer, nullable=False, comment="uses at once, the last time"),
            sa.Column("granted", sa.Integer, nullable=False, comment="of these"),
            sa.Column("used_at", sa.BigInteger, nullable=False, comment="when that was"),
            sa.PrimaryKeyConstraint("key", name=f"pk_{name}"),
            if_not_exists=True,
        )
    op.create_table(
        "first_use",
        sa.Column("mark", sa.String(64), comment="keyed hash, of a day"),
        sa.Column("left_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("mark", name="pk_first_use"),
        if_not_exists=True,
    )
    if op.get_bind().dialect.name == "postgresql":
        for name in ("limit_use", "first_use"):
            op.execute(f"ALTER TABLE {name} SET UNLOGGED")
