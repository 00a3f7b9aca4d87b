"""Tables of the catalogue. Times are milliseconds since 1970 (UTC), durations milliseconds."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.kit.database import metadata

category = sa.Table(
    "category",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.String(40), nullable=False, unique=True),
    sa.Column("position", sa.Integer, nullable=False, server_default="0"),
    sa.Column("icon", sa.JSON, nullable=True, comment="EncryptedImage"),
    sa.Column("is_hidden", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("is_gated", sa.Boolean, nullable=False, server_default=sa.false()),
)

# At most one row: what the operator has set; everything else has its default.
age_gate = sa.Table(
    "age_gate",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("covers_site", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("title", sa.String(40), nullable=False, server_default=""),
    sa.Column("text", sa.String(300), nullable=False, server_default=""),
)

artist = sa.Table(
    "artist",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(80), nullable=False, unique=True),
    sa.Column(
        "initial",
        sa.String(1),
        nullable=False,
        server_default="#",
        comment="A-Z or #, for the index",
    ),
    sa.Column("image", sa.JSON, nullable=True, comment="EncryptedImage"),
    sa.Column("intro", sa.String(400), nullable=False, server_default=""),
)

label = sa.Table(
    "label",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(40), nullable=False, unique=True),
)

video = sa.Table(
    "video",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("title", sa.String(200), nullable=False),
    sa.Column("category_id", sa.ForeignKey("category.id"), nullable=False),
    # Left out of every list: hidden by the operator, or not playable yet
    # (docs/product.md#operator).
    sa.Column("is_listed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("is_hidden", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("updated_at", sa.BigInteger, nullable=False),
    sa.Column("pageviews", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("asset_key", sa.String(32), nullable=True, unique=True),
    sa.Column("duration", sa.Integer, nullable=False, server_default="0"),
    sa.Column("width", sa.Integer, nullable=False, server_default="0"),
    sa.Column("height", sa.Integer, nullable=False, server_default="0"),
    sa.Column(
        "playlist",
        sa.String(200),
        nullable=False,
        server_default="",
        comment="path of the master playlist",
    ),
    sa.Column("cover", sa.JSON, nullable=True, comment="EncryptedImage"),
    # Whether its cover and its files are kept as those of gated videos (docs/product.md#age-gate).
    sa.Column(
        "seal",
        sa.Integer,
        nullable=False,
        server_default="0",
        comment="0 open, 1 sealed, 2 in part",
    ),
    sa.Index("ix_video_seal", "seal", "category_id"),
    sa.Index("ix_video_list_new", "is_listed", "created_at", "id"),
    sa.Index("ix_video_list_hot", "is_listed", "pageviews", "id"),
    sa.Index("ix_video_category_new", "category_id", "is_listed", "created_at", "id"),
    sa.Index("ix_video_category_hot", "category_id", "is_listed", "pageviews", "id"),
    # Numbers are never reused: a purged video's address must not open another one.
    sqlite_autoincrement=True,
)

IS_DESCRIBED = sa.text("description != ''")
# Beside the row that every list reads: what the player's page alone shows, and imports compare.
video_detail = sa.Table(
    "video_detail",
    metadata,
    sa.Column(
        "video_id",
        sa.ForeignKey("video.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    sa.Column("description", sa.Text, nullable=False, server_default=""),
    sa.Column("premiered_at", sa.BigInteger, nullable=True, comment="its source's own date"),
    sa.Column("chapters", sa.JSON, nullable=True, comment="start in seconds, title"),
    sa.Column("imported", sa.JSON, nullable=True, comment="what the import wrote, by field"),
    sa.Column(
        "publish_at", sa.BigInteger, nullable=True, comment="not listed before; NULL once it is"
    ),
    sa.Index("ix_video_detail_publish_at", "publish_at"),
    # Whether there is any: asked by each search that is not cached.
    sa.Index(
        "ix_video_detail_described",
        "video_id",
        sqlite_where=IS_DESCRIBED,
        postgresql_where=IS_DESCRIBED,
    ),
)

removed_video = sa.Table(
    "removed_video",
    metadata,
    # The bin. Its videos are hidden, and their assets are `is_removed`.
    sa.Column(
        "video_id",
        sa.ForeignKey("video.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    sa.Column("removed_at", sa.BigInteger, nullable=False),
    sa.Column("was_hidden", sa.Boolean, nullable=False),
    sa.Index("ix_removed_video_removed_at", "removed_at"),
)

video_label = sa.Table(
    "video_label",
    metadata,
    sa.Column("video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("label_id", sa.ForeignKey("label.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, nullable=False, server_default="0"),
    sa.Index("ix_video_label_label", "label_id", "video_id"),
)

video_artist = sa.Table(
    "video_artist",
    metadata,
    sa.Column("video_id", sa.ForeignKey("video.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("artist_id", sa.ForeignKey("artist.id", ondelete="CASCADE"), primary_key=True),
    sa.Index("ix_video_artist_artist", "artist_id", "video_id"),
)

# Of each artist and label the number of listed videos. Triggers of the migration write what a
# change adds to it or takes away into `name_count_change`, which is folded into this table: nobody
# waits for the row of a name that many videos have.
name_count = sa.Table(
    "name_count",
    metadata,
    # No foreign key: what is left of a name that was removed is 0. In front, so that SQLite does
    # not read the whole table by kind where only what was folded is wanted.
    sa.Column("name_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(6), primary_key=True, comment="artist or label"),
    sa.Column("videos", sa.Integer, nullable=False, comment="listed ones"),
    sa.Column("folded", sa.Integer, nullable=False, comment="number of the last folding"),
    sa.Index("ix_name_count_folded", "folded"),
)

name_count_change = sa.Table(
    "name_count_change",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("kind", sa.String(6), nullable=False, comment="artist or label"),
    sa.Column("name_id", sa.Integer, nullable=False),
    sa.Column("videos", sa.Integer, nullable=False, comment="more, or less"),
)

video_change = sa.Table(
    "video_change",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    # No foreign key: removed videos appear here too.
    sa.Column("video_id", sa.Integer, nullable=False, comment="0 is all of them"),
    sqlite_autoincrement=True,  # Numbers are never reused.
)
