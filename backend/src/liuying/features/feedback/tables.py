"""Tables of feedback. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

feedback = sa.Table(
    "feedback",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("title", sa.String(40), nullable=False, comment="the type of issue"),
    sa.Column("content", sa.String(180), nullable=False, comment="plain text"),
    # No foreign key: a report about a removed video stays readable.
    sa.Column("video_id", sa.Integer, nullable=True, index=True),
    sa.Column(
        "code_hash", sa.String(64), nullable=False, server_default="", comment="KeyedHashes.code"
    ),
    sa.Column("diagnostics", sa.JSON, nullable=True, comment="attached with the visitor's consent"),
    sa.Column("is_in_work", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("is_read", sa.Boolean, nullable=False, server_default=sa.false()),
)
