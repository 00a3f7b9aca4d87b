"""What the installation takes on disk, by kind."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import sqlalchemy as sa

from liuying.core.playback.tables import rendition
from liuying.kit.storage_layout import StorageLayout

OTHER_MEDIA, ORIGINALS, PICTURES, DATABASE, WORK = (
    "其他视频文件",
    "原文件",
    "图片",
    "数据库",
    "导入中",
)


class Stored(msgspec.Struct, frozen=True):
    """Bytes of one kind: a rung (`360P`), or what else there is."""

    kind: str
    bytes: int


def measure_storage(connection: sa.Connection, layout: StorageLayout) -> list[Stored]:
    """Bytes by kind, the rungs first. A file that goes while it is looked at counts as none."""
    folders = {
        path: label
        for label, path in connection.execute(sa.select(rendition.c.label, rendition.c.path))
    }
    sums: dict[str, int] = dict.fromkeys(sorted(set(folders.values()), key=_height), 0)
    labels = {
        str(Path(path).parent).removeprefix("/media/"): label for path, label in folders.items()
    }
    other = 0
    for is_protected in (False, True):
        root = layout.media_root(is_protected=is_protected)
        for parent, _, names in os.walk(root):
            size = sum(_size(Path(parent, name)) for name in names)
            label = labels.get(str(Path(parent).relative_to(root)))
            if label is None:
                other += size
            else:
                sums[label] += size
    database = sum(_size(path) for path in layout.database_files[:2])
    rest = {
        OTHER_MEDIA: other,
        ORIGINALS: _tree(layout.originals),
        PICTURES: _tree(layout.pictures),
        DATABASE: database,
        WORK: _tree(layout.jobs),
    }
    return [Stored(kind, size) for kind, size in (sums | rest).items()]


def _height(label: str) -> int:
    digits = label.rstrip("Pp")
    return int(digits) if digits.isdecimal() else 0


def _tree(folder: Path) -> int:
    return sum(_size(Path(parent, name)) for parent, _, names in os.walk(folder) for name in names)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return 0
