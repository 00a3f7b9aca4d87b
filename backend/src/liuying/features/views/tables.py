"""Tables of views, ranks and play health. Hours and days are counted since 1970 (UTC)."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

view_hour = sa.Table(
    "view_hour",
    metadata,
    sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column(
        "video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), primary_key=True, index=True
    ),
    sa.Column("views", sa.Integer, nullable=False),
)

view_day = sa.Table(
    "view_day",
    metadata,
    # What `view_hour` has of days that are over, summed: ranks of weeks and months read a row where
    # they would read twenty-four.
    sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column(
        "video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), primary_key=True, index=True
    ),
    sa.Column("views", sa.Integer, nullable=False),
)

view_mark = sa.Table(
    "view_mark",
    metadata,
    # One row per visitor, video and hour: the second view of the hour conflicts on the key
    # (docs/product.md#playback). Likewise for failures of a network, under hashes with another
    # purpose.
    sa.Column(
        "mark", sa.String(64), primary_key=True, comment="keyed hash of viewer, video and hour"
    ),
    sa.Column("hour", sa.Integer, nullable=False, index=True),
)

view_pending = sa.Table(
    "view_pending",
    metadata,
    # Views not yet contained in `video.pageviews`: a narrow table takes each view, the wide one a
    # sum per minute.
    sa.Column("video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("views", sa.Integer, nullable=False),
)

rank_place = sa.Table(
    "rank_place",
    metadata,
    sa.Column("kind", sa.String(12), primary_key=True, comment="rules.RankKind"),
    sa.Column("period", sa.String(8), primary_key=True, comment="rules.Period"),
    sa.Column("place", sa.Integer, primary_key=True, autoincrement=False, comment="from 1"),
    sa.Column(
        "video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    sa.Column("score", sa.BigInteger, nullable=False),
)

play_health = sa.Table(
    "play_health",
    metadata,
    sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column(
        "video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), primary_key=True, index=True
    ),
    sa.Column("starts", sa.Integer, nullable=False, server_default="0"),
    sa.Column(
        "start_ms",
        sa.BigInteger,
        nullable=False,
        server_default="0",
        comment="sum of waiting times",
    ),
    sa.Column("stalls", sa.Integer, nullable=False, server_default="0"),
    sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    # Networks with failures: one visitor with a bad line flags nothing.
    sa.Column("failed_networks", sa.Integer, nullable=False, server_default="0"),
)

failure_mark = sa.Table(
    "failure_mark",
    metadata,
    sa.Column(
        "mark", sa.String(64), primary_key=True, comment="keyed hash of network, video and day"
    ),
    sa.Column("day", sa.Integer, nullable=False, index=True),
)

failure_alarm = sa.Table(
    "failure_alarm",
    metadata,
    # When the operator was last told that a video fails for many. Milliseconds since 1970 (UTC).
    sa.Column("video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("told_at", sa.BigInteger, nullable=False),
)
