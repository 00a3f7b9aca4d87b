"""Whether a visitor may read the files of an asset without a signed URL (docs/security.md#t5)."""

from __future__ import annotations

from enum import Enum

from liuying.core.playback.queries import playable
from liuying.kit.database import Database
from liuying.kit.object_store import ObjectStore


class Access(Enum):
    """Who may read an asset."""

    OPEN = "open"
    LOCKED = "locked"
    # There is no such asset, or no longer.
    ABSENT = "absent"


class MediaAccess:
    """Answers by an asset's row. Where a store keeps protected files apart, their place answers:
    it is looked at without waiting for the database.

    Args:
        objects: The store of media.
        database: The catalogue.
    """

    def __init__(self, objects: ObjectStore, database: Database) -> None:
        self._objects = objects
        self._database = database

    def of(self, asset: str) -> Access:
        """Who may read an asset's files; an unpublished one counts as open in the data folder.

        Raises:
            OSError: The data folder cannot be read.
            sqlalchemy.exc.SQLAlchemyError: The database does not answer.
        """
        media = self._objects.media
        if media.is_split:
            is_locked = self._objects.has_any(media.prefix(asset, is_protected=True))
            return Access.LOCKED if is_locked else Access.OPEN
        with self._database.read() as connection:
            is_protected = playable.protection_of(connection, asset)
        if is_protected is None:
            return Access.ABSENT
        return Access.LOCKED if is_protected else Access.OPEN
