"""Files that appear whole or not at all, and stay after a power cut (docs/security.md#never-lost);
files of others.
"""

from __future__ import annotations

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
# So many signs of a file's name stand in its draft's: with what is added, UTF-8 takes fewer than
# 255 bytes for them.
NAMED_SIGNS = 40
# Who opens a file just then makes one more round necessary.
REMOVALS = 100


def read_at_most(path: Path, most: int, name: str) -> bytes:
    """A file's bytes.

    Args:
        most: Bytes; a larger file is not read.
        name: What the file is, for the refusal.

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
    """A file to write, beside `path`; it becomes `path` when the block ends well, and is gone when
    it does not.

    Args:
        mode: Its permissions, before the process's mask.
        is_durable: Whether file and name survive a power cut from then on.
        replaces: Whether it takes the place of a file that is there; that one stays otherwise.

    Raises:
        OSError: The disk is full or the folder not writable.
    """
    # Of a name that is as long as names may be, no longer one can be made.
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
    """Put a folder's entries on disk: a rename is durable only after this."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Put every file below a folder on disk, the folders after their files."""
    for parent, _folders, names in os.walk(folder, topdown=False):
        for name in names:
            descriptor = os.open(Path(parent, name), os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        sync_folder(Path(parent))


def write_private(path: Path, content: bytes) -> None:
    """Write a file that its owner alone reads, in place of the one that is there; it need not
    survive a power cut.

    Raises:
        OSError: The disk is full or the folder not writable; no partial file remains.
    """
    with atomic_write(path, mode=OWNER_ONLY, is_durable=False) as file:
        file.write(content)


def remove_shared(folder: Path) -> None:
    """Remove a folder in which others may be at work: from the first moment on nobody finds
    anything by its name.

    What a file system does not let go stays beside it, under a name with `GONE_PREFIX`.
    """
    gone = folder.with_name(GONE_PREFIX + secrets.token_hex(8))
    with suppress(FileNotFoundError):
        folder.rename(gone)
    for _ in range(REMOVALS):
        if not gone.exists():
            return
        shutil.rmtree(gone, ignore_errors=True)
