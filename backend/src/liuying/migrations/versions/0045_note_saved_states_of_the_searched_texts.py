"""Note which saved states of the texts in memory belong to this database's history."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    op.create_table(
        "search_save",
        sa.Column("token", sa.String(32), nullable=False, comment="of a state, see `saved_texts`"),
        sa.Column("saved_at", sa.BigInteger(), nullable=False, comment="milliseconds since 1970"),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_search_save")),
    )
