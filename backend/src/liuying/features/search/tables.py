"""What a search examines, and the hot words it offers. The engine owns the word index
(`engines`).
"""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

# No foreign keys: this feature knows videos by id only.
search_document = sa.Table(
    "search_document",
    metadata,
    sa.Column("video_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("title", sa.Text, nullable=False, comment="folded, Chinese numbers as digits"),
    sa.Column("text", sa.Text, nullable=False, comment="folded title, labels and artists"),
    sa.Column("readings", sa.Text, nullable=False, comment="pinyin of the same, see `readings`"),
    sa.Column(
        "score",
        sa.Integer,
        nullable=False,
        comment="popularity and freshness, see `documents.score_of`",
    ),
    sa.Column("description", sa.Text, nullable=False, server_default="", comment="folded"),
    sa.Index("ix_search_document_best", "score", "video_id"),
)

search_start = sa.Table(
    "search_start",
    metadata,
    # Ordered by code point on both databases, so that a prefix is a range.
    sa.Column(
        "start", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), primary_key=True
    ),
    sa.Column("video_id", sa.Integer, primary_key=True, autoincrement=False, index=True),
)

search_spelling = sa.Table(
    "search_spelling",
    metadata,
    sa.Column("text", sa.String(80), primary_key=True, comment="a name of an artist or a label"),
    sa.Column("folded", sa.Text, nullable=False, comment="may be longer than the name"),
    sa.Column("readings", sa.Text, nullable=False, comment="pinyin, see `readings`"),
)

search_spelling_start = sa.Table(
    "search_spelling_start",
    metadata,
    # As above.
    sa.Column(
        "start", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), primary_key=True
    ),
    sa.Column(
        "text",
        sa.ForeignKey("search_spelling.text", ondelete="CASCADE"),
        primary_key=True,
        index=True,
    ),
)

search_state = sa.Table(
    "search_state",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False, comment="always 1"),
    sa.Column(
        "version", sa.Integer, nullable=False, comment="of what is written, see `documents.VERSION`"
    ),
    sa.Column("last_video_id", sa.Integer, nullable=False, comment="as far as a build has come"),
    sa.Column("is_complete", sa.Boolean, nullable=False),
)

search_save = sa.Table(
    "search_save",
    metadata,
    sa.Column("token", sa.String(32), primary_key=True, comment="of a state, see `saved_texts`"),
    sa.Column("saved_at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
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

blocked_word = sa.Table(
    "blocked_word",
    metadata,
    sa.Column("word", sa.String(64), primary_key=True, comment="folded"),
)

search_mark = sa.Table(
    "search_mark",
    metadata,
    # One row per term and network: a term is as hot as it has rows.
    sa.Column("term", sa.String(64), primary_key=True, comment="folded"),
    sa.Column("network_hash", sa.String(64), primary_key=True, comment="keyed, of this term alone"),
    sa.Column(
        "hour",
        sa.Integer,
        nullable=False,
        index=True,
        comment="when it last searched, hours since 1970",
    ),
)
