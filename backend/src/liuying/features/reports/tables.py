"""Tables of reports. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

IS_OPEN = sa.text("decided_at IS NULL")
reported_video = sa.Table(
    "reported_video",
    metadata,
    # One open entry a video, however many report it; another one after it was decided.
    sa.Column("id", sa.Integer, primary_key=True),
    # No foreign key: what became of a report outlives the video.
    sa.Column("video_id", sa.Integer, nullable=False),
    sa.Column("title", sa.String(200), nullable=False, comment="when it was first reported"),
    sa.Column("state", sa.String(12), nullable=False, comment="rules.State"),
    sa.Column("reports", sa.Integer, nullable=False, server_default="0"),
    sa.Column("first_at", sa.BigInteger, nullable=False),
    sa.Column("last_at", sa.BigInteger, nullable=False),
    sa.Column("decided_at", sa.BigInteger, nullable=True),
    sa.Column("note", sa.String(200), nullable=False, server_default="", comment="the operator's"),
    sa.Index(
        "ix_reported_video_open",
        "video_id",
        unique=True,
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    ),
    sa.Index("ix_reported_video_last_at", "last_at"),
)

# Which networks reported a video on a day: each counts once. Forgotten with the day.
report_mark = sa.Table(
    "report_mark",
    metadata,
    sa.Column("mark", sa.String(64), primary_key=True, comment="KeyedHashes.digest"),
    sa.Column("day", sa.Integer, nullable=False, index=True, comment="days since 1970"),
)

report = sa.Table(
    "report",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column(
        "entry_id",
        sa.ForeignKey("reported_video.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("reason", sa.String(12), nullable=False, comment="rules.Reason"),
    sa.Column("content", sa.String(500), nullable=False, server_default="", comment="plain text"),
    sa.Column("contact", sa.String(100), nullable=False, server_default="", comment="plain text"),
    sa.Column(
        "receipt_hash", sa.String(64), nullable=False, unique=True, comment="KeyedHashes.digest"
    ),
)
