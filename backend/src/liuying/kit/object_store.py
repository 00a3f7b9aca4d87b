"""The port to wherever published media, encrypted pictures and kept originals are stored.

A key names an object (`kit/object_keys.py`). An object appears whole or not at all, is on disk when
it has been put, and never changes: there is no writing over one, and no renaming. No key is the
prefix of another. What belongs together is put before a row leads to it.

`kit/folder_store.py` is the adapter over the data folder; `tests/kit/test_object_store.py` says of
every adapter what it must do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec

from liuying.kit.object_keys import AREAS

MAX_KEY_BYTES = 1024
CHUNK_BYTES = 1024 * 1024
# No part begins with a dot: those names are for what is not finished.
KEY = re.compile(rf"(?:{'|'.join(AREAS)})(?:/[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*)+")


class InvalidKeyError(ValueError):
    """No object can have this key."""


class StoredObject(msgspec.Struct, frozen=True):
    """What a listing says of an object.

    Attributes:
        size: Bytes.
        stored_at: When it was put last, in seconds since 1970.
    """

    key: str
    size: int
    stored_at: float


class OpenObject(Protocol):
    """An object that is being read; what has been opened can be read to its end."""

    @property
    def size(self) -> int:
        """Bytes."""

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from an offset on: fewer than asked for at the end, none beyond it.

        Raises:
            OSError: They cannot be read now.
        """

    def close(self) -> None:
        """Let it go."""


class ObjectStore(Protocol):
    """What every store can do. A key or prefix that breaks the rule is an `InvalidKeyError`; what
    the store cannot do now is an `OSError`. Everything may be called from several threads and
    processes.

    Prefixes end with a slash, and count whole parts. What lists (`objects`, `children`) is for
    doctor, statistics, back-up and what tidies up; no visitor's request leads to it.
    """

    def put_if_absent(self, key: str, source: Path | bytes) -> bool:
        """Store an object; it is durable when this returns.

        Args:
            source: Its bytes, or a file. The store may keep the file itself, by a second name: it
                must not be written to any more.

        Returns:
            False where there was one, which stays as it is and counts as stored now.
        """

    def put_folder(self, prefix: str, folder: Path) -> None:
        """Store all files below a folder under a prefix that has none; durable as above. The folder
        is the store's from then on.

        Raises:
            FileExistsError: There are objects with the prefix.
        """

    def open(self, key: str) -> OpenObject | None:
        """Begin to read an object; None where there is none."""

    def delete(self, key: str, *, stored_before: float | None = None) -> bool:
        """Remove an object.

        Args:
            stored_before: Leave one alone that was put since this moment; exact also where
                somebody puts it at the same time.

        Returns:
            Whether there was one, and it is gone.
        """

    def delete_prefix(self, prefix: str) -> None:
        """Remove all objects with a prefix, and what is unfinished of them."""

    def delete_unfinished(self, prefix: str, before: float) -> int:
        """Remove what interrupted puts left before a moment.

        Returns:
            How many.
        """

    def has_any(self, prefix: str) -> bool:
        """Whether there are objects with a prefix. One question, however many there are."""

    def children(self, prefix: str) -> set[str]:
        """The parts of keys that follow a prefix; lists them."""

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """All objects with a prefix; lists them. One that goes meanwhile may be left out."""


@runtime_checkable
class LocalFiles(Protocol):
    """A store whose objects are files of this machine, which others may send."""

    def local_path(self, key: str) -> Path | None:
        """An object's file; None where there is none."""


@runtime_checkable
class MovesPrefixes(Protocol):
    """A store that can give all objects with a prefix another one in one step."""

    def move_prefix(self, prefix: str, to: str) -> bool:
        """Move them durably.

        Returns:
            False where there are none, or `to` has some.
        """


def check_key(key: str) -> str:
    """The key itself.

    Raises:
        InvalidKeyError: No object can have it.
    """
    try:
        is_key = len(key.encode()) <= MAX_KEY_BYTES and KEY.fullmatch(key) is not None
    except UnicodeEncodeError:
        is_key = False
    if not is_key:
        raise InvalidKeyError(repr(key))
    return key


def check_prefix(prefix: str) -> str:
    """The prefix itself: an area, or a key, with a slash.

    Raises:
        InvalidKeyError: No object's key can begin so.
    """
    if not prefix.endswith("/") or (prefix[:-1] not in AREAS and not check_key(prefix[:-1])):
        raise InvalidKeyError(repr(prefix))
    return prefix


@contextmanager
def opened(store: ObjectStore, key: str) -> Iterator[OpenObject]:
    """An object, open while the block lasts.

    Raises:
        FileNotFoundError: There is none.
    """
    found = store.open(key)
    if found is None:
        raise FileNotFoundError(key)
    try:
        yield found
    finally:
        found.close()


def chunks_of(found: OpenObject) -> Iterator[bytes]:
    """All bytes of an open object, a piece at a time."""
    offset = 0
    while data := found.read(offset, CHUNK_BYTES):
        offset += len(data)
        yield data


def read_object(store: ObjectStore, key: str) -> bytes:
    """A small object's bytes.

    Raises:
        FileNotFoundError: There is none.
    """
    with opened(store, key) as found:
        return b"".join(chunks_of(found))


def local_path(store: ObjectStore, key: str) -> Path | None:
    """An object's file, where the store has such files."""
    return store.local_path(key) if isinstance(store, LocalFiles) else None


def move_prefix(store: ObjectStore, prefix: str, to: str) -> bool:
    """Give all objects with a prefix another one: in one step where the store can, else one by one,
    removed last. A repetition finishes what was interrupted.

    Returns:
        Whether there was anything to move.
    """
    if isinstance(store, MovesPrefixes):
        return store.move_prefix(prefix, to)
    found = [one.key for one in store.objects(prefix)]
    for key in found:
        store.put_if_absent(to + key.removeprefix(prefix), read_object(store, key))
    store.delete_prefix(prefix)
    return bool(found)
