"""What the installation takes on disk, by kind."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import sqlalchemy as sa

from liuying.core.playback.queries.assets import rendition_paths
from liuying.workflows import originals
from liuying.workflows.leftovers import media_root

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


def measure_storage(connection: sa.Connection, data_dir: Path) -> list[Stored]:
    """Bytes by kind, the rungs first. A file that goes while it is looked at counts as none."""
    folders = {path: label for label, path in rendition_paths(connection)}
    sums: dict[str, int] = dict.fromkeys(sorted(set(folders.values()), key=_height), 0)
    labels = {
        str(Path(path).parent).removeprefix("/media/"): label for path, label in folders.items()
    }
    other = 0
    for is_protected in (False, True):
        root = media_root(data_dir, is_protected=is_protected)
        for parent, _, names in os.walk(root):
            size = sum(_size(Path(parent, name)) for name in names)
            label = labels.get(str(Path(parent).relative_to(root)))
            if label is None:
                other += size
            else:
                sums[label] += size
    database = sum(_size(data_dir / f"liuying.db{suffix}") for suffix in ("", "-wal"))
    rest = {
        OTHER_MEDIA: other,
        ORIGINALS: _tree(data_dir / originals.FOLDER),
        PICTURES: _tree(data_dir / "enc"),
        DATABASE: database,
        WORK: _tree(data_dir / "jobs"),
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
