"""Create audio tracks: those of films that have several."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "audio_track",
        sa.Column("asset_key", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, comment="from 1, in the file's order"),
        sa.Column(
            "lang",
            sa.String(length=24),
            nullable=False,
            comment="BCP 47, of its own within the asset",
        ),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column(
            "path", sa.String(length=200), nullable=False, comment="path of the media playlist"
        ),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["asset_key"],
            ["asset.key"],
            name=op.f("fk_audio_track_asset_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("asset_key", "number", name=op.f("pk_audio_track")),
    )
