"""Keep the spellings of names. They are written by the build of the index, whose version
has risen.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "search_spelling",
        sa.Column(
            "text", sa.String(length=80), nullable=False, comment="a name of an artist or a label"
        ),
        sa.Column("folded", sa.Text(), nullable=False, comment="may be longer than the name"),
        sa.Column("readings", sa.Text(), nullable=False, comment="pinyin, see `readings`"),
        sa.PrimaryKeyConstraint("text", name=op.f("pk_search_spelling")),
    )
    op.create_table(
        "search_spelling_start",
        sa.Column(
            "start", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False
        ),
        sa.Column("text", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["text"],
            ["search_spelling.text"],
            name=op.f("fk_search_spelling_start_text_search_spelling"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("start", "text", name=op.f("pk_search_spelling_start")),
    )
    op.create_index(
        "ix_search_document_best", "search_document", ["score", "video_id"], unique=False
    )
