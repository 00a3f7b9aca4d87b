"""Tables of advertisements and links. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

banner_tag = sa.Table(
    "banner_tag",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(40), nullable=False, unique=True),
    sa.Column("position", sa.Integer, nullable=False, server_default="0"),
)

ad = sa.Table(
    "ad",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("slot", sa.String(16), nullable=False, index=True, comment="rules.Slot"),
    sa.Column("banner_tag_id", sa.ForeignKey("banner_tag.id", ondelete="CASCADE"), nullable=True),
    sa.Column("title", sa.String(80), nullable=False),
    sa.Column("text", sa.String(120), nullable=False, server_default=""),
    sa.Column("url", sa.String(500), nullable=False),
    sa.Column("image", sa.JSON, nullable=False, comment="EncryptedImage"),
    sa.Column("position", sa.Integer, nullable=False, server_default="0"),
    sa.Column("weight", sa.Integer, nullable=False, server_default="1"),
    sa.Column("starts_at", sa.BigInteger, nullable=True),
    sa.Column("ends_at", sa.BigInteger, nullable=True),
)

app_link = sa.Table(
    "app_link",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(12), nullable=False, index=True, comment="rules.LinkKind"),
    sa.Column("title", sa.String(80), nullable=False),
    sa.Column("text", sa.String(120), nullable=False, server_default=""),
    sa.Column("url", sa.String(500), nullable=False),
    sa.Column("image", sa.JSON, nullable=True, comment="EncryptedImage"),
    sa.Column("position", sa.Integer, nullable=False, server_default="0"),
)

# How often an advertisement was seen and followed. Nothing tells by whom.
ad_count = sa.Table(
    "ad_count",
    metadata,
    sa.Column("ad_id", sa.ForeignKey("ad.id", ondelete="CASCADE"), primary_key=True),
    sa.Column(
        "day", sa.Integer, primary_key=True, autoincrement=False, comment="days since 1970, UTC"
    ),
    sa.Column("views", sa.Integer, nullable=False, server_default="0"),
    sa.Column("clicks", sa.Integer, nullable=False, server_default="0"),
)
