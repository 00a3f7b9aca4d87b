"""Make room for what the operator's site calls itself, and for its pictures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "site_setting",
        sa.Column("name", sa.String(24), nullable=False, comment="a field of SiteIdentity"),
        sa.Column("value", sa.String(500), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_site_setting")),
    )
    op.create_table(
        "site_picture",
        sa.Column("name", sa.String(24), nullable=False, comment="the last part of its address"),
        sa.Column("digest", sa.String(16), nullable=False, comment="of the content, hexadecimal"),
        sa.Column("content", sa.LargeBinary(), nullable=False, comment="PNG"),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_site_picture")),
    )
