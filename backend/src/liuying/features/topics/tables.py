"""Tables of topics: collections of videos arranged by the operator."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

topic = sa.Table(
    "topic",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("title", sa.String(80), nullable=False, unique=True),
    sa.Column("intro", sa.String(400), nullable=False, server_default=""),
    sa.Column("position", sa.Integer, nullable=False, server_default="0"),
    sa.Column("image", sa.JSON(none_as_null=True), nullable=True, comment="EncryptedImage"),
)

topic_video = sa.Table(
    "topic_video",
    metadata,
    sa.Column("topic_id", sa.ForeignKey("topic.id", ondelete="CASCADE"), primary_key=True),
    sa.Column(
        "video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), primary_key=True, index=True
    ),
    sa.Column("position", sa.Integer, nullable=False, server_default="0"),
)
