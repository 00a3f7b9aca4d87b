"""Tables of partners. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

vendor = sa.Table(
    "vendor",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True, comment="the `iss` of its codes"),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column(
        "key",
        sa.String(160),
        nullable=False,
        comment="encrypted (kit.encrypted_values): 32 random bytes that sign its codes (HS256)",
    ),
    sa.Column(
        "origin",
        sa.String(200),
        nullable=False,
        comment="may frame the site, e.g. https://partner.example",
    ),
    sa.Column("perks", sa.JSON, nullable=False, comment="schemas.Perks"),
    sa.Column("is_active", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)

used_code = sa.Table(
    "used_code",
    metadata,
    sa.Column("vendor_id", sa.ForeignKey("vendor.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("jti", sa.String(64), primary_key=True),
    sa.Column("expires_at", sa.BigInteger, nullable=False, index=True),
)
