"""What a search looks through, and the hot words it offers."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

search_document = sa.Table(
    "search_document",
    metadata,
    # No foreign key: the slice knows videos by their id alone.
    sa.Column("video_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("title", sa.String(400), nullable=False, comment="folded title"),
    sa.Column("text", sa.String(2000), nullable=False, comment="folded title, labels and artists"),
    sa.Column("pageviews", sa.BigInteger, nullable=False, server_default="0"),
)

hot_group = sa.Table(
    "hot_group",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("title", sa.String(40), nullable=False, unique=True),
    sa.Column("position", sa.Integer, nullable=False, server_default="0"),
)

hot_word = sa.Table(
    "hot_word",
    metadata,
    sa.Column("group_id", sa.ForeignKey("hot_group.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("word", sa.String(64), primary_key=True),
    sa.Column("position", sa.Integer, nullable=False, server_default="0"),
)
