"""Moving a video between open and protected: its category, and in the data folder the location of
its files (docs/product.md#sharing).

Where a store does not keep protected files apart, its row is all that changes. In the data folder
the two steps are ordered so that a kill between them never leaves a locked video's files in the
open location: when locking, the files move first; when opening, the row changes first.
`restore_protection` finishes an interrupted move.
"""

from __future__ import annotations

from typing import Protocol

from liuying.core.catalogue.named_categories import category_id_of, known_category
from liuying.core.catalogue.queries.change_log import note_changed
from liuying.core.catalogue.queries.videos import asset_key_row
from liuying.core.catalogue.rules import is_locked
from liuying.core.catalogue.tables import video
from liuying.core.playback.queries import assets
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import Database
from liuying.kit.errors import NotFoundError
from liuying.kit.object_store import MovesPrefixes, ObjectStore
from liuying.kit.rows import update_row
from liuying.kit.storage_layout import StorageLayout
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.job_folders import ImportBusyError, JobFolder, JobFolders


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
    if row is None:
        raise NotFoundError
    must_protect = number is not None and is_locked(number)
    if row.asset_key is None or not installation.objects.media.is_split:
        _write_category(installation, video_id, row.asset_key, category, is_protected=must_protect)
        return
    with _held(installation.layout, row.asset_key):
        if must_protect:
            moved = move_files(installation.objects, row.asset_key, is_protected=True)
            try:
                _write_category(installation, video_id, row.asset_key, category, is_protected=True)
            except BaseException:
                if moved:
                    move_files(installation.objects, row.asset_key, is_protected=False)
                raise
        else:
            _write_category(installation, video_id, row.asset_key, category, is_protected=False)
            move_files(installation.objects, row.asset_key, is_protected=False)


def restore_protection(installation: Installation) -> int:
    """Move the files of every asset where its row says, after a kill. Cheap: only protected assets
    are examined.

    Returns:
        Number of assets whose files were moved.
    """
    media = installation.objects.media
    if not media.is_split:
        return 0
    found = installation.objects.children(f"{media.area(is_protected=True)}/")
    with installation.database.read() as connection:
        locked = assets.protected_keys(connection)
    return sum(_settle(installation, key) for key in sorted(found ^ locked))


def _settle(installation: Installation, key: str) -> bool:
    """Move one asset's files where its row says now, unless somebody is working on it."""
    try:
        with _held(installation.layout, key):
            with installation.database.read() as connection:
                row = rows.find_asset_by_key(connection, key)
            if row is None or not row.is_visible:
                return False
            return move_files(installation.objects, key, is_protected=row.is_protected)
    except ImportBusyError:
        return False


def move_files(objects: ObjectStore, key: str, *, is_protected: bool) -> bool:
    """Move an asset's files durably, in one step, where their place tells who may read them.

    Returns:
        Whether there was anything to move.
    """
    if not objects.media.is_split or not isinstance(objects, MovesPrefixes):
        return False
    source, target = (
        objects.media.prefix(key, is_protected=one) for one in (not is_protected, is_protected)
    )
    return objects.move_prefix(source, target)


def _write_category(
    installation: Installation,
    video_id: int,
    key: str | None,
    category: int | str,
    *,
    is_protected: bool,
) -> None:
    with installation.database.write() as connection:
        number = category_id_of(connection, category)
        update_row(connection, video, video_id, {"category_id": number})
        if key is not None:
            assets.update_asset(connection, key, {"is_protected": is_protected})
        note_changed(connection, [video_id])
        record_change(connection, CacheTopic.CATALOGUE)


def _held(layout: StorageLayout, key: str) -> JobFolder:
    """Hold the asset's job, so that no import publishes into a location that is moving."""
    folders = JobFolders(layout.jobs)
    with folders.gate():
        return folders.begin(key)
