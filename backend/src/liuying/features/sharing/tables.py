"""Tables of share-to-unlock. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

share = sa.Table(
    "share",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), nullable=False),
    sa.Column(
        "visitor_id", sa.ForeignKey("visitor.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    sa.Column(
        "sharer",
        sa.String(16),
        nullable=False,
        comment="one-way id of the sharer, part of the link",
    ),
    sa.Column(
        "settled",
        sa.Integer,
        nullable=False,
        server_default="0",
        comment="visits whose rows were pruned",
    ),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("video_id", "visitor_id"),
    sa.UniqueConstraint("sharer", "video_id"),
)

share_visit = sa.Table(
    "share_visit",
    metadata,
    # Two simultaneous visits of one network conflict on this key and count once
    # (docs/product.md#sharing).
    sa.Column("share_id", sa.ForeignKey("share.id", ondelete="CASCADE"), primary_key=True),
    sa.Column(
        "network_hash",
        sa.String(64),
        primary_key=True,
        comment="keyed, at most 30 days",
    ),
    sa.Column(
        "is_sharer", sa.Boolean, nullable=False, server_default=sa.false(), comment="never counts"
    ),
    sa.Column("seen_at", sa.BigInteger, nullable=False, index=True),
)
