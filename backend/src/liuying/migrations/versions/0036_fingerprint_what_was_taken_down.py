"""Fingerprint what was taken down."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.add_column(
        "tombstone",
        sa.Column(
            "fingerprint",
            sa.LargeBinary(),
            nullable=True,
            comment="what it looks like (media/fingerprint.py)",
        ),
    )
