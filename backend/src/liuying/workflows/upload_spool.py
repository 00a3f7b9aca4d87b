"""Where the bytes of uploads lie until all of them are there.

In the data folder an upload is one file that grows, so nothing is copied when it is complete. A
store of whole objects gets a part at a time. Either way bytes are durable before the row counts
them, and of two that send the same bytes one is counted.
"""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from liuying.features.uploads import queries
from liuying.kit.clock import Milliseconds
from liuying.kit.database import Database
from liuying.kit.file_locks import lock_file
from liuying.kit.files import sync_folder
from liuying.kit.object_keys import UPLOADS, upload_prefix
from liuying.kit.object_store import ObjectStore, RecordsObjects, chunks_of, opened
from liuying.media.errors import UnreadableError
from liuying.workflows.removal import Installation

LOST = "上传的内容已不在服务器上，请重新上传"
# Of bytes whose upload was ended, by a process that was killed before it removed them.
ORPHAN_S = 24 * 3600.0

# Called in the transaction that counts the bytes.
Note = Callable[[sa.Connection], None]


class UploadSpool(Protocol):
    """What holds the bytes of unfinished uploads."""

    def append(
        self, upload_id: str, start: int, data: bytes, now: Milliseconds, note: Note
    ) -> bool:
        """Keep the next bytes durably, and count them.

        Returns:
            False where the upload does not end at `start`, or is none any more.

        Raises:
            UnreadableError: What came before is gone.
            OSError: The disk is full, or the store does not answer.
        """

    def assemble(self, upload_id: str, size: int, target: Path) -> None:
        """Make a complete upload a new file of this machine; it may be a second name of the
        spool's.

        Raises:
            UnreadableError: Bytes are missing.
            FileExistsError: There is such a file, perhaps another upload's second name: nothing is
                written.
            OSError: The disk is full, or the store does not answer.
        """

    def remove(self, upload_id: str) -> None:
        """Remove the bytes of an upload whose row is gone, or that was handed over."""

    def sweep(self, needed: Collection[str]) -> None:
        """Remove old bytes of uploads that are not among these."""


def spool_of(installation: Installation) -> UploadSpool:
    """The spool of an installation: beside the objects that it will become."""
    if isinstance(installation.objects, RecordsObjects):
        return ObjectSpool(installation.database, installation.objects)
    return FileSpool(installation.database, installation.layout.uploads)


class FileSpool:
    """Uploads as files of the data folder.

    Args:
        database: Counts their bytes.
        folder: Theirs alone; created if missing.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder

    def append(
        self, upload_id: str, start: int, data: bytes, now: Milliseconds, note: Note
    ) -> bool:
        """Write at the end. What lies behind it already was written by somebody who was killed
        before he counted it.
        """
        self._folder.mkdir(mode=0o700, exist_ok=True)
        # The lock ends with the descriptor, however this process ends.
        descriptor = lock_file(self._folder / upload_id, wait=True)
        try:
            with self._database.read() as connection:
                if queries.received(connection, upload_id) != start:
                    return False
            if os.fstat(descriptor).st_size < start:
                raise UnreadableError(LOST)
            view, at = memoryview(data), start
            while view:
                written = os.pwrite(descriptor, view, at)
                view, at = view[written:], at + written
            os.fsync(descriptor)
            if start == 0:
                sync_folder(self._folder)
            with self._database.write() as connection:
                is_counted = queries.advance(connection, upload_id, start, at, now)
                if is_counted:
                    note(connection)
            return is_counted
        finally:
            os.close(descriptor)

    def assemble(self, upload_id: str, size: int, target: Path) -> None:
        """Give the file a second name; a copy where that cannot be."""
        source = self._folder / upload_id
        try:
            if source.stat().st_size != size:
                raise UnreadableError(LOST)
            try:
                target.hardlink_to(source)
            except (FileNotFoundError, FileExistsError):
                raise
            except OSError:
                target.touch(exist_ok=False)
                shutil.copyfile(source, target)
        except FileNotFoundError as error:
            raise UnreadableError(LOST) from error

    def remove(self, upload_id: str) -> None:
        """Remove the file, if there is one."""
        (self._folder / upload_id).unlink(missing_ok=True)

    def sweep(self, needed: Collection[str]) -> None:
        """Remove old files that belong to nothing."""
        if not self._folder.is_dir():
            return
        before = time.time() - ORPHAN_S
        for path in self._folder.iterdir():
            if path.name in needed or path.stat().st_mtime >= before:
                continue
            if path.is_dir():  # Of somebody who was killed while he looked at side-cars.
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


class ObjectSpool:
    """Uploads as objects of a store, a part at a time.

    Args:
        database: Has the parts' rows.
        objects: The store.
    """

    def __init__(self, database: Database, objects: ObjectStore) -> None:
        self._database = database
        self._objects = objects

    def append(
        self, upload_id: str, start: int, data: bytes, now: Milliseconds, note: Note
    ) -> bool:
        """Store a part under a name that nobody else gives: whoever was killed before he counted
        his leaves one that counts for nothing.
        """
        with self._database.read() as connection:
            if queries.received(connection, upload_id) != start:
                return False
        key = f"{upload_prefix(upload_id)}{start:015d}-{secrets.token_hex(8)}"
        self._objects.put_if_absent(key, data)
        end = start + len(data)
        part = {"upload_id": upload_id, "start": start, "bytes": len(data), "object_key": key}
        with self._database.write() as connection:
            is_counted = queries.advance(connection, upload_id, start, end, now)
            if is_counted:
                queries.insert_part(connection, part)
                note(connection)
        if not is_counted:
            self._objects.delete(key)
        return is_counted

    def assemble(self, upload_id: str, size: int, target: Path) -> None:
        """Read the parts one after another into a file."""
        with self._database.read() as connection:
            parts = queries.parts(connection, upload_id)
        end = 0
        with target.open("xb") as file:
            for part in parts:
                if part.start != end:
                    raise UnreadableError(LOST)
                try:
                    with opened(self._objects, part.object_key) as found:
                        for piece in chunks_of(found):
                            file.write(piece)
                except FileNotFoundError as error:
                    raise UnreadableError(LOST) from error
                end += part.bytes
        if target.stat().st_size != size:
            raise UnreadableError(LOST)

    def remove(self, upload_id: str) -> None:
        """Remove all parts, counted or not."""
        self._objects.delete_prefix(upload_prefix(upload_id))

    def sweep(self, needed: Collection[str]) -> None:
        """Remove parts of uploads that belong to nothing. Removing is cheap where nothing is."""
        if not isinstance(self._objects, RecordsObjects):
            return
        recent = self._objects.recorded_since(self._objects.now() - ORPHAN_S)
        old = self._objects.recorded(f"{UPLOADS}/") - recent
        for upload_id in {name.split("/")[1] for name in old} - set(needed):
            self.remove(upload_id)
