"""Disk usage of the installation by kind."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import sqlalchemy as sa

from liuying.core.playback.queries.assets import rendition_paths
from liuying.kit.object_keys import MEDIA_ADDRESS, ORIGINALS, PICTURES, media_area
from liuying.kit.object_store import ObjectStore
from liuying.kit.storage_layout import StorageLayout

OTHER_MEDIA, ORIGINAL_FILES, COVERS, DATABASE, WORK = (
    "其他视频文件",
    "原文件",
    "图片",
    "数据库",
    "导入中",
)


class Stored(msgspec.Struct, frozen=True):
    """Bytes of one kind: a rendition (`360P`), or something else."""

    kind: str
    bytes: int


def measure_storage(
    connection: sa.Connection, layout: StorageLayout, objects: ObjectStore
) -> list[Stored]:
    """Bytes by kind, renditions first. A file that is removed meanwhile counts as none."""
    folders = {path: label for label, path in rendition_paths(connection)}
    sums: dict[str, int] = dict.fromkeys(sorted(set(folders.values()), key=_height), 0)
    labels = {
        path.removeprefix(MEDIA_ADDRESS).rpartition("/")[0]: label
        for path, label in folders.items()
    }
    other = 0
    for is_protected in (False, True):
        area = f"{media_area(is_protected=is_protected)}/"
        for one in objects.objects(area):
            label = labels.get(one.key.removeprefix(area).rpartition("/")[0])
            if label is None:
                other += one.size
            else:
                sums[label] += one.size
    database = sum(_size(path) for path in layout.database_files[:2])
    rest = {
        OTHER_MEDIA: other,
        ORIGINAL_FILES: _all(objects, ORIGINALS),
        COVERS: _all(objects, PICTURES),
        DATABASE: database,
        WORK: _tree(layout.jobs),
    }
    return [Stored(kind, size) for kind, size in (sums | rest).items()]


def _height(label: str) -> int:
    digits = label.rstrip("Pp")
    return int(digits) if digits.isdecimal() else 0


def _all(objects: ObjectStore, area: str) -> int:
    return sum(one.size for one in objects.objects(f"{area}/"))


def _tree(folder: Path) -> int:
    return sum(_size(Path(parent, name)) for parent, _, names in os.walk(folder) for name in names)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return 0
