"""Tables of favourites. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

favourite = sa.Table(
    "favourite",
    metadata,
    # Unique per visitor, site and video (docs/security.md#t3). Title and picture are read from the
    # catalogue.
    sa.Column("visitor_id", sa.ForeignKey("visitor.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("site", sa.String(8), primary_key=True),
    sa.Column(
        "video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), primary_key=True, index=True
    ),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Index("ix_favourite_list", "visitor_id", "site", "created_at", "video_id"),
)

favourite_activity = sa.Table(
    "favourite_activity",
    metadata,
    # One row per visitor with favourites, so that listing visitors reads the favourites of the
    # listed ones only.
    sa.Column("visitor_id", sa.ForeignKey("visitor.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("site", sa.String(8), primary_key=True),
    sa.Column(
        "active_at", sa.BigInteger, nullable=False, comment="when a favourite was added last"
    ),
    sa.Index("ix_favourite_activity_list", "site", "active_at", "visitor_id"),
)
