"""Note when a video is to be published: until then no list shows it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    # Migrations are rolled back as a whole, so a kill leaves no column behind. This only lets a
    # database pass that has the column already.
    columns = {one["name"] for one in sa.inspect(op.get_bind()).get_columns("video_detail")}
    if "publish_at" not in columns:
        op.add_column(
            "video_detail",
            sa.Column(
                "publish_at",
                sa.BigInteger(),
                nullable=True,
                comment="not listed before; NULL once it is",
            ),
        )
    op.create_index(
        "ix_video_detail_publish_at", "video_detail", ["publish_at"], if_not_exists=True
    )
