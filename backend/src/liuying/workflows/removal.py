"""Removing videos into the bin, from which they come back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

import sqlalchemy as sa

from liuying.core.catalogue.queries import removal
from liuying.core.catalogue.removed_videos import require_video
from liuying.core.playback.queries import assets, tombstones
from liuying.features.reports.rules import State
from liuying.features.reports.service import get_entry, note_removed, note_restored, set_state
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.clock import Clock
from liuying.kit.database import AnyRow, Database
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import ObjectStore
from liuying.kit.storage_layout import StorageLayout
from liuying.workflows.indexing import reindex_videos
from liuying.workflows.job_folders import ImportBusyError
from liuying.workflows.pictures import (
    moment,
    names_of,
    read_pictures,
    settle_pictures,
)
from liuying.workflows.protection import held, move_files, needs_signature, note_seal, settle
from liuying.workflows.queries.pictures import withdraw

REASON_LENGTH = 200
# Days in the bin.
KEPT_DAYS = 30


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
    contents = covers_of(installation, video_ids)
    with installation.database.write() as connection:
        rows = [require_video(connection, video_id) for video_id in dict.fromkeys(video_ids)]
        now = installation.clock()
        fresh = [row for row in rows if removal.put_into_bin(connection, row, now)]
        for row in fresh:
            if row.asset_key is not None:
                assets.update_asset(connection, row.asset_key, {"is_removed": True})
        withdraw(connection, contents, moment(installation.objects))
        # Also of those that are there already: a report may have come at the same moment.
        note_removed(connection, [row.id for row in rows], note, now)
        reindex_videos(connection, [row.id for row in fresh])
        record_change(connection, CacheTopic.CATALOGUE)
        unfinished = assets.unfinished_keys(connection)
    for row in rows:
        if row.asset_key in unfinished:
            # Its import may go on for hours. It publishes nothing more, and removes what it made.
            hide_files(installation.objects, row.asset_key)
        elif row.asset_key is not None:
            settle(installation, row.asset_key)
    settle_pictures(installation.database, installation.objects, contents)


def covers_of(installation: Installation, video_ids: Collection[int]) -> dict[str, bytes]:
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
            facts = {"is_removed": False}
            if needs_signature(connection, row.category_id):
                facts["is_protected"] = True  # A gate may have been set while it was in the bin.
                note_seal(connection, row.id, row.category_id, is_protected=True)
            assets.update_asset(connection, row.asset_key, facts)
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


def hide_files(objects: ObjectStore, key: str) -> None:
    """Move an asset's media to where nobody reads them."""
    for place in (MediaPlace.OPEN, MediaPlace.PROTECTED):
        move_files(objects, key, place, MediaPlace.REMOVED)
