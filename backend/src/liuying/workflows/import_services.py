"""What importing and changing published files need of the installation."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.encryption import ImageEncryptor


class ImportServices(Protocol):
    """The part of the installation that an import works with."""

    @property
    def database(self) -> Database: ...
    @property
    def data_dir(self) -> Path: ...
    @property
    def encryptor(self) -> ImageEncryptor: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def keeps_originals(self) -> bool: ...
