"""Videos for an operator's command: there, and not in the bin."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.catalogue.queries import removal, videos
from liuying.kit.database import AnyRow
from liuying.kit.errors import InvalidInputError, NotFoundError


def require_video(connection: sa.Connection, video_id: int) -> AnyRow:
    """A video's row, hidden or not, in the bin or not.

    Raises:
        NotFoundError: No such video.
    """
    row = videos.whole_row(connection, video_id)
    if row is None:
        raise NotFoundError(f"没有编号为 {video_id} 的视频")
    return row


def require_kept(connection: sa.Connection, video_id: int) -> AnyRow:
    """A video's row.

    Raises:
        NotFoundError: No such video.
        InvalidInputError: It is in the bin.
    """
    row = require_video(connection, video_id)
    if removal.removal_row(connection, video_id) is not None:
        raise InvalidInputError(f"视频 {video_id} 在回收站里，请先恢复")
    return row
