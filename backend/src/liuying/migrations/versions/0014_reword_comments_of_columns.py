"""Reword the comments of columns as the code has them now; SQLite stores none."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"

PICTURES = ("ad.image", "app_link.image", "artist.image", "category.icon", "video.cover")


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for column in PICTURES:
        op.execute(f"COMMENT ON COLUMN {column} IS 'EncryptedImage'")
    op.execute("COMMENT ON COLUMN share_visit.network_hash IS 'keyed, at most 30 days'")
