"""List visitors with favourites by a table of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "favourite_activity",
        sa.Column("visitor_id", sa.Integer(), nullable=False),
        sa.Column("site", sa.String(length=8), nullable=False),
        sa.Column(
            "active_at", sa.BigInteger(), nullable=False, comment="when a favourite was added last"
        ),
        sa.ForeignKeyConstraint(
            ["visitor_id"],
            ["visitor.id"],
            name=op.f("fk_favourite_activity_visitor_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("visitor_id", "site", name=op.f("pk_favourite_activity")),
    )
    op.create_index(
        "ix_favourite_activity_list", "favourite_activity", ["site", "active_at", "visitor_id"]
    )
    op.execute(
        "INSERT INTO favourite_activity (visitor_id, site, active_at)"
        " SELECT visitor_id, site, max(created_at) FROM favourite GROUP BY visitor_id, site"
    )
