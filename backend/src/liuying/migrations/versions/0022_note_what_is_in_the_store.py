"""Note what is in a store of objects that cannot be listed for every question."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    # Names are compared by their bytes, so that those with a prefix are one range.
    name = sa.String(1024).with_variant(sa.String(1024, collation="C"), "postgresql")
    op.create_table(
        "stored_object",
        sa.Column(
            "name",
            name,
            nullable=False,
            comment="a key, or with a slash at its end a folder of an asset",
        ),
        sa.Column("kind", sa.String(80), nullable=False, comment="object_records.kind_of"),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("stored_at", sa.BigInteger(), nullable=False, comment="microseconds since 1970"),
        sa.Column("going_at", sa.BigInteger(), comment="somebody has been removing it since then"),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_stored_object")),
    )
