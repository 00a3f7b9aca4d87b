"""Notices. `content` is HTML that was sanitized when it was written. Times are milliseconds since
1970 (UTC).
"""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

notice = sa.Table(
    "notice",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("title", sa.String(120), nullable=False),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("updated_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("image", sa.JSON(none_as_null=True), nullable=True, comment="EncryptedImage"),
    sa.Column("starts_at", sa.BigInteger, nullable=True),
    sa.Column("ends_at", sa.BigInteger, nullable=True),
)
