"""Choosing the store of an installation's objects."""

from __future__ import annotations

from liuying.installation.settings import Settings
from liuying.kit.folder_store import FolderStore
from liuying.kit.object_store import ObjectStore


def open_object_store(settings: Settings) -> ObjectStore:
    """The store that the settings ask for: the data folder."""
    return FolderStore(settings.layout)
