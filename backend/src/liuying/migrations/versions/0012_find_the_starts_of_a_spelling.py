"""Find the starts of a spelling: with every spelling that goes, its starts do, and all of them were
looked through.
"""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_index(
        op.f("ix_search_spelling_start_text"), "search_spelling_start", ["text"], unique=False
    )
