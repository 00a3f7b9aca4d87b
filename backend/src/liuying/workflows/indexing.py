"""Keeping search in step with the catalogue: what lists leave out, search leaves out too."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.domains.catalogue import queries
from liuying.domains.search.service import forget_video, index_video


def reindex_video(connection: sa.Connection, video_id: int) -> None:
    """Renew what search knows of a video after any change of it. Call it in the change's transaction."""
    row = queries.rows_by_id(connection, [video_id]).get(video_id)
    if row is None:
        forget_video(connection, video_id)
        return
    labels = [found.name for found in queries.labels_of(connection, [video_id])]
    artists = [found.name for found in queries.artist_rows(connection, video_id)]
    index_video(connection, video_id, row.title, [*labels, *artists], row.pageviews)
