"""Letting stored pictures be older than they are, in whatever store."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from liuying.installation.services import Services
from liuying.kit.object_keys import PICTURES
from liuying.kit.object_records import ObjectRecords
from liuying.kit.s3_store import S3Store

Age = Callable[[float], None]


def picture_files(services: Services) -> set[Path]:
    """The files of pictures in the data folder."""
    return {path for path in (services.data_dir / PICTURES).rglob("*") if path.is_file()}


def aging(services: Services, monkeypatch: pytest.MonkeyPatch) -> Age:
    """Lets everything be stored so many seconds earlier than it was."""
    clock, ahead = ObjectRecords.now, 0.0

    def let_files_age(seconds: float) -> None:
        for path in picture_files(services):
            moment = path.stat().st_mtime - seconds
            os.utime(path, (moment, moment))

    def let_rows_age(seconds: float) -> None:
        # The store has a clock of its own, whereas the bucket's own time is nobody's to change.
        nonlocal ahead
        ahead += seconds
        monkeypatch.setattr(ObjectRecords, "now", lambda records: clock(records) + ahead)

    return let_rows_age if isinstance(services.objects, S3Store) else let_files_age
