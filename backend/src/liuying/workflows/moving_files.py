"""Copying all objects of an installation into another store, and comparing them there.

What the target holds already is compared and not written again, so a move that was killed goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec

from liuying.kit.errors import LiuyingError
from liuying.kit.object_keys import INBOX, ORIGINALS, PICTURES, MediaPlace
from liuying.kit.object_store import ObjectStore, OpenObject, chunks_of, opened

PLAYLIST = ".m3u8"
# In the working folder: the object that is being copied.
DRAFT_NAME = "moving"

Report = Callable[[int], None]


class MovedFilesError(LiuyingError):
    """An object of the target is not that of the source.

    Args:
        message: One sentence in Chinese.
    """


class Copied(msgspec.Struct):
    """How many objects both stores have now, and their bytes together."""

    objects: int = 0
    bytes: int = 0


def move_files(
    source: ObjectStore,
    target: ObjectStore,
    assets: Mapping[str, MediaPlace],
    work: Path,
    report: Report,
) -> Copied:
    """Copy all objects and compare each by SHA-256. The source is only read.

    Args:
        assets: Their places by key.
        work: An existing folder for one file at a time.
        report: Told of bytes that have been copied and compared since.

    Raises:
        MovedFilesError: The target has another object of the same key.
        OSError: A store does not answer, or the disk is full.
    """
    total = Copied()
    for key, new_key in _keys(source, target, assets):
        size = _copy(source, key, target, new_key, work / DRAFT_NAME)
        total.objects += 1
        total.bytes += size
        report(size)
    return total


def _keys(
    source: ObjectStore, target: ObjectStore, assets: Mapping[str, MediaPlace]
) -> Iterator[tuple[str, str]]:
    """Keys in both stores, an asset's playlists after what they name."""
    for asset, place in assets.items():
        new_prefix = target.media.prefix(asset, place)
        for prefix in source.media.prefixes(asset):
            found = sorted(one.key for one in source.objects(prefix))
            for key in sorted(found, key=lambda key: key.endswith(PLAYLIST)):
                yield key, new_prefix + key.removeprefix(prefix)
    for area in (PICTURES, ORIGINALS, INBOX):
        for one in source.objects(f"{area}/"):
            yield one.key, one.key


def _copy(source: ObjectStore, key: str, target: ObjectStore, new_key: str, draft: Path) -> int:
    # A copy of its own: a store may keep the file that it is given, and change its times.
    draft.unlink(missing_ok=True)
    with opened(source, key) as found, draft.open("wb") as file:
        size, wanted = found.size, sha256()
        for data in chunks_of(found):
            wanted.update(data)
            file.write(data)
    target.put_if_absent(new_key, draft)
    draft.unlink(missing_ok=True)
    with opened(target, new_key) as stored:
        if stored.size != size or _digest(stored) != wanted.digest():
            raise MovedFilesError(f"目标里的文件与来源不同：{new_key}")
    return size


def _digest(found: OpenObject) -> bytes:
    digest = sha256()
    for data in chunks_of(found):
        digest.update(data)
    return digest.digest()
