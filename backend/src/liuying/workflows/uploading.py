"""Uploads from an operator's browser, from the first byte to the import queue.

A film is an upload that names the ones that go with it: subtitles, descriptions, a cover, which
came before. When its last byte is there, any process of the console hands it over: it becomes an
object of the inbox and a job of the ledger, as if `liuying import --queue` had found it in a folder
with these files.
"""

from __future__ import annotations

import errno
import logging
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

import msgspec

from liuying.features.uploads import queries
from liuying.features.uploads.rules import (
    ID,
    KEPT_MS,
    MOST_UNFINISHED,
    NoRoomError,
    OffsetError,
    TooLargeError,
)
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.workflows.companions import PICTURE_SUFFIXES, SUBTITLE_SUFFIXES, VIDEO_SUFFIXES
from liuying.workflows.import_services import ImportServices
from liuying.workflows.preconditions import NO_ROOM, RESERVED_BYTES
from liuying.workflows.removal import Installation
from liuying.workflows.side_cars import COVER_BYTES, Beside, look_beside
from liuying.workflows.upload_names import file_name, require_distinct
from liuying.workflows.upload_spool import Note, UploadSpool, spool_of

LOG = logging.getLogger(__name__)
BESIDE_SUFFIXES = frozenset(
    {*PICTURE_SUFFIXES, *SUBTITLE_SUFFIXES, ".json", ".nfo", ".description"}
)
# What goes with one film.
MOST_BESIDE = 60
GONE = "这个上传不存在、已结束，或超过 7 天没有继续"


class NewUpload(msgspec.Struct, frozen=True, kw_only=True):
    """An upload that is to begin.

    Attributes:
        name: Of the file, as the browser says it.
        size: Bytes.
        metadata: As the client sent it, to be answered.
        beside: Ids of complete uploads that go with it.
        is_hidden: A film that nobody sees until the operator shows it, whether or not anything
            else is typed of it later.
        actor: Who uploads.
    """

    name: str
    size: int
    metadata: str
    beside: tuple[str, ...] = ()
    is_hidden: bool = False
    actor: str = ""


def create_upload(services: ImportServices, new: NewUpload, most_bytes: int) -> str:
    """Begin an upload, if there will be room for it.

    Args:
        most_bytes: The largest file that is taken.

    Returns:
        Its id.

    Raises:
        InvalidInputError: The file is none that is imported, or what goes with it is wrong.
        TooLargeError: It is larger than what is taken.
        NoRoomError: There is no room for it, beside the uploads that have begun.
    """
    name = file_name(new.name)
    suffix = PurePosixPath(name).suffix
    is_film = suffix in VIDEO_SUFFIXES
    if not is_film and suffix not in BESIDE_SUFFIXES:
        raise InvalidInputError(f"不能上传 {suffix} 文件", "filename")
    if new.size > (most_bytes if is_film else COVER_BYTES):
        limit = most_bytes / 1e9 if is_film else COVER_BYTES / 1e9
        raise TooLargeError(f"{name} 超过了上限 {limit:.2f} GB")
    if not new.size:
        raise InvalidInputError(f"{name} 是空的", "Upload-Length")
    if is_film and new.beside:
        _check_beside(services, name, new.beside)
    upload_id, now = secrets.token_hex(16), services.clock()
    with services.database.write() as connection:
        count, missing = queries.count_open(connection)
        if count >= MOST_UNFINISHED:
            raise InvalidInputError(f"没有传完的上传已有 {count} 个，请先完成或取消一些")
        _require_room(services, new.size + missing, name)
        values = {
            "id": upload_id,
            "name": name,
            "bytes": new.size,
            "metadata": new.metadata,
            "is_film": is_film,
            "name_of_actor": new.actor,
            "created_at": now,
            "touched_at": now,
        }
        if is_film and new.is_hidden:
            values["details"] = {"given": {}, "is_hidden": True}
        queries.insert(connection, values)
        if is_film and queries.give_to_film(connection, new.beside, upload_id) < len(new.beside):
            raise _not_beside()
    return upload_id


def receive(
    services: ImportServices,
    spool: UploadSpool,
    upload_id: str,
    start: int,
    data: bytes,
    note: Note,
) -> bool:
    """Keep the next bytes of an upload.

    Args:
        note: Called in the transaction that counts the last ones.

    Returns:
        Whether it is complete.

    Raises:
        NotFoundError: There is no such upload.
        OffsetError: It does not end at `start`.
        TooLargeError: There are more bytes than were announced.
        NoRoomError: The disk is full.
        OSError: The store does not answer.
    """
    row = find_upload(services, upload_id)
    end = start + len(data)
    if end > row.bytes:
        raise TooLargeError("收到的内容比说好的多")
    try:
        _require_room(services, len(data), "")
        is_last = bool(end == row.bytes)
        is_counted = spool.append(
            upload_id, start, data, services.clock(), note if is_last else lambda _: None
        )
    except OSError as error:
        if error.errno in NO_ROOM - {errno.EFBIG}:
            raise NoRoomError from error
        raise
    if not is_counted:
        find_upload(services, upload_id)
        raise OffsetError
    return is_last


def find_upload(services: ImportServices, upload_id: str) -> AnyRow:
    """An upload's row.

    Raises:
        NotFoundError: There is none.
    """
    row = None
    if ID.fullmatch(upload_id):
        with services.database.read() as connection:
            row = queries.row(connection, upload_id)
    if row is None:
        raise NotFoundError(GONE)
    return row


def end_upload(services: ImportServices, upload_id: str) -> None:
    """Give an upload up, with what goes with it; one that became a job is only forgotten.

    Raises:
        NotFoundError: There is no such upload.
    """
    find_upload(services, upload_id)
    _forget(services, spool_of(services), [upload_id])


def expire_uploads(installation: Installation) -> None:
    """Remove what got no bytes for `KEPT_MS`, and bytes that belong to no upload."""
    spool = spool_of(installation)
    with installation.database.read() as connection:
        before = installation.clock() - KEPT_MS
        old = [one.id for one in queries.old_ones(connection, before)]
    if old:
        _forget(installation, spool, old)
    with installation.database.read() as connection:
        needed = queries.known_ids(connection)
    spool.sweep(needed)


def _check_beside(services: ImportServices, film: str, ids: Sequence[str]) -> Beside:
    """Look at what goes with a film before its bytes are sent: a mistake in it is told at once.

    Raises:
        InvalidInputError: One is no complete upload, two have one name, or a description is wrong.
    """
    if len(set(ids)) != len(ids) or len(ids) > MOST_BESIDE:
        raise _not_beside()
    with services.database.read() as connection:
        found = queries.complete_ones(connection, ids)
    if len(found) != len(ids):
        raise _not_beside()
    require_distinct(one.name for one in found)
    spool = spool_of(services)
    services.layout.uploads.mkdir(mode=0o700, exist_ok=True)
    with TemporaryDirectory(dir=services.layout.uploads, prefix=".") as folder:
        for one in found:
            spool.assemble(one.id, one.bytes, Path(folder) / one.name)
        (Path(folder) / film).touch()
        return look_beside(Path(folder) / film)


def _not_beside() -> InvalidInputError:
    return InvalidInputError("附带的文件没有传完，或已属于另一个视频", "beside")


def _require_room(services: ImportServices, needed: int, name: str) -> None:
    """
    Raises:
        NoRoomError: There is less room than that plus the reserve.
    """
    free = shutil.disk_usage(services.layout.data_dir).free
    if free >= needed + RESERVED_BYTES:
        return
    if not name:
        raise NoRoomError
    raise NoRoomError(
        f"服务器的磁盘放不下 {name}：连同没有传完的一共要 {needed / 1e9:.2f} GB，"
        f"只剩 {max(0, free - RESERVED_BYTES) / 1e9:.2f} GB"
    )


def _forget(services: Installation, spool: UploadSpool, ids: Sequence[str]) -> None:
    """Remove rows, then bytes: from then on nothing is added to them."""
    with services.database.write() as connection:
        others = [one.id for one in queries.beside(connection, ids)]
        queries.delete(connection, [*ids, *others])
    for one in (*ids, *others):
        spool.remove(one)


def expires_at(touched_at: Milliseconds) -> Milliseconds:
    """When an upload that gets no bytes is removed."""
    return touched_at + KEPT_MS
