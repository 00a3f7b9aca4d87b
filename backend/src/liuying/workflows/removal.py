"""Removing videos: into the bin, from which they come back, and for good."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Protocol

import sqlalchemy as sa

from liuying.core.catalogue.queries import removal
from liuying.core.catalogue.removed_videos import require_video
from liuying.core.catalogue.tables import video
from liuying.core.playback.queries import assets, tombstones
from liuying.features.reports.rules import State
from liuying.features.reports.service import get_entry, note_removed, note_restored, set_state
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import DAY_MS, Clock, Milliseconds
from liuying.kit.database import AnyRow, Database
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.object_keys import MEDIA, ORIGINALS, MediaPlace, original_prefix
from liuying.kit.object_store import ObjectStore, RecordsObjects
from liuying.kit.rows import delete_row
from liuying.kit.storage_layout import StorageLayout
from liuying.kit.texts import required_text
from liuying.workflows.chunk_cache import forget_chunks
from liuying.workflows.indexing import reindex_videos
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.originals import forget_original
from liuying.workflows.pictures import (
    moment,
    names_of,
    read_pictures,
    settle_pictures,
)
from liuying.workflows.protection import held, move_files, settle
from liuying.workflows.queries.pictures import withdraw

REASON_LENGTH = 200
# Days in the bin.
KEPT_DAYS = 30
# At a time: each takes the write lock for itself, and deletes files.
PURGED_AT_ONCE = 100


class Installation(Protocol):
    """What removing needs of an installation."""

    @property
    def database(self) -> Database: ...
    @property
    def layout(self) -> StorageLayout: ...
    @property
    def objects(self) -> ObjectStore: ...
    @property
    def clock(self) -> Clock: ...


def remove_videos(installation: Installation, video_ids: Collection[int], note: str = "") -> None:
    """Put videos into the bin. All or none: at once no list, page or address leads to them, and
    nobody may read their files. Those that are there already stay as they are. Reports of them are
    decided thereby.

    Args:
        installation: The database, the layout and the object store.
        video_ids: Hidden or not.
        note: The operator's, for the decided reports.

    In the data folder the files move after the rows. Where that is interrupted, or where somebody
    works with the files, the housekeeping moves them later (`workflows/protection.py`).

    Raises:
        NotFoundError: One of them does not exist.
        OSError: Files could not be moved. The rows say so already.
    """
    contents = _covers_of(installation, video_ids)
    with installation.database.write() as connection:
        rows = [require_video(connection, video_id) for video_id in dict.fromkeys(video_ids)]
        now = installation.clock()
        fresh = [row for row in rows if removal.put_into_bin(connection, row, now)]
        for row in fresh:
            if row.asset_key is not None:
                assets.update_asset(connection, row.asset_key, {"is_removed": True})
        withdraw(connection, contents, moment())
        # Also of those that are there already: a report may have come at the same moment.
        note_removed(connection, [row.id for row in rows], note, now)
        reindex_videos(connection, [row.id for row in fresh])
        record_change(connection, CacheTopic.CATALOGUE)
        unfinished = assets.unfinished_keys(connection)
    for row in rows:
        if row.asset_key in unfinished:
            # Its import may go on for hours. It publishes nothing more, and removes what it made.
            _hide_files(installation.objects, row.asset_key)
        elif row.asset_key is not None:
            settle(installation, row.asset_key)
    settle_pictures(installation.database, installation.objects, contents)


def _covers_of(installation: Installation, video_ids: Collection[int]) -> dict[str, bytes]:
    """The stored objects of the covers of videos, by name."""
    with installation.database.read() as connection:
        rows = [require_video(connection, video_id) for video_id in dict.fromkeys(video_ids)]
    names = {name for row in rows for name in names_of(row.cover)}
    return read_pictures(installation.objects, names)


def remove_reported(installation: Installation, entry_id: int, note: str = "") -> None:
    """Put a reported video into the bin, which decides its entry; one that is gone already decides
    it too.

    Args:
        note: For operators alone.

    Raises:
        NotFoundError: No entry has this number.
        InvalidInputError: It was decided before.
        OSError: As `remove_videos`.
    """
    with installation.database.read() as connection:
        entry, _ = get_entry(connection, entry_id)
    if entry.decided_at is not None:
        raise InvalidInputError(f"举报 {entry_id} 已经处理过")
    try:
        remove_videos(installation, [entry.video_id], note)
    except NotFoundError:
        with installation.database.write() as connection:
            set_state(connection, entry_id, State.REMOVED, note, installation.clock())


def restore_videos(installation: Installation, video_ids: Collection[int]) -> None:
    """Take videos out of the bin, one after the other; hidden ones stay hidden.

    Raises:
        NotFoundError: One of them does not exist.
        InvalidInputError: One of them is not in the bin, or was taken down.
        ImportBusyError: The files of one are in use.
        OSError: The files of one could not be moved; it stays in the bin.
    """
    for video_id in dict.fromkeys(video_ids):
        with installation.database.read() as connection:
            row = require_video(connection, video_id)
        if row.asset_key is None:
            _take_out(installation, row)
        else:
            with held(installation.layout, row.asset_key):
                _take_out(installation, row)
            settle(installation, row.asset_key)  # It may have been put into the bin again.


def _refuse_taken_down(connection: sa.Connection, row: AnyRow) -> None:
    content = assets.content_of(connection, row.asset_key)
    reason = tombstones.tombstone_reason(connection, content)
    if reason is not None:  # Its take-down is about to be finished.
        raise InvalidInputError(f"视频 {row.id} 已被下架（{reason}），不能恢复")


def _take_out(installation: Installation, row: AnyRow) -> None:
    """Take a video out of the bin: its row first, then its files and its cover. A kill before the
    row is committed leaves it in the bin, one afterwards leaves it restored, and the rest follows
    (`restore_places`, `settle_pictures`): nobody reads a file whose row is in the bin.
    """
    with installation.database.write() as connection:
        found = removal.removal_row(connection, row.id)
        if found is None:
            raise InvalidInputError(f"视频 {row.id} 不在回收站里")
        _refuse_taken_down(connection, row)
        removal.take_from_bin(connection, found)
        place = MediaPlace.OPEN
        if row.asset_key is not None:
            assets.update_asset(connection, row.asset_key, {"is_removed": False})
            place = assets.place_of(connection, row.asset_key)
        note_restored(connection, [row.id])
        reindex_videos(connection, [row.id])
        record_change(connection, CacheTopic.CATALOGUE)
    try:
        if row.asset_key is not None:
            move_files(installation.objects, row.asset_key, MediaPlace.REMOVED, place)
            _require_moved(installation.objects, row.asset_key)
        settle_pictures(installation.database, installation.objects, names_of(row.cover))
    except (OSError, ImportBusyError):
        remove_videos(installation, [row.id])
        raise


def _require_moved(objects: ObjectStore, key: str) -> None:
    media = objects.media
    if media.is_split and objects.has_any(media.prefix(key, MediaPlace.REMOVED)):
        raise ImportBusyError


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
    contents = _covers_of(installation, [video_id])
    with installation.database.read() as connection:
        key = require_video(connection, video_id).asset_key
    if key is not None and removed_before is None:
        _hide_files(installation.objects, key)
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
            withdraw(connection, contents, moment())
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


def _hide_files(objects: ObjectStore, key: str) -> None:
    for place in (MediaPlace.OPEN, MediaPlace.PROTECTED):
        move_files(objects, key, place, MediaPlace.REMOVED)


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
