"""Videos in the bin. Each statement runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.core.catalogue.tables import removed_video, video
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_if_absent


def removal_row(connection: sa.Connection, video_id: int) -> AnyRow | None:
    """When a video was removed, and whether it was hidden before; None if it is not in the bin."""
    statement = sa.select(removed_video).where(removed_video.c.video_id == video_id)
    return connection.execute(statement).one_or_none()


def removed_rows(connection: sa.Connection, limit: int) -> Sequence[AnyRow]:
    """`id`, `title` and `removed_at` of what is in the bin, the latest first."""
    statement = (
        sa.select(video.c.id, video.c.title, removed_video.c.removed_at)
        .join(removed_video, removed_video.c.video_id == video.c.id)
        .order_by(removed_video.c.removed_at.desc(), video.c.id.desc())
    )
    return connection.execute(statement.limit(limit)).all()


def removed_before(connection: sa.Connection, moment: Milliseconds, limit: int) -> list[int]:
    """Videos that were removed before a moment, the earliest first."""
    statement = (
        sa.select(removed_video.c.video_id)
        .where(removed_video.c.removed_at < moment)
        .order_by(removed_video.c.removed_at)
    )
    return list(connection.execute(statement.limit(limit)).scalars())


def take_expired(connection: sa.Connection, video_id: int, moment: Milliseconds) -> bool:
    """Whether a video is still in the bin since before a moment; nobody restores it after that in
    a transaction that waits for this one.
    """
    is_due = (removed_video.c.video_id == video_id, removed_video.c.removed_at < moment)
    return connection.execute(sa.delete(removed_video).where(*is_due)).rowcount > 0


def put_into_bin(connection: sa.Connection, row: AnyRow, now: Milliseconds) -> bool:
    """Put a video into the bin, hidden; returns whether it was not there already.

    Args:
        row: The video's.
    """
    values = {"video_id": row.id, "removed_at": now, "was_hidden": row.is_hidden}
    if not insert_if_absent(connection, removed_video, values):
        return False
    connection.execute(sa.update(video).where(video.c.id == row.id).values(is_hidden=True))
    return True


def take_from_bin(connection: sa.Connection, removal: AnyRow) -> None:
    """Put a video back, hidden if it was before.

    Args:
        removal: What `removal_row` returned.
    """
    is_meant = removed_video.c.video_id == removal.video_id
    connection.execute(sa.delete(removed_video).where(is_meant))
    statement = sa.update(video).where(video.c.id == removal.video_id)
    connection.execute(statement.values(is_hidden=removal.was_hidden))
