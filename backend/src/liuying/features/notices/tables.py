"""Notices. `content` is HTML that was sanitized when it was written."""

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
)
