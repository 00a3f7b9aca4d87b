"""What importing and changing published files need of the installation."""

from __future__ import annotations

from typing import Protocol

from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.encryption import ImageEncryptor
from liuying.kit.object_store import ObjectStore
from liuying.kit.storage_layout import StorageLayout


class ImportServices(Protocol):
    """The part of the installation that an import works with."""

    @property
    def database(self) -> Database: ...
    @property
    def layout(self) -> StorageLayout: ...
    @property
    def objects(self) -> ObjectStore: ...
    @property
    def encryptor(self) -> ImageEncryptor: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def keeps_originals(self) -> bool: ...
