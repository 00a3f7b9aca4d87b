"""Disk usage of the installation by kind."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import msgspec
import sqlalchemy as sa

from liuying.core.playback.queries.assets import rendition_paths
from liuying.kit.object_keys import MEDIA_ADDRESS, ORIGINALS, PICTURES
from liuying.kit.object_store import MeasuresUsage, ObjectStore
from liuying.kit.storage_layout import StorageLayout

OTHER_MEDIA, ORIGINAL_FILES, COVERS, DATABASE, WORK = (
    "其他视频文件",
    "原文件",
    "图片",
    "数据库",
    "导入中",
)

KINDS = (OTHER_MEDIA, ORIGINAL_FILES, COVERS)
AREA_KINDS = {ORIGINALS: ORIGINAL_FILES, PICTURES: COVERS}
# A rendition's folder: `360`, or `360-2` once it was mended or repacked.
RENDITION_FOLDER = re.compile(r"(\d+)(?:-\d+)?")


class Stored(msgspec.Struct, frozen=True):
    """Bytes of one kind: a rendition (`360P`), or something else."""

    kind: str
    bytes: int


def measure_storage(
    connection: sa.Connection, layout: StorageLayout, objects: ObjectStore
) -> list[Stored]:
    """Bytes by kind, renditions first. A file that is removed meanwhile counts as none."""
    if isinstance(objects, MeasuresUsage):
        stored = _recorded(objects.usage())
    else:
        stored = _listed(connection, objects)
    renditions = sorted(stored.keys() - set(KINDS), key=_height)
    sums = {label: stored[label] for label in renditions}
    sums |= {kind: stored.get(kind, 0) for kind in KINDS}
    sums |= {DATABASE: sum(_size(path) for path in layout.database_files[:2])}
    sums |= {WORK: _tree(layout.jobs)}
    return [Stored(kind, size) for kind, size in sums.items()]


def _recorded(usage: Mapping[str, int]) -> Counter[str]:
    """Bytes by our kinds, from what the store's own rows say."""
    sums: Counter[str] = Counter()
    for kind, size in usage.items():
        rendition = RENDITION_FOLDER.fullmatch(kind)
        label = f"{rendition[1]}P" if rendition else AREA_KINDS.get(kind, OTHER_MEDIA)
        sums[label] += size
    return sums


def _listed(connection: sa.Connection, objects: ObjectStore) -> Counter[str]:
    """Bytes by our kinds, from the objects themselves."""
    sums: Counter[str] = Counter()
    labels = {}
    for label, path in rendition_paths(connection):
        labels[path.removeprefix(MEDIA_ADDRESS).rpartition("/")[0]] = label
        sums[label] = 0
    for area in objects.media.areas:
        for one in objects.objects(f"{area}/"):
            folder = one.key.removeprefix(f"{area}/").rpartition("/")[0]
            sums[labels.get(folder, OTHER_MEDIA)] += one.size
    for area, kind in AREA_KINDS.items():
        sums[kind] = sum(one.size for one in objects.objects(f"{area}/"))
    return sums


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
