"""Objects in a private bucket of any S3 store.

Media, pictures and originals lie below one prefix. Who may read an asset is said by its row alone,
so locking a video moves nothing. The ages of pictures and the bytes of everything are in rows
(`kit/object_records.py`), because a bucket can neither renew an object's time nor be listed for a
statistic.

Every request has a deadline, and is repeated a few times within it. What the store cannot do now is
an `ObjectStoreError`.

The file is long because one class answers every call of the port (`kit/object_store.py`).
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from threading import Lock
from typing import Literal

import obstore
import sqlalchemy as sa
from obstore.exceptions import AlreadyExistsError, NotSupportedError

from liuying.kit.object_keys import MEDIA_BY_ROW, MEDIA_TYPES
from liuying.kit.object_records import ObjectRecords, ObjectRow, is_shared, row_name
from liuying.kit.object_store import (
    InvalidKeyError,
    ObjectStoreError,
    OpenObject,
    StoredObject,
    check_key,
    check_prefix,
)
from liuying.kit.s3_bucket import (
    READ_RETRY_S,
    READ_S,
    WRITE_RETRY_S,
    WRITE_S,
    Asking,
    S3Object,
    bucket_of,
)
from liuying.kit.s3_place import S3Place

# Larger files are sent in parts of this size, of which so many are in memory at a time.
PART_BYTES = 8 * 1024 * 1024
PARTS_AT_ONCE = 3
# Objects of a folder that are sent at a time.
AT_ONCE = 8
# How long a writer waits for somebody who is removing the same object.
WAIT_S, LOOK_S = 10.0, 0.05
PLAYLIST_SUFFIX = ".m3u8"
BUSY = "这个对象正在被别的进程删除，请稍后再试"


class S3Store:
    """The objects of one bucket.

    Args:
        place: The bucket.
        records: The rows of its objects.
    """

    media = MEDIA_BY_ROW

    def __init__(self, place: S3Place, records: ObjectRecords) -> None:
        self.place = place
        self._records = records
        self._check: Callable[[], None] | None = None
        self._asking = Asking()
        # Not every store knows conditional writes; the first answer tells.
        self._decides_first = True
        self._turns = [Lock() for _ in range(64)]
        self._reading = bucket_of(place, READ_S, READ_RETRY_S)
        self._writing = bucket_of(place, WRITE_S, WRITE_RETRY_S)

    def guarded(self, check: Callable[[], None]) -> S3Store:
        """The same store, asking before each request that writes or removes."""
        found = copy(self)
        found._check = check
        return found

    def now(self) -> float:
        return self._records.now()

    def put_if_absent(self, key: str, source: Path | bytes) -> bool:
        name = row_name(check_key(key))
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        if not is_shared(name):
            self._claim([ObjectRow(name, size)])
            return self._create(key, source, size)
        self._records.add(name, size)
        is_new = self._create(key, source, size)
        if not is_new:
            self._records.add(name, -size)
        return is_new

    def put_folder(self, prefix: str, folder: Path) -> None:
        """Store the files of a folder, playlists last: whoever sees one sees what it names.

        Files of somebody who stood still and goes on, after another took over, do not mix with
        these: the store keeps whose was first, and then this is no unused prefix.
        """
        if self.has_any(prefix):
            raise FileExistsError(prefix)
        files = {
            check_key(f"{prefix}{path.relative_to(folder).as_posix()}"): path
            for path in folder.rglob("*")
            if path.is_file()
        }
        sizes: Counter[str] = Counter()
        for key, path in files.items():
            sizes[row_name(key)] += path.stat().st_size
        self._claim([ObjectRow(name, size) for name, size in sizes.items()])
        playlists = [key for key in files if key.endswith(PLAYLIST_SUFFIX)]
        playlists.sort(key=lambda key: -key.count("/"))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            others = [key for key in files if not key.endswith(PLAYLIST_SUFFIX)]
            are_ours = list(pool.map(lambda key: self._create(key, files[key]), others))
        are_ours += [self._create(key, files[key]) for key in playlists]
        if not all(are_ours):
            raise FileExistsError(prefix)
        shutil.rmtree(folder, ignore_errors=True)

    def open(self, key: str) -> OpenObject | None:
        try:
            with self._asking():
                found = obstore.head(self._reading, check_key(key))
        except FileNotFoundError:
            return None
        return S3Object(self._reading, key, found["size"], self._asking)

    def delete(self, key: str, *, stored_before: float | None = None) -> bool:
        found = self.open(key)
        if stored_before is None:
            if found is not None:
                self._remove([key])
            name = row_name(key)
            if not is_shared(name):
                self._records.forget([name])
            elif found is not None:
                self._records.add(name, -found.size)
            return found is not None
        return self._delete_old(key, stored_before)

    def _delete_old(self, key: str, stored_before: float) -> bool:
        name = row_name(key)
        if not self._records.has(name):
            # Stored by a database that was lost since: the bucket's own time counts.
            try:
                with self._asking():
                    found = obstore.head(self._reading, key)
            except FileNotFoundError:
                return False
            row = ObjectRow(name, found["size"])
            self._records.adopt(row, found["last_modified"].timestamp())
        removal = self._records.begin_removal(name, stored_before)
        if removal is None:
            return False
        is_there = self.open(key) is not None
        self._remove([key])
        self._records.end_removal(name, removal)
        return is_there

    def delete_prefix(self, prefix: str) -> None:
        for keys in self._pages(check_prefix(prefix)):
            self._remove([one.key for one in keys])
        self._records.forget_prefix(prefix)

    def delete_unfinished(self, prefix: str, before: float) -> int:
        """Nothing: an object appears whole. Parts of files whose upload was interrupted are removed
        by the bucket's own rule (docs/operating.md).
        """
        check_prefix(prefix)
        return 0

    def has_any(self, prefix: str) -> bool:
        return next(self._pages(check_prefix(prefix)), None) is not None

    def children(self, prefix: str) -> set[str]:
        with self._asking():
            found = obstore.list_with_delimiter(self._writing, check_prefix(prefix)[:-1])
        paths = [*found["common_prefixes"], *(one["path"] for one in found["objects"])]
        return {path.rpartition("/")[2] for path in paths}

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        for page in self._pages(check_prefix(prefix)):
            yield from page

    def usage(self) -> dict[str, int]:
        """Bytes by kind, by rows."""
        return self._records.usage()

    def recorded(self, prefix: str) -> set[str]:
        """Names of the rows of objects with a prefix."""
        return self._records.names(check_prefix(prefix))

    def note_removal(self, connection: sa.Connection, prefix: str) -> None:
        """Note in a transaction that all objects with a prefix are about to be removed."""
        self._records.note_removal(connection, check_prefix(prefix))

    def unremoved(self, prefix: str) -> set[str]:
        """Names of the rows with a prefix whose removal was begun and never ended."""
        return self._records.unremoved(check_prefix(prefix))

    def recorded_since(self, moment: float) -> set[str]:
        """Names of the rows that were written since a moment."""
        return self._records.names_since(moment)

    @property
    def failures(self) -> dict[str, int]:
        return dict(self._asking.failures)

    @property
    def place_name(self) -> str:
        """Where the bucket is, for people."""
        place = self.place
        return f"{place.endpoint or 'Amazon S3'} 的 s3://{place.bucket}/{place.prefix}"

    def require_access(self) -> None:
        """Ask for something.

        Raises:
            ObjectStoreError: The bucket does not exist, or may not be read, or does not answer.
        """
        self.has_any("media/none/")

    def _pages(self, prefix: str) -> Iterator[list[StoredObject]]:
        """All objects with a prefix, page by page; no page is empty."""
        pages = iter(obstore.list(self._writing, prefix[:-1]))
        while True:
            try:
                with self._asking():
                    page = next(pages, None)
            except FileNotFoundError:
                page = None
            if page is None:
                return
            found = [
                StoredObject(one["path"], one["size"], one["last_modified"].timestamp())
                for one in page
                if _is_key(one["path"])
            ]
            if found:
                yield found

    def _claim(self, rows: Sequence[ObjectRow]) -> None:
        """Note objects, waiting for whoever removes one of them."""
        until = time.monotonic() + WAIT_S
        while not self._records.claim(rows):
            if time.monotonic() > until:
                raise ObjectStoreError(BUSY)
            time.sleep(LOOK_S)

    def _create(self, key: str, source: Path | bytes, size: int | None = None) -> bool:
        """Store an object unless it exists.

        The store decides which of several is first, if it can. If not, and for files that are sent
        in parts, it is asked whether there is one: that is enough within one process, and keys that
        several write follow from their content or belong to an asset that one of them holds.
        """
        if isinstance(source, Path) and (size or source.stat().st_size) > PART_BYTES:
            return self._create_in_parts(key, source)
        content = source if isinstance(source, bytes) else source.read_bytes()
        if self._decides_first:
            try:
                self._put(key, content, "create")
            except AlreadyExistsError:
                return False
            except NotSupportedError:
                self._decides_first = False
            else:
                return True
        with self._turns[hash(key) % len(self._turns)]:
            if self.open(key) is not None:
                return False
            self._put(key, content, "overwrite")
        return True

    def _put(self, key: str, content: bytes, mode: Literal["create", "overwrite"]) -> None:
        self._require_leave()
        with self._asking():
            obstore.put(
                self._writing,
                key,
                content,
                attributes=_attributes_of(key),
                mode=mode,
                use_multipart=False,
            )

    def _create_in_parts(self, key: str, source: Path) -> bool:
        if self.open(key) is not None:
            return False
        self._require_leave()
        with self._asking():
            obstore.put(
                self._writing,
                key,
                source,
                attributes=_attributes_of(key),
                use_multipart=True,
                chunk_size=PART_BYTES,
                max_concurrency=PARTS_AT_ONCE,
            )
        return True

    def _require_leave(self) -> None:
        if self._check is not None:
            self._check()

    def _remove(self, keys: list[str]) -> None:
        self._require_leave()
        with self._asking():
            obstore.delete(self._writing, keys)


def _attributes_of(key: str) -> dict[str, str]:
    """What the store says of an object to an nginx that reads it without us."""
    media_type = MEDIA_TYPES.get(key.rpartition(".")[2], "application/octet-stream")
    return {"Content-Type": media_type}


def _is_key(path: str) -> bool:
    try:
        check_key(path)
    except InvalidKeyError:
        return False
    return True
