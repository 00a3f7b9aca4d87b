"""Note when a video is to be published: until then no list shows it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    # The only column that is added: a repetition after a kill finds it there.
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
