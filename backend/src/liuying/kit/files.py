"""Writing files whole or not at all, durably (docs/security.md#never-lost), and reading files from
outside.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from liuying.kit.errors import InvalidInputError
from liuying.kit.system_errors import reason_of

OWNER_ONLY = 0o600
OTHERS = stat.S_IRWXG | stat.S_IRWXO
GONE_PREFIX = "gone-"
# Characters of a file's name that its draft's name repeats: with the additions, they fit into 255
# bytes of UTF-8.
NAMED_SIGNS = 40
# If somebody opens a file at that moment, one more round is needed.
REMOVALS = 100


def sha256_of(path: Path) -> bytes:
    """SHA-256 of a file's content, 32 bytes; read piece by piece.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def read_at_most(path: Path, most: int, name: str) -> bytes:
    """Read a file.

    Args:
        most: Bytes; a larger file is refused.
        name: How to call the file in a refusal.

    Raises:
        InvalidInputError: It cannot be read, or is too large.
    """
    try:
        if path.stat().st_size > most:
            raise InvalidInputError(f"{name} {path.name} 过大")
        return path.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"{name} {path.name} 无法读取：{reason_of(error)}") from error


@contextmanager
def atomic_write(
    path: Path, *, mode: int = 0o666, is_durable: bool = True, replaces: bool = True
) -> Iterator[BinaryIO]:
    """A file to write beside `path`. It becomes `path` when the block succeeds and is removed when
    it fails.

    Args:
        mode: Permissions, before the process's umask.
        is_durable: Whether file and name survive a power cut afterwards.
        replaces: Whether it replaces an existing file; otherwise that file stays.

    Raises:
        OSError: The disk is full or the folder not writable.
    """
    # A name of the maximum length leaves no room for a longer one.
    draft = path.with_name(f".{path.name[:NAMED_SIGNS]}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        if replaces:
            draft.rename(path)
        else:
            with suppress(FileExistsError):
                path.hardlink_to(draft)
    finally:
        draft.unlink(missing_ok=True)
    if is_durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder's entries: only then is a rename durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Sync every file below a folder, then the folders."""
    for parent, _folders, names in os.walk(folder, topdown=False):
        for name in names:
            descriptor = os.open(Path(parent, name), os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        sync_folder(Path(parent))


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, replacing an existing one. It need not survive a
    power cut.

    Raises:
        OSError: The disk is full or the folder not writable; no partial file remains.
    """
    with atomic_write(path, mode=OWNER_ONLY, is_durable=False) as file:
        file.write(content)


def remove_shared(folder: Path) -> None:
    """Remove a folder that others may be using: from the first moment nothing in it can be found by
    name.

    What the file system does not release stays beside it under a name with `GONE_PREFIX`.
    """
    gone = folder.with_name(GONE_PREFIX + secrets.token_hex(8))
    with suppress(FileNotFoundError):
        folder.rename(gone)
    for _ in range(REMOVALS):
        if not gone.exists():
            return
        shutil.rmtree(gone, ignore_errors=True)
