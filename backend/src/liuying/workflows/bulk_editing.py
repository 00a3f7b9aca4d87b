"""Changing many videos at once. A batch is one transaction, so that others write in between and no
visitor sees half of a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.named_categories import category_id_of, known_category
from liuying.core.catalogue.queries import names
from liuying.core.catalogue.rules import is_locked
from liuying.core.catalogue.tables import label
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.texts import required_text
from liuying.workflows.import_services import ImportServices
from liuying.workflows.indexing import reindex_videos
from liuying.workflows.protection import move_to_category
from liuying.workflows.queries import bulk

# A batch holds the lock for a fraction of what a visitor's write waits.
BATCH = 250
LABEL_LENGTH = 40


class BulkChange(msgspec.Struct, frozen=True, kw_only=True):
    """What is done to each video; None and empty lists leave it as it is."""

    is_hidden: bool | None = None
    category: int | None = None
    add_labels: tuple[str, ...] = ()
    remove_labels: tuple[str, ...] = ()


def changing_videos(
    services: ImportServices, video_ids: Sequence[int], change: BulkChange
) -> list[int]:
    """Those of many videos that a change would change.

    Raises:
        InvalidInputError: No such category, or a label is blank.
    """
    added = [required_text("标签", one, LABEL_LENGTH) for one in change.add_labels]
    with services.database.read() as connection:
        number = None
        if change.category is not None:
            number = known_category(connection, change.category)
        return [
            video_id
            for batch in _batches(video_ids)
            for video_id in bulk.changing(
                connection,
                batch,
                is_hidden=change.is_hidden,
                category_id=number,
                added=added,
                removed=change.remove_labels,
            )
        ]


def edit_many(
    services: ImportServices,
    video_ids: Sequence[int],
    change: BulkChange,
    on_batch: Callable[[int], None] = lambda _: None,
) -> int:
    """Change many videos; those that do not exist or are in the bin are passed over.

    Args:
        on_batch: Told how many videos a committed batch changed.

    Returns:
        How many were changed.

    Raises:
        InvalidInputError: No such category, or a label is blank.
        ImportBusyError: A video that moves between open and locked is still being imported; those
            before it are changed.
    """
    added = [required_text("标签", one, LABEL_LENGTH) for one in change.add_labels]
    with services.database.read() as connection:
        if change.category is not None:
            known_category(connection, change.category)
    done = 0
    for batch in _batches(video_ids):
        if change.category is not None:
            _move_locked(services, batch, change.category)
        with services.database.write() as connection:
            ids = bulk.kept(connection, batch)
            number = None
            if change.category is not None:
                number = category_id_of(connection, change.category)
            bulk.set_columns(connection, ids, is_hidden=change.is_hidden, category_id=number)
            _relabel(connection, ids, added, change.remove_labels)
            reindex_videos(connection, ids)
            record_change(connection, CacheTopic.CATALOGUE)
        on_batch(len(ids))
        done += len(ids)
    return done


def _batches(video_ids: Sequence[int]) -> list[list[int]]:
    unique = sorted(set(video_ids))
    return [unique[start : start + BATCH] for start in range(0, len(unique), BATCH)]


def _move_locked(services: ImportServices, ids: Sequence[int], category: int) -> None:
    """Move the videos whose files must change their place, one by one."""
    with services.database.read() as connection:
        moved = bulk.moving_between_locks(connection, ids, is_locked=is_locked(category))
    for video_id in moved:
        move_to_category(services, video_id, category)


def _relabel(
    connection: sa.Connection, ids: Sequence[int], added: Sequence[str], removed: Sequence[str]
) -> None:
    for name in dict.fromkeys(added):
        bulk.add_label(connection, ids, names.get_or_create(connection, label, name))
    for name in dict.fromkeys(removed):
        if (found := names.id_by_name(connection, label, name)) is not None:
            bulk.remove_label(connection, ids, found)
