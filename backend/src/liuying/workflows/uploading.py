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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.named_categories import known_category
from liuying.core.jobs.queries.ledger import change_wanted, wanted_of
from liuying.features.uploads import queries
from liuying.features.uploads.rules import (
    HELD_MS,
    ID,
    KEPT_MS,
    MOST_UNFINISHED,
    NoRoomError,
    OffsetError,
    TooLargeError,
    file_name,
)
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.errors import InvalidInputError, LiuyingError, NotFoundError
from liuying.media.errors import DiskFullError
from liuying.workflows.companions import PICTURE_SUFFIXES, SUBTITLE_SUFFIXES, VIDEO_SUFFIXES
from liuying.workflows.import_manifest import ImportChoices, Item
from liuying.workflows.import_services import ImportServices
from liuying.workflows.inbox import queue_by_content
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.late_details import write_details_of
from liuying.workflows.preconditions import NO_ROOM, RESERVED_BYTES
from liuying.workflows.removal import Installation
from liuying.workflows.side_cars import COVER_BYTES, Beside, look_beside
from liuying.workflows.upload_spool import Note, UploadSpool, spool_of
from liuying.workflows.video_meta import GivenMeta

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
        actor: Who uploads.
    """

    name: str
    size: int
    metadata: str
    beside: tuple[str, ...] = ()
    actor: str = ""


class Details(msgspec.Struct, frozen=True):
    """What the operator typed of a film.

    Attributes:
        given: Overrides what lies beside it.
        is_hidden: Nobody sees it until the operator shows it.
    """

    given: GivenMeta = GivenMeta()
    is_hidden: bool = False


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


def change_details(services: ImportServices, upload_id: str, details: Details) -> None:
    """Say something else of a film, wherever it is by now: arriving, waiting, being encoded, or
    shown.

    Raises:
        NotFoundError: There is no such upload.
        InvalidInputError: A value is wrong, or the video is in the bin.
        ImportBusyError: A category that is locked cannot be changed while it is encoded.
    """
    find_upload(services, upload_id)
    wanted = None
    with services.database.write() as connection:
        if isinstance(details.given.category, int):
            # Before the film is there: nobody would read why its import failed.
            known_category(connection, details.given.category)
        queries.change(connection, upload_id, {"details": _stored(details), "fault": ""})
        row = queries.row(connection, upload_id)
        if row is not None and row.job_id is not None:
            wanted = _with_details(wanted_of(connection, row.job_id), details)
            change_wanted(connection, row.job_id, wanted)
    if wanted:
        # The worker looks at the job after it published: one of the two sees the other.
        write_details_of(services, wanted)


def hand_over_next(services: ImportServices) -> bool:
    """Hand the next complete film over to the import queue; False if there is none.

    Whoever was killed at it is followed by another process: the same content is one object and one
    job.
    """
    now = services.clock()
    with services.database.read() as connection:
        if not queries.is_any_complete(connection, now):
            return False
    with services.database.write() as connection:
        row = queries.claim_complete(connection, now, now + HELD_MS)
    if row is None:
        return False
    try:
        with _held(services, row.id):
            _hand_over(services, row)
    except ImportBusyError:  # Another process of this machine is at it.
        return False
    except DiskFullError as error:
        LOG.warning("an upload cannot be handed over: %s", error)
    except LiuyingError as error:
        with services.database.write() as connection:
            queries.note_fault(connection, row.id, error.message[:400])
    except OSError as error:
        # Tried again when its time is over.
        LOG.warning("an upload cannot be handed over: %s", error)
    return True


@contextmanager
def _held(services: ImportServices, upload_id: str) -> Iterator[None]:
    """Keep other processes from handing an upload over until the block ends; they begin soon where
    this one is killed.
    """
    is_over = Event()

    def beat() -> None:
        while not is_over.wait(HELD_MS / 3000):
            until = services.clock() + HELD_MS
            try:
                with services.database.write() as connection:
                    queries.change(connection, upload_id, {"held_until": until})
            except sa.exc.SQLAlchemyError as error:
                LOG.warning("an upload could not be held on to: %s", error)

    beating = Thread(target=beat, name="holding an upload", daemon=True)
    beating.start()
    try:
        yield
    finally:
        is_over.set()
        beating.join()


def _hand_over(services: ImportServices, row: AnyRow) -> None:
    spool = spool_of(services)
    with services.database.read() as connection:
        others = queries.beside(connection, [row.id])
    with _work_folder(services, row.id) as work:
        for one in (row, *others):
            # Complete ones only: what is cut off was never given to a film.
            spool.assemble(one.id, one.bytes, work / one.name)
        details = details_of(row)
        item = Item(work / row.name, choices=ImportChoices(is_hidden=details.is_hidden))
        job_id, _ = queue_by_content(services, item, details.given, look_beside(item.source))
    ids = [one.id for one in others]
    with services.database.write() as connection:
        queries.change(connection, row.id, {"job_id": job_id})
        # Typed meanwhile, or for another upload of the same file.
        latest = queries.row(connection, row.id)
        wanted = wanted_of(connection, job_id)
        change_wanted(connection, job_id, _with_details(wanted, details_of(latest or row)))
    for one in (row.id, *ids):
        spool.remove(one)


@contextmanager
def _work_folder(services: ImportServices, key: str) -> Iterator[Path]:
    """A folder of this process, on the disk of the data folder."""
    folders = JobFolders(services.layout.inbox)
    with folders.gate():
        for orphan in folders.orphans():
            folders.remove(orphan)
        job = folders.begin(key)
    with job as work:
        inner = work / "files"
        if inner.exists():
            shutil.rmtree(inner)
        inner.mkdir()
        yield inner


def details_of(row: AnyRow) -> Details:
    """What the operator typed of a film."""
    return msgspec.convert(row.details or {}, Details)


def _stored(details: Details) -> dict[str, Any]:
    given = msgspec.to_builtins(details.given.stated())
    return {"given": given, "is_hidden": details.is_hidden}


def _with_details(wanted: dict[str, Any], details: Details) -> dict[str, Any]:
    """What is said of a job's file, with other details."""
    others = {name: value for name, value in wanted.items() if name not in {"given", "is_hidden"}}
    hidden = {"is_hidden": True} if details.is_hidden else {}
    return {**others, "given": _stored(details)["given"], **hidden}


def _check_beside(services: ImportServices, film: str, ids: Sequence[str]) -> Beside:
    """Look at what goes with a film before its bytes are sent: a mistake in it is told at once.

    Raises:
        InvalidInputError: One is no complete upload, or a description is wrong.
    """
    if len(set(ids)) != len(ids) or len(ids) > MOST_BESIDE:
        raise _not_beside()
    with services.database.read() as connection:
        found = queries.complete_ones(connection, ids)
    if len(found) != len(ids):
        raise _not_beside()
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
