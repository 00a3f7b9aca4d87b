"""The audit log. Its migration adds triggers: the database itself refuses to change or delete a
row.
"""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

console_audit = sa.Table(
    "console_audit",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.BigInteger, nullable=False, comment="milliseconds since 1970"),
    sa.Column("name", sa.String(24), nullable=False, comment="whose session"),
    sa.Column("role", sa.String(8), nullable=False),
    sa.Column("session_id", sa.Integer, comment="NULL for the command line"),
    sa.Column("action", sa.String(40), nullable=False, comment="a stable name: video.edit"),
    sa.Column("subject", sa.String(80), nullable=False, comment="of what: 视频 12"),
    sa.Column("before", sa.JSON, comment="the values that change"),
    sa.Column("after", sa.JSON, comment="what they become"),
    sqlite_autoincrement=True,  # Numbers are never reused.
)
