"""Choosing the store of an installation's objects."""

from __future__ import annotations

from liuying.installation.settings import Settings
from liuying.kit.database import Database
from liuying.kit.folder_store import FolderStore
from liuying.kit.object_records import ObjectRecords
from liuying.kit.object_store import ObjectStore


def open_object_store(settings: Settings, database: Database) -> ObjectStore:
    """The store that the settings ask for: a bucket, or the data folder. Nothing is asked of it
    yet.
    """
    place = settings.s3_place
    if place is None:
        return FolderStore(settings.layout)
    from liuying.kit.s3_store import S3Store  # noqa: PLC0415 - only who has a bucket loads it

    return S3Store(place, ObjectRecords(database))
