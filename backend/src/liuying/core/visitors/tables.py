"""Tables of visitors. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

visitor = sa.Table(
    "visitor",
    metadata,
    # A change of the code renames the row; what belongs to the visitor refers to its number.
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column(
        "code_hash",
        sa.String(64),
        nullable=False,
        unique=True,
        comment="KeyedHashes.code, never the code",
    ),
    sa.Column(
        "row_id",
        sa.String(16),
        nullable=False,
        unique=True,
        comment="random; names the visitor to others",
    ),
    sa.Column("alias", sa.String(8), nullable=False, comment="what others see instead of the code"),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)

code_change = sa.Table(
    "code_change",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column(
        "visitor_id", sa.ForeignKey("visitor.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    sa.Column("changed_at", sa.BigInteger, nullable=False),
)
