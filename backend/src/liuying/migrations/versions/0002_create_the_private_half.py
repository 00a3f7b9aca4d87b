"""Create visitors, favourites, shares, partners and feedback."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "feedback",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False, comment="the type of issue"),
        sa.Column("content", sa.String(length=180), nullable=False, comment="plain text"),
        sa.Column("video_id", sa.Integer(), nullable=True),
        sa.Column(
            "code_hash",
            sa.String(length=64),
            server_default="",
            nullable=False,
            comment="KeyedHashes.code",
        ),
        sa.Column(
            "diagnostics", sa.JSON(), nullable=True, comment="attached with the visitor's consent"
        ),
        sa.Column("is_read", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feedback")),
    )
    op.create_index(op.f("ix_feedback_video_id"), "feedback", ["video_id"], unique=False)
    op.create_table(
        "vendor",
        sa.Column("id", sa.String(length=32), nullable=False, comment="the `iss` of its codes"),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column(
            "key",
            sa.String(length=64),
            nullable=False,
            comment="base64, 32 random bytes; signs its codes (HS256)",
        ),
        sa.Column(
            "origin",
            sa.String(length=200),
            nullable=False,
            comment="may frame the site, e.g. https://partner.example",
        ),
        sa.Column("perks", sa.JSON(), nullable=False, comment="schemas.Perks"),
        sa.Column("is_active", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vendor")),
    )
    op.create_table(
        "visitor",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column(
            "code_hash",
            sa.String(length=64),
            nullable=False,
            comment="KeyedHashes.code, never the code",
        ),
        sa.Column(
            "row_id",
            sa.String(length=16),
            nullable=False,
            comment="random; names the visitor to others",
        ),
        sa.Column(
            "alias",
            sa.String(length=8),
            nullable=False,
            comment="what others see instead of the code",
        ),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_visitor")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_visitor_code_hash")),
        sa.UniqueConstraint("row_id", name=op.f("uq_visitor_row_id")),
    )
    op.create_table(
        "code_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("visitor_id", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["visitor_id"],
            ["visitor.id"],
            name=op.f("fk_code_change_visitor_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_code_change")),
    )
    op.create_index(op.f("ix_code_change_visitor_id"), "code_change", ["visitor_id"], unique=False)
    op.create_table(
        "used_code",
        sa.Column("vendor_id", sa.String(length=32), nullable=False),
        sa.Column("jti", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["vendor_id"], ["vendor.id"], name=op.f("fk_used_code_vendor_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("vendor_id", "jti", name=op.f("pk_used_code")),
    )
    op.create_index(op.f("ix_used_code_expires_at"), "used_code", ["expires_at"], unique=False)
    op.create_table(
        "favourite",
        sa.Column("visitor_id", sa.Integer(), nullable=False),
        sa.Column("site", sa.String(length=8), nullable=False),
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_favourite_video_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["visitor_id"], ["visitor.id"], name=op.f("fk_favourite_visitor_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("visitor_id", "site", "video_id", name=op.f("pk_favourite")),
    )
    op.create_index(
        "ix_favourite_list",
        "favourite",
        ["visitor_id", "site", "created_at", "video_id"],
        unique=False,
    )
    op.create_index(op.f("ix_favourite_video_id"), "favourite", ["video_id"], unique=False)
    op.create_table(
        "share",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("video_id", sa.Integer(), nullable=False),
        sa.Column("visitor_id", sa.Integer(), nullable=False),
        sa.Column(
            "sharer",
            sa.String(length=16),
            nullable=False,
            comment="one-way id of the sharer, part of the link",
        ),
        sa.Column(
            "settled",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="visits whose rows were pruned",
        ),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["video_id"], ["video.id"], name=op.f("fk_share_video_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["visitor_id"], ["visitor.id"], name=op.f("fk_share_visitor_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_share")),
        sa.UniqueConstraint("sharer", "video_id", name=op.f("uq_share_sharer_video_id")),
        sa.UniqueConstraint("video_id", "visitor_id", name=op.f("uq_share_video_id_visitor_id")),
    )
    op.create_index(op.f("ix_share_visitor_id"), "share", ["visitor_id"], unique=False)
    op.create_table(
        "share_visit",
        sa.Column("share_id", sa.Integer(), nullable=False),
        sa.Column(
            "network_hash",
            sa.String(length=64),
            nullable=False,
            comment="keyed, at most 30 days (threats 25)",
        ),
        sa.Column(
            "is_sharer",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="never counts",
        ),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["share_id"], ["share.id"], name=op.f("fk_share_visit_share_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("share_id", "network_hash", name=op.f("pk_share_visit")),
    )
    op.create_index(op.f("ix_share_visit_seen_at"), "share_visit", ["seen_at"], unique=False)
