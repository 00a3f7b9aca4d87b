"""Note of videos whose files are not kept as their gate or lock says that they are to be settled.

A video that was moved out of a gated category, into one that was gated before the video had been
opened, passed for sealed although its files lay open. Where a gate was lifted while a video came
in, its files stayed protected; where its new category became the locked one, they stayed open.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"

SHARE_CATEGORY = 73


def upgrade() -> None:
    video = sa.table("video", sa.column("seal"), sa.column("asset_key"), sa.column("category_id"))
    asset = sa.table("asset", sa.column("key"), sa.column("is_protected", sa.Boolean()))

    def in_part(seal: int, is_meant: sa.ColumnElement[bool]) -> sa.Update:
        keys = sa.select(asset.c.key).where(is_meant)
        is_so = (video.c.seal == seal, video.c.asset_key.in_(keys))
        return sa.update(video).where(*is_so).values(seal=2)

    op.execute(in_part(1, sa.not_(asset.c.is_protected)))
    kept_shut = in_part(0, asset.c.is_protected)
    op.execute(kept_shut.where(video.c.category_id != SHARE_CATEGORY))
    kept_open = in_part(0, sa.not_(asset.c.is_protected))
    op.execute(kept_open.where(video.c.category_id == SHARE_CATEGORY))
