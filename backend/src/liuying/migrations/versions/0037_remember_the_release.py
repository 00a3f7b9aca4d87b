"""Remember the release, and what was found to differ from it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    op.create_table(
        "integrity",
        sa.Column("machine", sa.String(length=100), nullable=False),
        sa.Column("checked_at", sa.BigInteger(), nullable=False),
        sa.Column("findings", sa.JSON(), nullable=False, comment="paths and what was done to them"),
        sa.Column(
            "release_key", sa.String(length=60), nullable=False, comment="who signed; base64"
        ),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("released_at", sa.BigInteger(), nullable=False, comment="seconds since 1970"),
        sa.Column(
            "records", sa.String(length=64), nullable=False, comment="hash of third-party lists"
        ),
        sa.Column("settings", sa.JSON(), nullable=False, comment="keyed hashes by name"),
        sa.Column("changed_settings", sa.JSON(), nullable=False, comment="names"),
        sa.Column("settings_changed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("machine", name=op.f("pk_integrity")),
    )
