"""Removing videos for good: from the bin once their time is over, at an operator's word, or taken
down.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

import sqlalchemy as sa

from liuying.core.catalogue.queries import removal
from liuying.core.catalogue.removed_videos import require_video
from liuying.core.catalogue.tables import video
from liuying.core.playback.queries import assets, tombstones
from liuying.features.reports.service import note_removed
from liuying.features.views.queries import forget_views
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import DAY_MS, Milliseconds
from liuying.kit.object_keys import MEDIA, ORIGINALS, MediaPlace, original_prefix
from liuying.kit.object_store import ObjectStore, RecordsObjects
from liuying.kit.rows import delete_row
from liuying.kit.texts import required_text
from liuying.workflows.chunk_cache import forget_chunks
from liuying.workflows.indexing import reindex_videos
from liuying.workflows.job_folders import JobFolders
from liuying.workflows.originals import forget_original
from liuying.workflows.pictures import moment, names_of, settle_pictures
from liuying.workflows.protection import settle
from liuying.workflows.queries.pictures import withdraw
from liuying.workflows.removal import KEPT_DAYS, REASON_LENGTH, Installation, covers_of, hide_files

# At a time: each takes the write lock for itself, and deletes files.
PURGED_AT_ONCE = 100


def purge_video(
    installation: Installation,
    video_id: int,
    reason: str | None = None,
    removed_before: Milliseconds | None = None,
) -> None:
    """Remove a video for good, from the bin or not: its files go where nobody reads them, then its
    rows, so that nothing leads to it, then every derived file, its kept original and its pictures,
    unless another video shows the same ones. A kill in between leaves nothing readable:
    `settle_pictures` and `remove_leftovers` remove the rest.

    Args:
        reason: For a takedown: the same content then cannot be imported again.
        removed_before: Only if it has been in the bin since before this moment; otherwise it
            stays.

    Raises:
        InvalidInputError: The reason is blank or too long.
        NotFoundError: No such video.
        OSError: A file could not be removed. The rows are gone; the housekeeping removes the files
            later.
    """
    if reason is not None:
        reason = required_text("下架原因", reason, REASON_LENGTH)
    contents = covers_of(installation, [video_id])
    with installation.database.read() as connection:
        key = require_video(connection, video_id).asset_key
    if key is not None and removed_before is None:
        hide_files(installation.objects, key)
    try:
        with installation.database.write() as connection:
            if removed_before is not None and not removal.take_expired(
                connection, video_id, removed_before
            ):
                return  # Somebody took it out meanwhile.
            row = require_video(connection, video_id)
            content = assets.content_of(connection, key)
            if key is not None:
                if reason is not None and content is not None:
                    tombstones.lay_tombstone(connection, content, reason, installation.clock())
                assets.delete_asset(connection, key)
                _note_removal(connection, installation.objects, key)
            note_removed(connection, [video_id], reason or "", installation.clock())
            withdraw(connection, contents, moment(installation.objects))
            forget_views(connection, video_id)
            delete_row(connection, video, video_id)
            reindex_videos(connection, [video_id])
            record_change(connection, CacheTopic.CATALOGUE)
    except BaseException:
        if key is not None:
            settle(installation, key)
        raise
    _remove_files(installation, key, content, names_of(row.cover))


def _note_removal(connection: sa.Connection, objects: ObjectStore, key: str) -> None:
    """Where nothing tells an asset's files from others', let `remove_leftovers` find them."""
    if isinstance(objects, RecordsObjects):
        for prefix in (*objects.media.prefixes(key), original_prefix(key)):
            objects.note_removal(connection, prefix)


def _remove_files(
    installation: Installation, key: str | None, content: str | None, pictures: Collection[str]
) -> None:
    """Remove what belongs to a purged video; nobody reads any of it but the pictures any more."""
    objects = installation.objects
    try:
        settle_pictures(installation.database, objects, pictures)
    finally:
        if content is not None:
            forget_chunks(JobFolders(installation.layout.jobs), content)
        if key is not None:
            for prefix in objects.media.prefixes(key):
                with suppress(OSError):
                    objects.delete_prefix(prefix)
            forget_original(objects, key)


def remove_leftovers(installation: Installation) -> None:
    """Remove files that nobody may read any more and that belong to no row: a purge was killed
    between both, or the store did not do as it was told.

    Raises:
        OSError: A file could not be removed.
    """
    objects = installation.objects
    if isinstance(objects, RecordsObjects):
        names = objects.unremoved(f"{MEDIA}/") | objects.unremoved(f"{ORIGINALS}/")
        there = {name.split("/")[1] for name in names}
    elif objects.media.is_split:
        there = objects.children(f"{objects.media.area(MediaPlace.REMOVED)}/")
    else:
        return
    if not there:
        return
    with installation.database.read() as connection:
        known = assets.all_keys(connection)
    for key in there - known:
        objects.delete_prefix(objects.media.prefix(key, MediaPlace.REMOVED))
        forget_original(objects, key)


def purge_expired(installation: Installation, now: Milliseconds) -> list[int]:
    """Purge what has been in the bin for `KEPT_DAYS`; returns the videos. What an operator takes
    out while others are purged stays.
    """
    moment = now - KEPT_DAYS * DAY_MS
    with installation.database.read() as connection:
        due = removal.removed_before(connection, moment, PURGED_AT_ONCE)
    for video_id in due:
        purge_video(installation, video_id, removed_before=moment)
    return due
