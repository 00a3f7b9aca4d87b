"""Table of the page of what was removed: whether there is one."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

removal_page = sa.Table(
    "removal_page",
    metadata,
    # At most one row; without it there is no page.
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("is_shown", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("shows_titles", sa.Boolean, nullable=False, server_default=sa.false()),
)
