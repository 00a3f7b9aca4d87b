"""Files that appear whole or not at all, and stay after a power cut (threats: publishing); files of others."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from liuying.kit.errors import InvalidInputError
from liuying.kit.system_errors import reason_of


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


def write_once(path: Path, content: bytes) -> None:
    """Write a file whose name says its content: one that is there is left alone, and is as fresh as a new one.

    Raises:
        OSError: The disk is full or the folder not writable; no partial file remains.
    """
    try:
        os.utime(path)
    except FileNotFoundError:
        pass
    else:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)
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
