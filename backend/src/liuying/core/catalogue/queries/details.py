"""What describes a video beside its row. Each statement runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from liuying.core.catalogue.tables import video_detail
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_if_absent

_DETAIL = sa.select(video_detail).where(video_detail.c.video_id == sa.bindparam("id"))


def detail_row(connection: sa.Connection, video_id: int) -> AnyRow | None:
    """A video's description, own date, chapters, and what its import wrote; None if there is
    nothing.
    """
    return connection.execute(_DETAIL, {"id": video_id}).one_or_none()


def write_details(connection: sa.Connection, video_id: int, values: Mapping[str, object]) -> None:
    """Change columns of a video's details."""
    if not values:
        return
    insert_if_absent(connection, video_detail, {"video_id": video_id})
    connection.execute(
        sa.update(video_detail).where(video_detail.c.video_id == video_id).values(**values)
    )
