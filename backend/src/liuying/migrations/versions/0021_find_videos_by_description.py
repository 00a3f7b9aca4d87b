"""Find videos by their description too: a channel of the word index beside the others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    columns = {one["name"] for one in sa.inspect(op.get_bind()).get_columns("search_document")}
    if "description" not in columns:
        op.add_column(
            "search_document",
            sa.Column(
                "description", sa.Text(), server_default="", nullable=False, comment="folded"
            ),
        )
    op.create_index(
        "ix_video_detail_described",
        "video_detail",
        ["video_id"],
        sqlite_where=sa.text("description != ''"),
        postgresql_where=sa.text("description != ''"),
        if_not_exists=True,
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS search_descriptions"
            " USING fts5(tokens, content='', detail=none, columnsize=0, tokenize='ascii')"
        )
        return
    op.execute(
        "ALTER TABLE search_index"
        " ADD COLUMN IF NOT EXISTS descriptions tsvector NOT NULL DEFAULT ''"
    )
    op.execute(
        "CREATE INDEX IF NOT EXISTS ix_search_index_descriptions ON search_index"
        " USING gin (descriptions)"
    )
