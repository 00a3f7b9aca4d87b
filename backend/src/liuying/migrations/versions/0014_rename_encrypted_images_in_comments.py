"""Call pictures by their new name in the comments of columns; SQLite stores no comments."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"

COLUMNS = ("ad.image", "app_link.image", "artist.image", "category.icon", "video.cover")


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for column in COLUMNS:
            op.execute(f"COMMENT ON COLUMN {column} IS 'EncryptedImage'")
