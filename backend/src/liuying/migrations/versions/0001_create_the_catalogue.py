"""Create the catalogue."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "app_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False, comment="rules.LinkKind"),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("text", sa.String(length=120), server_default="", nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("image", sa.JSON(), nullable=True, comment="SealedImage"),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_app_link")),
    )
    op.create_index(op.f("ix_app_link_kind"), "app_link", ["kind"], unique=False)
    op.create_table(
        "artist",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column(
            "initial",
            sa.String(length=1),
            server_default="#",
            nullable=False,
            comment="A-Z or #, for the index",
        ),
        sa.Column("image", sa.JSON(), nullable=True, comment="SealedImage"),
        sa.Column("intro", sa.String(length=400), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artist")),
        sa.UniqueConstraint("name", name=op.f("uq_artist_name")),
    )
    op.create_table(
        "asset",
        sa.Column(
            "key", sa.String(length=32), nullable=False, comment="random, part of every media path"
        ),
        sa.Column(
            "source_hash",
            sa.String(length=64),
            nullable=False,
            comment="SHA-256 of the source file",
        ),
        sa.Column("source_name", sa.String(length=255), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("cause", sa.String(length=400), server_default="", nullable=False),
        sa.Column("is_protected", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column(
            "progressive",
            sa.String(length=200),
            server_default="",
            nullable=False,
            comment="path of the faststart MP4",
        ),
        sa.Column(
            "storyboard",
            sa.String(length=200),
            server_default="",
            nullable=False,
            comment="path of the WebVTT",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_asset")),
        sa.UniqueConstraint("source_hash", name=op.f("uq_asset_source_hash")),
    )
    op.create_table(
        "banner_tag",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_banner_tag")),
        sa.UniqueConstraint("name", name=op.f("uq_banner_tag_name")),
    )
    op.create_table(
        "category",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.Column("icon", sa.JSON(), nullable=True, comment="SealedImage"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_category")),
        sa.UniqueConstraint("name", name=op.f("uq_category_name")),
    )
    op.create_table(
        "change",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("topic", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_change")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "hot_group",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hot_group")),
        sa.UniqueConstraint("title", name=op.f("uq_hot_group_title")),
    )
    op.create_table(
        "label",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_label")),
        sa.UniqueConstraint("name", name=op.f("uq_label_name")),
    )
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )
    op.create_index(op.f("ix_notice_updated_at"), "notice", ["updated_at"], unique=False)
    op.create_table(
        "search_document",
        sa.Column("video_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("title", sa.String(length=400), nullable=False, comment="folded title"),
        sa.Column(
            "text",
            sa.String(length=2000),
            nullable=False,
            comment="folded title, labels and artists",
        ),
        sa.Column("pageviews", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("video_id", name=op.f("pk_search_document")),
    )
    op.create_table(
        "ad",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slot", sa.String(length=16), nullable=False, comment="rules.Slot"),
        sa.Column("banner_tag_id", sa.Integer(), nullable=True),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("text", sa.String(length=120), server_default="", nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("image", sa.JSON(), nullable=False, comment="SealedImage"),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.Column("weight", sa.Integer(), server_default="1", nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["banner_tag_id"],
            ["banner_tag.id"],
            name=op.f("fk_ad_banner_tag_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ad")),
    )
    op.create_index(op.f("ix_ad_slot"), "ad", ["slot"], unique=False)
    op.create_table(
        "hot_word",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("word", sa.String(length=64), nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"], ["hot_group.id"], name=op.f("fk_hot_word_group_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("group_id", "word", name=op.f("pk_hot_word")),
    )
    op.create_table(
        "rendition",
        sa.Column("asset_key", sa.String(length=32), nullable=False),
        sa.Column("label", sa.String(length=12), nullable=False, comment="360P"),
        sa.Column(
            "path", sa.String(length=200), nullable=False, comment="path of the media playlist"
        ),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column(
            "bandwidth", sa.Integer(), nullable=False, comment="peak bits a second, audio included"
        ),
        sa.Column("codecs", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["asset_key"], ["asset.key"], name=op.f("fk_rendition_asset_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("asset_key", "label", name=op.f("pk_rendition")),
    )
    op.create_table(
        "subtitle",
        sa.Column("asset_key", sa.String(length=32), nullable=False),
        sa.Column("lang", sa.String(length=12), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("path", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(
            ["asset_key"], ["asset.key"], name=op.f("fk_subtitle_asset_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("asset_key", "lang", name=op.f("pk_subtitle")),
    )
    op.create_table(
        "video",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("category_id", sa.Integer(), nullable=False),
        sa.Column("is_listed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("is_hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("pageviews", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("asset_key", sa.String(length=32), nullable=True),
        sa.Column("duration", sa.Integer(), server_default="0", nullable=False),
        sa.Column("width", sa.Integer(), server_default="0", nullable=False),
        sa.Column("height", sa.Integer(), server_default="0", nullable=False),
        sa.Column(
            "playlist",
            sa.String(length=200),
            server_default="",
            nullable=False,
            comment="path of the master playlist",
        ),
        sa.Column("cover", sa.JSON(), nullable=True, comment="SealedImage"),
        sa.ForeignKeyConstraint(
            ["category_id"], ["category.id"], name=op.f("fk_video_category_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_video")),
        sa.UniqueConstraint("asset_key", name=op.f("uq_video_asset_key")),
    )
    op.create_index(
        "ix_video_category_hot",
        "video",
        ["category_id", "is_listed", "pageviews", "id"],
        unique=False,
    )
    op.create_index(
        "ix_video_category_new",
        "video",
        ["category_id", "is_listed", "created_at", "id"],
        unique=False,
    )
    op.create_index("ix_video_list_hot", "video", ["is_listed", "pageviews", "id"], unique=False)
    op.create_index("ix_video_list_new", "video", ["is_listed", "created_at", "id"], unique=False)
    op.create_table(
        "video_artist",
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("artist_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["artist_id"], ["artist.id"], name=op.f("fk_video_artist_artist_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_video_artist_video_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("video_id", "artist_id", name=op.f("pk_video_artist")),
    )
    op.create_index(op.f("ix_video_artist_artist_id"), "video_artist", ["artist_id"], unique=False)
    op.create_table(
        "video_label",
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("label_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["label_id"], ["label.id"], name=op.f("fk_video_label_label_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_video_label_video_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("video_id", "label_id", name=op.f("pk_video_label")),
    )
    op.create_index(op.f("ix_video_label_label_id"), "video_label", ["label_id"], unique=False)
