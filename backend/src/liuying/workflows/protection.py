"""Where the files of a video are in the data folder: open, protected or removed
(docs/product.md#sharing); and moving it between categories, which moves them.

Where a store does not keep them apart, the asset's row is all that changes. In the data folder the
two steps are ordered so that a kill between them never leaves a locked video's files in the open
location: when locking, the files move first; when opening, the row changes first.
`restore_places` finishes an interrupted move.
"""

from __future__ import annotations

from typing import Protocol

import sqlalchemy as sa

from liuying.core.catalogue.named_categories import category_id_of, known_category
from liuying.core.catalogue.queries.change_log import note_changed
from liuying.core.catalogue.queries.gating import (
    is_category_gated,
    note_gate_changed,
    note_partly_open,
    note_partly_sealed,
)
from liuying.core.catalogue.queries.videos import asset_key_row
from liuying.core.catalogue.rules import is_locked
from liuying.core.catalogue.tables import video
from liuying.core.playback.queries import assets
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import Database
from liuying.kit.errors import NotFoundError
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import MovesPrefixes, ObjectStore
from liuying.kit.rows import update_row
from liuying.kit.storage_layout import StorageLayout
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.job_folders import ImportBusyError, JobFolder, JobFolders

LOCKING = (MediaPlace.OPEN, MediaPlace.PROTECTED)
OPENING = (MediaPlace.PROTECTED, MediaPlace.OPEN)


class Installation(Protocol):
    """What moving needs of an installation."""

    @property
    def database(self) -> Database: ...
    @property
    def layout(self) -> StorageLayout: ...
    @property
    def objects(self) -> ObjectStore: ...


def move_to_category(installation: Installation, video_id: int, category: int | str) -> None:
    """Change a video's category, and move its files where that category's files belong.

    Args:
        installation: The database, the layout and the object store.
        video_id: A video, hidden or not.
        category: Id or name; a new name creates a category.

    Raises:
        NotFoundError: No such video.
        InvalidInputError: No category has this number.
        ImportBusyError: The video is still being imported.
    """
    with installation.database.read() as connection:
        row = asset_key_row(connection, video_id)
        number = known_category(connection, category)
        must_protect = needs_signature(connection, number)
    if row is None:
        raise NotFoundError
    objects = installation.objects
    if row.asset_key is None or not objects.media.is_split:
        _write_category(installation, video_id, row.asset_key, category)
        return
    with held(installation.layout, row.asset_key):
        moved = must_protect and move_files(objects, row.asset_key, *LOCKING)
        try:
            is_protected = _write_category(installation, video_id, row.asset_key, category)
        except BaseException:
            if moved:
                move_files(objects, row.asset_key, *OPENING)
            raise
        # A gate may have been set or lifted since it was looked at.
        move_files(objects, row.asset_key, *(LOCKING if is_protected else OPENING))
    settle(installation, row.asset_key)  # It may have been put into the bin meanwhile.


def needs_signature(connection: sa.Connection, category: int | None) -> bool:
    """Whether the files of a category's videos are to be read through signed URLs only: locked and
    gated ones; None is a category that does not exist yet.
    """
    return (category is not None and is_locked(category)) or is_category_gated(connection, category)


def restore_places(installation: Installation) -> int:
    """Move the files of every asset where its row says, after a kill. Cheap: only assets that are
    not open are examined.

    Returns:
        Number of assets whose files were moved.
    """
    objects = installation.objects
    if not objects.media.is_split:
        return 0
    found = {
        (key, place)
        for place in (MediaPlace.PROTECTED, MediaPlace.REMOVED)
        for key in objects.children(f"{objects.media.area(place)}/")
    }
    with installation.database.read() as connection:
        meant = set(assets.kept_apart(connection).items())
    return sum(settle(installation, key) for key in sorted({key for key, _ in found ^ meant}))


def settle(installation: Installation, key: str) -> bool:
    """Move one asset's files where its row says now, unless somebody is working on it; returns
    whether there was anything to move.
    """
    if not installation.objects.media.is_split:
        return False
    try:
        with held(installation.layout, key):
            with installation.database.read() as connection:
                row = rows.find_asset_by_key(connection, key)
            if row is None or not row.is_visible:
                return False
            others = [place for place in MediaPlace if place is not row.place]
            objects = installation.objects
            return any(move_files(objects, key, place, row.place) for place in others)
    except ImportBusyError:
        return False


def move_files(objects: ObjectStore, key: str, source: MediaPlace, target: MediaPlace) -> bool:
    """Move an asset's files durably, in one step, where their place tells who may read them.

    Returns:
        Whether there was anything to move.
    """
    media = objects.media
    if not media.is_split or not isinstance(objects, MovesPrefixes):
        return False
    return objects.move_prefix(media.prefix(key, source), media.prefix(key, target))


def _write_category(
    installation: Installation, video_id: int, key: str | None, category: int | str
) -> bool:
    """Returns whether the video's files are to be read through signed URLs only."""
    with installation.database.write() as connection:
        number = category_id_of(connection, category)
        is_protected = needs_signature(connection, number)
        update_row(connection, video, video_id, {"category_id": number})
        if key is not None:
            assets.update_asset(connection, key, {"is_protected": is_protected})
            note_seal(connection, video_id, number, is_protected=is_protected)
        note_changed(connection, [video_id])
        record_change(connection, CacheTopic.CATALOGUE)
    return is_protected


def note_seal(
    connection: sa.Connection, video_id: int, category_id: int, *, is_protected: bool
) -> None:
    """Note where a video's files do not agree any more with how it is kept, so that it is sealed or
    opened as a whole (`workflows/sealing.py`), whatever its gate says by then.

    Args:
        category_id: Its category from now on.
        is_protected: Whether its files are to be read through signed URLs only.
    """
    if not is_protected:
        note_partly_open(connection, video_id)
    if is_protected != is_locked(category_id):
        note_partly_sealed(connection, video_id)
        if not is_category_gated(connection, category_id):
            # Treated as gated until it is as it should be: visitors are to be asked their age.
            note_gate_changed(connection)


def held(layout: StorageLayout, key: str) -> JobFolder:
    """Hold the asset's job, so that no import publishes into a location that is moving."""
    folders = JobFolders(layout.jobs)
    with folders.gate():
        return folders.begin(key)
