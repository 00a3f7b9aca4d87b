"""Marks of messages and reports that are not stored twice where their sender repeats them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    op.create_table(
        "written_once",
        sa.Column("mark", sa.String(64), nullable=False, comment="KeyedHashes.digest"),
        sa.Column("answer", sa.String(64), nullable=False, comment="what the answer is made of"),
        sa.Column("written_at", sa.BigInteger(), nullable=False, comment="milliseconds since 1970"),
        sa.PrimaryKeyConstraint("mark", name=op.f("pk_written_once")),
    )
    op.create_index(op.f("ix_written_once_written_at"), "written_once", ["written_at"])
