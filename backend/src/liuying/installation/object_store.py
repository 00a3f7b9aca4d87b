"""Choosing the store of an installation's objects."""

from __future__ import annotations

import logging

from liuying.installation.settings import Settings
from liuying.kit.database import Database
from liuying.kit.folder_store import FolderStore
from liuying.kit.object_records import ObjectRecords
from liuying.kit.object_store import (
    ObjectStore,
    ObjectStoreError,
    ObjectStoreRefusedError,
    RecordsObjects,
)

LOG = logging.getLogger(__name__)


def require_store(objects: ObjectStore) -> None:
    """Refuse to begin with a store that will never let us in. One that only does not answer is
    noted: it may come back.

    Raises:
        ObjectStoreRefusedError: The bucket does not exist, or the keys are wrong.
    """
    if not isinstance(objects, RecordsObjects):
        return
    try:
        objects.require_access()
    except ObjectStoreRefusedError:
        raise
    except ObjectStoreError as error:
        LOG.warning("the store of objects does not answer: %s", error)


def open_object_store(settings: Settings, database: Database) -> ObjectStore:
    """The store that the settings ask for: a bucket, or the data folder. Nothing is asked of it
    yet.
    """
    place = settings.s3_place
    if place is None:
        return FolderStore(settings.layout)
    from liuying.kit.s3_store import S3Store  # noqa: PLC0415 - only who has a bucket loads it

    return S3Store(place, ObjectRecords(database))
