"""Videos whose date of publication lies ahead: no list and no page shows them before."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.catalogue.queries import details
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Milliseconds
from liuying.kit.database import Database
from liuying.workflows.indexing import reindex_videos


def publish_due(database: Database, now: Milliseconds) -> list[int]:
    """List the videos whose time has come; several processes may do so at once.

    Returns:
        Their numbers.
    """
    with database.read() as connection:  # Nearly always there is none, and no lock is taken.
        if not details.due_ids(connection, now):
            return []
    with database.write() as connection:
        ids = details.due_ids(connection, now)
        for video_id in ids:
            details.list_from_now_on(connection, video_id)
        reindex_videos(connection, ids)
        if ids:
            record_change(connection, CacheTopic.CATALOGUE)
    return ids


def schedule(
    connection: sa.Connection, video_id: int, created_at: Milliseconds, now: Milliseconds
) -> None:
    """Withhold a video until its date of publication, or list one that was withheld."""
    if created_at > now:
        details.withhold(connection, video_id, created_at)
    elif details.is_withheld(connection, video_id):
        details.list_from_now_on(connection, video_id)
