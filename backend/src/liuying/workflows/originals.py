"""The operator's files, kept beside the renditions where the operator wants it
(`object_keys.original_prefix`).

No address leads there. What is kept is exactly what was imported: its checksum is compared.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from liuying.core.playback.queries.assets import asset_exists
from liuying.kit.files import sha256_of
from liuying.kit.object_keys import ORIGINALS, original_prefix
from liuying.kit.object_store import ObjectStore, StoredObject, local_path
from liuying.kit.storage_layout import StorageLayout
from liuying.media.errors import MediaError
from liuying.workflows.import_services import ImportServices
from liuying.workflows.job_folders import JobFolders
from liuying.workflows.preconditions import NO_ROOM, require_room

# A backup's members have names of at most 100 bytes, including folder and key.
MAX_NAME_BYTES = 64
MAX_SUFFIX_BYTES = 10


class OriginalChangedError(MediaError):
    """The file is no longer what was imported."""

    def __init__(self) -> None:
        super().__init__("视频已导入，但原文件在导入期间变了，没有保留原文件")


def keep_original(services: ImportServices, key: str, source: Path, content: str) -> None:
    """Keep the file that an asset was made from, unless it is kept already.

    It is a hard link where the file system allows that, otherwise a copy; durable when this
    returns.

    Args:
        key: Of a complete asset.
        content: SHA-256 of what was imported, in hexadecimal digits.

    Raises:
        OriginalChangedError: The file has changed.
        ImportBusyError: Another process is importing the same content.
        DiskFullError: There is no room for a copy.
        OSError: The file is missing, or the store is not writable.
    """
    if original_of(services.objects, key) is not None:
        return
    folders = JobFolders(services.layout.jobs)
    with folders.gate():
        job = folders.begin(key)
    with job as work:  # What a kill leaves here is removed with the next import.
        draft = work / "original"
        draft.mkdir(mode=0o700, exist_ok=True)
        original = draft / stored_name(source.name)
        _link_or_copy(source.resolve(), original)
        if sha256_of(original).hex() != content:
            raise OriginalChangedError
        services.objects.put_if_absent(f"{original_prefix(key)}{original.name}", original)
    # Somebody may have removed the video meanwhile.
    with services.database.read() as connection:
        is_there = asset_exists(connection, key)
    if not is_there:
        forget_original(services.objects, key)


def original_of(objects: ObjectStore, key: str) -> StoredObject | None:
    """The kept file of an asset; None if there is none."""
    return next(objects.objects(original_prefix(key)), None)


def stored_originals(objects: ObjectStore) -> dict[str, int]:
    """Keys of assets, and the size of their kept files in bytes."""
    return {one.key.split("/")[1]: one.size for one in objects.objects(f"{ORIGINALS}/")}


def place_of(objects: ObjectStore, original: StoredObject) -> str:
    """Where the operator finds a kept file: its path, or its key in a store without paths."""
    return str(local_path(objects, original.key) or original.key)


def forget_original(objects: ObjectStore, key: str) -> None:
    """Remove the kept file of an asset, if any; the operator's own stays."""
    with suppress(OSError):
        objects.delete_prefix(original_prefix(key))


def room_for_original(layout: StorageLayout, source: Path) -> int:
    """Bytes needed to keep a file: none if it can be hard-linked.

    Raises:
        OSError: The file is missing.
    """
    about = source.stat()
    return 0 if about.st_dev == layout.data_dir.stat().st_dev else about.st_size


def stored_name(name: str) -> str:
    """A file's name as stored: at most 64 bytes of UTF-8, without characters that other systems
    treat specially.
    """
    text = name.encode("utf-8", "replace").decode()
    text = "".join(
        sign if sign.isprintable() and sign not in '/\\:*?"<>|' else "_" for sign in text
    ).strip(" .")
    stem, dot, suffix = text.rpartition(".")
    if not stem or len(suffix.encode()) > MAX_SUFFIX_BYTES:
        stem, dot, suffix = text, "", ""
    room = MAX_NAME_BYTES - len((dot + suffix).encode())
    return (
        (stem.encode()[:room].decode("utf-8", "ignore").rstrip(" .") or "original") + dot + suffix
    )


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        # Another file system, one without hard links, or a file of another user.
        require_room(target.parent, source.stat().st_size)
        shutil.copyfile(source, target)
