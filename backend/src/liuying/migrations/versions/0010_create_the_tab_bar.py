"""Create the tab bar, with the site's own entries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

ENTRIES = (
    ("home", "首页", "home"),
    ("rank", "排行", "trophy"),
    ("find", "发现", "compass"),
    ("miin", "miin", "carousel"),
    ("favorites", "看看", "eye"),
    ("mine", "我的", "user"),
)


def upgrade() -> None:
    table = op.create_table(
        "tab",
        sa.Column(
            "key",
            sa.String(length=16),
            nullable=False,
            comment="rules.SCREENS, or link and a number",
        ),
        sa.Column("name", sa.String(length=8), nullable=False),
        sa.Column("icon", sa.String(length=16), nullable=False, comment="rules.ICONS"),
        sa.Column(
            "url",
            sa.String(length=500),
            server_default="",
            nullable=False,
            comment="where a link leads; empty for screens",
        ),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("is_hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_tab")),
    )
    op.bulk_insert(
        table,
        [
            {
                "key": key,
                "name": name,
                "icon": icon,
                "position": position,
                "url": "",
                "is_hidden": False,
            }
            for position, (key, name, icon) in enumerate(ENTRIES)
        ],
    )
