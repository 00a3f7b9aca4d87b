"""Note which assets have renditions in one file each, and files that were superseded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    # What is there by now has a file for every segment, and so has what a version before imports
    # while this one runs beside it.
    op.add_column(
        "asset",
        sa.Column(
            "is_one_file",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="a rendition is one file, not one for every segment",
        ),
    )
    op.add_column(
        "asset",
        sa.Column(
            "superseded_at",
            sa.BigInteger(),
            nullable=True,
            comment="since when files are there for players that began before",
        ),
    )
