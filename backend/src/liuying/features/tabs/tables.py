"""The tab bar's entries. A migration inserts the site's own."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

tab = sa.Table(
    "tab",
    metadata,
    sa.Column(
        "key", sa.String(16), primary_key=True, comment="rules.SCREENS, or link and a number"
    ),
    sa.Column("name", sa.String(8), nullable=False),
    sa.Column("icon", sa.String(16), nullable=False, comment="rules.ICONS"),
    sa.Column(
        "url",
        sa.String(500),
        nullable=False,
        server_default="",
        comment="where a link leads; empty for screens",
    ),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("is_hidden", sa.Boolean, nullable=False, server_default=sa.false()),
)
