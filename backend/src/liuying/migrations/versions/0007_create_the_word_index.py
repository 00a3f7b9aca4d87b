"""Create the word index, beginnings of titles, and what hot words are counted by. The index is
filled afterwards.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.drop_table("search_document")
    op.create_table(
        "search_document",
        sa.Column("video_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("title", sa.Text(), nullable=False, comment="folded, Chinese numbers as digits"),
        sa.Column("text", sa.Text(), nullable=False, comment="folded title, labels and artists"),
        sa.Column(
            "readings", sa.Text(), nullable=False, comment="pinyin of the same, see `readings`"
        ),
        sa.Column(
            "score",
            sa.Integer(),
            nullable=False,
            comment="popularity and freshness, see `documents.score_of`",
        ),
        sa.PrimaryKeyConstraint("video_id", name=op.f("pk_search_document")),
    )
    op.create_table(
        "search_start",
        sa.Column(
            "start", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("video_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("start", "video_id", name=op.f("pk_search_start")),
    )
    op.create_index(op.f("ix_search_start_video_id"), "search_start", ["video_id"], unique=False)
    state = op.create_table(
        "search_state",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False, comment="always 1"),
        sa.Column(
            "version",
            sa.Integer(),
            nullable=False,
            comment="of what is written, see `documents.VERSION`",
        ),
        sa.Column(
            "last_video_id", sa.Integer(), nullable=False, comment="as far as a build has come"
        ),
        sa.Column("is_complete", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_state")),
    )
    op.bulk_insert(state, [{"id": 1, "version": 0, "last_video_id": 0, "is_complete": False}])
    op.create_table(
        "blocked_word",
        sa.Column("word", sa.String(length=64), nullable=False, comment="folded"),
        sa.PrimaryKeyConstraint("word", name=op.f("pk_blocked_word")),
    )
    op.create_table(
        "search_mark",
        sa.Column("term", sa.String(length=64), nullable=False, comment="folded"),
        sa.Column(
            "network_hash",
            sa.String(length=64),
            nullable=False,
            comment="keyed, of this term alone",
        ),
        sa.Column(
            "hour", sa.Integer(), nullable=False, comment="when it last searched, hours since 1970"
        ),
        sa.PrimaryKeyConstraint("term", "network_hash", name=op.f("pk_search_mark")),
    )
    op.create_index(op.f("ix_search_mark_hour"), "search_mark", ["hour"], unique=False)
    op.create_index("ix_change_topic", "change", ["topic", "seq"], unique=False)
    _create_engine()


def _create_engine() -> None:
    """The tables of `features.search.queries.engines`, which the metadata does not know."""
    if op.get_bind().dialect.name == "sqlite":
        for channel in ("words", "readings"):
            op.execute(
                f"CREATE VIRTUAL TABLE search_{channel}"
                " USING fts5(tokens, content='', detail=none, columnsize=0, tokenize='ascii')"
            )
        return
    op.execute(
        "CREATE TABLE search_index (video_id integer PRIMARY KEY, words tsvector NOT NULL, "
        "readings tsvector NOT NULL)"
    )
    for channel in ("words", "readings"):
        op.execute(f"CREATE INDEX ix_search_index_{channel} ON search_index USING gin ({channel})")
