"""Objects as files of the data folder: a key is a path below it.

Files arrive by hard link or rename from names with a leading dot, which no key has.

The file is long because one class answers every call of the port (`kit/object_store.py`).
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from liuying.kit.files import NAMED_SIGNS, sync_folder, sync_tree
from liuying.kit.object_keys import ORIGINALS, SPLIT_MEDIA
from liuying.kit.object_store import (
    InvalidKeyError,
    OpenObject,
    StoredObject,
    check_key,
    check_prefix,
)
from liuying.kit.storage_layout import StorageLayout

ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO})
TAKEN = frozenset({errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR})
# A file system without hard links.
NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EXDEV})
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


class FolderStore:
    """The objects of one data folder.

    A kept original may be the operator's own file, hard-linked. So its times stay and count as the
    time it was stored, and nobody else may enter its folder.

    Args:
        layout: The installation's storage layout.
    """

    # An nginx in front serves the open half by itself, perhaps by a configuration of an older
    # version: what is locked must leave it.
    media = SPLIT_MEDIA

    def __init__(self, layout: StorageLayout) -> None:
        self._layout = layout

    @property
    def failures(self) -> dict[str, int]:
        return {}

    def now(self) -> float:
        return time.time()

    def put_if_absent(self, key: str, source: Path | bytes) -> bool:
        path, is_original = self._path(key), _is_original(key)
        if _is_there(path, is_original=is_original):
            return False
        _make_folder(path.parent, is_private=is_original)
        with _draft_of(path, source) as draft:
            if not is_original:
                os.utime(draft)
            while not _has_linked(draft, path):
                # Somebody may be removing the existing one.
                if _is_there(path, is_original=is_original):
                    return False
        sync_folder(path.parent)
        return True

    def put_folder(self, prefix: str, folder: Path) -> None:
        target = self._folder(prefix)
        _make_folder(target.parent, is_private=_is_original(prefix))
        sync_tree(folder)
        try:
            folder.rename(target)
        except OSError as error:
            if error.errno in TAKEN:
                raise FileExistsError(error.errno, "published already", str(target)) from error
            if error.errno != errno.EXDEV:
                raise
            draft = _draft_folder_of(target)
            _remove(draft)
            shutil.copytree(folder, draft)
            self.put_folder(prefix, draft)
            _remove(folder)
        sync_folder(target.parent)

    def open(self, key: str) -> OpenObject | None:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        try:
            descriptor = os.open(self._path(key), flags)
        except OSError as error:
            if error.errno in ABSENT:
                return None
            raise
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            return None
        return OpenFile(descriptor, status.st_size)

    def delete(self, key: str, *, stored_before: float | None = None) -> bool:
        """Remove an object.

        Where its age counts, it is renamed first: whoever stores it from then on stores it anew. If
        it was refreshed just before, it is put back.
        """
        path = self._path(key)
        if _status_of(path) is None:
            return False
        try:
            if stored_before is None:
                path.unlink()
                return True
            if not _is_older(path, stored_before):
                return False
            going = path.with_name(f".{path.name[:NAMED_SIGNS]}.going")
            path.rename(going)
            if _is_older(going, stored_before):
                going.unlink()
                return True
            going.rename(path)
        except FileNotFoundError:  # Somebody else is removing it too.
            return False
        return False

    def delete_prefix(self, prefix: str) -> None:
        folder = self._folder(prefix)
        for one in (folder, _draft_folder_of(folder)):
            shutil.rmtree(one, ignore_errors=True)
            if one.is_dir():  # The second error tells why.
                shutil.rmtree(one)

    def delete_unfinished(self, prefix: str, before: float) -> int:
        count = 0
        for parent, folders, names in os.walk(self._folder(prefix)):
            for name in folders + names:
                if name.startswith(".") and _is_older(Path(parent, name), before):
                    _remove(Path(parent, name))
                    count += 1
            folders[:] = [name for name in folders if not name.startswith(".")]
        return count

    def has_any(self, prefix: str) -> bool:
        return self._folder(prefix).is_dir()

    def children(self, prefix: str) -> set[str]:
        return {entry.name for entry in _entries(self._folder(prefix))}

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        for entry in _entries(self._folder(prefix)):
            try:
                key = check_key(prefix + entry.name)
                found = entry.stat(follow_symlinks=False)
            except (FileNotFoundError, InvalidKeyError):
                continue
            if stat.S_ISDIR(found.st_mode):
                yield from self.objects(f"{key}/")
            elif stat.S_ISREG(found.st_mode):
                yield StoredObject(key, found.st_size, found.st_mtime)

    def local_path(self, key: str) -> Path | None:
        """An object's file; links do not count."""
        path = self._path(key)
        return path if _status_of(path) is not None else None

    def move_prefix(self, prefix: str, to: str) -> bool:
        """Move a folder in one durable step."""
        source, target = self._folder(prefix), self._folder(to)
        if not source.is_dir():
            return False
        _make_folder(target.parent, is_private=_is_original(to))
        try:
            source.rename(target)  # An empty folder in its way goes.
        except OSError as error:
            if error.errno in TAKEN:
                return False
            raise
        sync_folder(target.parent)
        sync_folder(source.parent)
        return True

    def _path(self, key: str) -> Path:
        return self._layout.at(check_key(key))

    def _folder(self, prefix: str) -> Path:
        return self._layout.at(check_prefix(prefix).removesuffix("/"))


class OpenFile:
    """An object's file.

    Args:
        descriptor: Closed together with this.
        size: Bytes.
    """

    def __init__(self, descriptor: int, size: int) -> None:
        self.descriptor = descriptor
        self.size = size

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from an offset on."""
        return os.pread(self.descriptor, length, offset)

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)


def _is_original(name: str) -> bool:
    return name.startswith(f"{ORIGINALS}/")


def _is_there(path: Path, *, is_original: bool) -> bool:
    """Whether a file exists; if so, it counts as stored now."""
    if is_original:
        return path.exists()
    try:
        os.utime(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _has_linked(draft: Path, path: Path) -> bool:
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        draft.rename(path)  # Same content as one that arrived meanwhile.
    return True


@contextmanager
def _draft_of(path: Path, source: Path | bytes) -> Iterator[Path]:
    """The bytes on disk beside `path`, removed when the block ends."""
    draft = path.with_name(f".{path.name[:NAMED_SIGNS]}.{secrets.token_hex(8)}")
    try:
        if isinstance(source, bytes):
            draft.write_bytes(source)
        else:
            _link_or_copy(source, draft)
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        # Another file system, one without hard links, or a file of another user.
        shutil.copyfile(source, target)


def _draft_folder_of(target: Path) -> Path:
    return target.with_name(f".{target.name}.draft")


def _make_folder(folder: Path, *, is_private: bool) -> None:
    """Create a folder durably unless it exists."""
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for one in reversed(missing):
        one.mkdir(mode=0o700 if is_private else 0o777, exist_ok=True)
        sync_folder(one.parent)


def _remove(draft: Path) -> None:
    if draft.is_dir() and not draft.is_symlink():
        shutil.rmtree(draft, ignore_errors=True)
    else:
        draft.unlink(missing_ok=True)


def _is_older(path: Path, before: float) -> bool:
    try:
        return path.lstat().st_mtime < before
    except FileNotFoundError:
        return False


def _status_of(path: Path) -> os.stat_result | None:
    """A file's status; None if it does not exist."""
    try:
        found = path.lstat()
    except OSError as error:
        if error.errno in ABSENT:
            return None
        raise
    return found if stat.S_ISREG(found.st_mode) else None


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """The finished entries of a folder by name."""
    try:
        with os.scandir(folder) as entries:
            found = [
                one for one in entries if not one.name.startswith(".") and not one.is_symlink()
            ]
    except OSError as error:
        if error.errno in ABSENT:
            return []
        raise
    return sorted(found, key=lambda one: one.name)
