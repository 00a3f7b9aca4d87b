"""The port to the store of published media, encrypted pictures and kept originals.

A key names an object (`kit/object_keys.py`). An object appears whole or not at all, is durable once
stored, and never changes: it cannot be overwritten or renamed. No key is a prefix of another.
Objects are stored before a row leads to them.

`kit/folder_store.py` is the adapter over the data folder, `kit/s3_store.py` the one over a bucket;
`tests/kit/test_object_store.py` states what every adapter must do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec
import sqlalchemy as sa

from liuying.kit.object_keys import AREAS, MediaKeys

MAX_KEY_BYTES = 1024
CHUNK_BYTES = 1024 * 1024
# No part begins with a dot: such names are for unfinished files.
KEY = re.compile(rf"(?:{'|'.join(AREAS)})(?:/[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]*)+")


class InvalidKeyError(ValueError):
    """No object can have this key."""


class ObjectStoreError(OSError):
    """A store that is not this machine's did not do what it was asked. The text says why, in
    Chinese.
    """


class ObjectStoreRefusedError(ObjectStoreError):
    """It never will: the settings are wrong."""


class StoredObject(msgspec.Struct, frozen=True):
    """An entry of a listing.

    Attributes:
        size: Bytes.
        stored_at: When it was last stored, in seconds since 1970.
    """

    key: str
    size: int
    stored_at: float


class OpenObject(Protocol):
    """An object open for reading. Once it is removed, the rest can still be read, or reading raises
    `OSError`.
    """

    @property
    def size(self) -> int:
        """Bytes."""

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from an offset on: fewer than requested at the end, none beyond it.

        Raises:
            OSError: They cannot be read now.
        """

    def close(self) -> None:
        """Release it."""


class ObjectStore(Protocol):
    """What every store can do. An invalid key or prefix raises `InvalidKeyError`; what the store
    cannot do now raises `OSError`. All methods are safe to call from several threads and processes.

    Prefixes end with a slash and match whole parts. Listings (`objects`, `children`) are for
    doctor, statistics, back-ups and sweeps; no visitor's request lists anything. A store may be on
    the other side of a network: it is never asked anything inside a transaction.
    """

    @property
    def media(self) -> MediaKeys:
        """How it names the files of assets."""

    def now(self) -> float:
        """Seconds since 1970 by the clock that says when objects were stored. Whoever asks for an
        object's age counts from here: it need not be this machine's clock.
        """

    @property
    def failures(self) -> dict[str, int]:
        """Questions that it did not answer so far, by reason; none for this machine's own."""

    def put_if_absent(self, key: str, source: Path | bytes) -> bool:
        """Store an object unless it exists; it is durable when this returns.

        Args:
            source: Its bytes, or a file. The store may keep the file itself by hard link, so it
                must not be written to any more.

        Returns:
            False if it existed; it stays as it is and counts as stored now.
        """

    def put_folder(self, prefix: str, folder: Path) -> None:
        """Store all files below a folder under an unused prefix, durably. The folder belongs to the
        store from then on.

        Raises:
            FileExistsError: The prefix is in use.
        """

    def open(self, key: str) -> OpenObject | None:
        """Open an object for reading; None if it does not exist."""

    def delete(self, key: str, *, stored_before: float | None = None) -> bool:
        """Remove an object.

        Args:
            stored_before: Spare an object that was stored since this moment (`now`); exact even if
                somebody stores it at the same time.

        Returns:
            Whether it existed and is gone.
        """

    def delete_prefix(self, prefix: str) -> None:
        """Remove all objects with a prefix, unfinished ones too."""

    def delete_unfinished(self, prefix: str, before: float) -> int:
        """Remove leftovers of interrupted writes from before a moment.

        Returns:
            How many.
        """

    def has_any(self, prefix: str) -> bool:
        """Whether any object has a prefix. Costs one question, however many there are."""

    def children(self, prefix: str) -> set[str]:
        """List the parts of keys that follow a prefix."""

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """List all objects with a prefix. One that is removed meanwhile may be missing."""


@runtime_checkable
class LocalFiles(Protocol):
    """A store whose objects are local files, which another program may send."""

    def local_path(self, key: str) -> Path | None:
        """An object's file; None if it does not exist."""


@runtime_checkable
class HasDescriptor(Protocol):
    """An open object that the kernel can send from a file descriptor."""

    @property
    def descriptor(self) -> int:
        """Open until the object is closed."""


@runtime_checkable
class ReadsAhead(Protocol):
    """An open object that fetches more than it is asked for."""

    def end_reading_at(self, end: int) -> None:
        """Fetch nothing from an offset on: nobody will ask for it."""


@runtime_checkable
class MovesPrefixes(Protocol):
    """A store that can move all objects with a prefix in one step."""

    def move_prefix(self, prefix: str, to: str) -> bool:
        """Move them durably.

        Returns:
            False if there are none, or `to` is in use.
        """


@runtime_checkable
class MeasuresUsage(Protocol):
    """A store that knows what it holds without listing it."""

    def usage(self) -> dict[str, int]:
        """Bytes by kind: an area, or in the area of media the name of a folder of an asset."""


@runtime_checkable
class RecordsObjects(MeasuresUsage, Protocol):
    """A store on another machine, whose objects have rows (`kit/object_records.py`)."""

    @property
    def place_name(self) -> str:
        """Where it is, for people."""

    def require_access(self) -> None:
        """Ask for something.

        Raises:
            ObjectStoreError: The store does not exist, may not be read, or does not answer.
        """

    def guarded(self, check: Callable[[], None]) -> ObjectStore:
        """The same store, asking before each request that writes or removes.

        Args:
            check: Raises what forbids it.
        """

    def recorded(self, prefix: str) -> set[str]:
        """Names of the rows of objects with a prefix."""

    def note_removal(self, connection: sa.Connection, prefix: str) -> None:
        """Note in a transaction of the installation's database that all objects with a prefix are
        about to be removed. Asks the store nothing.
        """

    def unremoved(self, prefix: str) -> set[str]:
        """Names of the rows with a prefix whose objects somebody began to remove who has died: all
        whose removal takes longer than a request may.
        """

    def recorded_since(self, moment: float) -> set[str]:
        """Names of the rows that were written since a moment (`now`)."""


def check_key(key: str) -> str:
    """Validate a key.

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
    """Validate a prefix: an area or a key, with a slash.

    Raises:
        InvalidKeyError: No object's key can begin with it.
    """
    if not prefix.endswith("/") or (prefix[:-1] not in AREAS and not check_key(prefix[:-1])):
        raise InvalidKeyError(repr(prefix))
    return prefix


@contextmanager
def opened(store: ObjectStore, key: str) -> Iterator[OpenObject]:
    """An object, open for the length of the block.

    Raises:
        FileNotFoundError: It does not exist.
    """
    found = store.open(key)
    if found is None:
        raise FileNotFoundError(key)
    try:
        yield found
    finally:
        found.close()


def chunks_of(found: OpenObject) -> Iterator[bytes]:
    """All bytes of an open object, piece by piece."""
    offset = 0
    while data := found.read(offset, CHUNK_BYTES):
        offset += len(data)
        yield data


def read_object(store: ObjectStore, key: str) -> bytes:
    """Read a small object.

    Raises:
        FileNotFoundError: It does not exist.
    """
    with opened(store, key) as found:
        return b"".join(chunks_of(found))


def local_path(store: ObjectStore, key: str) -> Path | None:
    """An object's local file, if the store has such files."""
    return store.local_path(key) if isinstance(store, LocalFiles) else None


def descriptor_of(content: OpenObject) -> int | None:
    """The file descriptor of an open object, if it has one."""
    return content.descriptor if isinstance(content, HasDescriptor) else None
