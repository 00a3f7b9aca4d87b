"""Tables of what was published of a video: the asset, its renditions, audio tracks, subtitles."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

asset = sa.Table(
    "asset",
    metadata,
    sa.Column("key", sa.String(32), primary_key=True, comment="random, part of every media path"),
    sa.Column(
        "source_hash",
        sa.String(64),
        nullable=False,
        unique=True,
        comment="SHA-256 of the source file",
    ),
    sa.Column("source_name", sa.String(255), nullable=False),
    # 'registered' → 'low' (one rendition playable) → 'complete'; 'failed' keeps the cause.
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("cause", sa.String(400), nullable=False, server_default=""),
    sa.Column("is_protected", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column(
        "is_removed",
        sa.Boolean,
        nullable=False,
        server_default=sa.false(),
        comment="its video is in the bin, and nobody may read it",
    ),
    sa.Column(
        "is_one_file",
        sa.Boolean,
        nullable=False,
        server_default=sa.false(),
        comment="a rendition is one file, not one for every segment",
    ),
    sa.Column(
        "superseded_at",
        sa.BigInteger,
        comment="since when files are there for players that began before",
    ),
    sa.Column("held_by", sa.String(40), comment="who may publish it; a random text"),
    sa.Column("held_until", sa.BigInteger, comment="by the database's clock"),
    sa.Column(
        "progressive",
        sa.String(200),
        nullable=False,
        server_default="",
        comment="path of the faststart MP4",
    ),
    sa.Column(
        "storyboard",
        sa.String(200),
        nullable=False,
        server_default="",
        comment="path of the WebVTT",
    ),
)

rendition = sa.Table(
    "rendition",
    metadata,
    sa.Column("asset_key", sa.ForeignKey("asset.key", ondelete="CASCADE"), primary_key=True),
    sa.Column("label", sa.String(12), primary_key=True, comment="360P"),
    sa.Column("path", sa.String(200), nullable=False, comment="path of the media playlist"),
    sa.Column("width", sa.Integer, nullable=False),
    sa.Column("height", sa.Integer, nullable=False),
    sa.Column(
        "bandwidth", sa.Integer, nullable=False, comment="peak bits a second, audio included"
    ),
    sa.Column("codecs", sa.String(80), nullable=False),
)

subtitle = sa.Table(
    "subtitle",
    metadata,
    sa.Column("asset_key", sa.ForeignKey("asset.key", ondelete="CASCADE"), primary_key=True),
    sa.Column("lang", sa.String(12), primary_key=True),
    sa.Column("label", sa.String(40), nullable=False),
    sa.Column("path", sa.String(200), nullable=False),
)

audio_track = sa.Table(
    "audio_track",
    metadata,
    # Only of films with several: otherwise the renditions contain the sound.
    sa.Column("asset_key", sa.ForeignKey("asset.key", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, comment="from 1, in the file's order"),
    sa.Column("lang", sa.String(24), nullable=False, comment="BCP 47, of its own within the asset"),
    sa.Column("label", sa.String(40), nullable=False),
    sa.Column("path", sa.String(200), nullable=False, comment="path of the media playlist"),
    sa.Column("is_default", sa.Boolean, nullable=False),
)

tombstone = sa.Table(
    "tombstone",
    metadata,
    # Content that was taken down and must not be imported again.
    sa.Column("source_hash", sa.String(64), primary_key=True, comment="SHA-256 of the source file"),
    sa.Column("reason", sa.String(200), nullable=False),
    sa.Column("removed_at", sa.BigInteger, nullable=False),
    sa.Column("fingerprint", sa.LargeBinary, comment="what it looks like (media/fingerprint.py)"),
    sa.Column("title", sa.String(200), comment="the video's, for the page of what was removed"),
)
