"""Files that wait in the store for a worker on whichever machine: a queued video, and what was
found beside it.

Each is an object named by its content. The job's row comes first, not due yet; then the objects;
then it is due. So whatever an open or failed job names is needed, and so are the chunks that a
claim names (`workflows/far_help.py`); all else can go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from liuying.core.jobs.queries.ledger import hold_back, is_named, let_go
from liuying.kit.clock import DAY_MS
from liuying.kit.database import Database
from liuying.kit.errors import InvalidInputError
from liuying.kit.object_keys import INBOX, inbox_key
from liuying.kit.object_store import (
    ObjectStore,
    RecordsObjects,
    chunks_of,
    local_path,
    opened,
)
from liuying.kit.storage_layout import StorageLayout
from liuying.media.errors import UnreadableError
from liuying.workflows.content_hash import hash_file
from liuying.workflows.import_manifest import Item
from liuying.workflows.import_services import ImportServices
from liuying.workflows.job_folders import JobFolders
from liuying.workflows.preconditions import require_regular_file, require_room
from liuying.workflows.queries.shared_films import names_content
from liuying.workflows.queued_import import COVER_FOLDER, item_of, queue_item
from liuying.workflows.side_cars import Beside
from liuying.workflows.video_meta import GivenMeta

# A job whose files never came all is tried after this, and fails with the reason.
UPLOAD_MS = DAY_MS
LOST = "上传没有完成，或文件已不在收件箱里：请再上传或导入一次"


def has_inbox(objects: ObjectStore) -> bool:
    """Whether workers may be where the operator's files are not."""
    return isinstance(objects, RecordsObjects)


def queue_by_content(
    services: ImportServices, item: Item, given: GivenMeta, beside: Beside
) -> tuple[int, bool]:
    """Put a file and what lies beside it into the store, and its job into the ledger.

    Args:
        item: The file, without a fault.
        given: Metadata from the command line, which takes precedence.
        beside: What was found beside it.

    Returns:
        The job's id, and whether it is new.

    Raises:
        InvalidInputError: No such category, or a name cannot be stored.
        MediaError: It is not a readable file.
        OSError: The store does not answer.
    """
    files = _files_of(item, beside)
    for path in files.values():
        require_regular_file(path)
    named = {name: hash_file(path) for name, path in files.items()}
    now = services.clock()
    with services.database.write() as connection:
        job_id, is_new = queue_item(connection, item, given, now, inbox=named)
        if is_new:
            hold_back(connection, job_id, now + UPLOAD_MS)
    for name, path in files.items():
        services.objects.put_if_absent(inbox_key(named[name]), path)
    with services.database.write() as connection:
        let_go(connection, job_id, services.clock())
    return job_id, is_new


@contextmanager
def fetched(
    objects: ObjectStore, layout: StorageLayout, source: str, wanted: Mapping[str, object]
) -> Iterator[Item]:
    """The file of a job, on this machine until the block ends.

    Raises:
        InvalidInputError: A newer version wrote something that this one does not know.
        UnreadableError: It is not in the inbox.
        DiskFullError: There is no room for it.
        OSError: The store does not answer.
    """
    item = item_of(source, dict(wanted))
    if not item.inbox:
        yield item
        return
    folders = JobFolders(layout.inbox)
    with folders.gate():
        folders.remove_orphans()
        job = folders.begin(next(iter(item.inbox.values())))
    with job as work:
        for name, content in item.inbox.items():
            target = work / "files" / name
            if not target.resolve().is_relative_to((work / "files").resolve()):
                raise InvalidInputError("任务里的文件名不对")
            target.parent.mkdir(parents=True, exist_ok=True)
            fetch(objects, content, target)
        yield item_of(str(work / "files" / next(iter(item.inbox))), dict(wanted))


def sweep_fetched(layout: StorageLayout) -> None:
    """Remove the copies of films that dead processes had fetched to this machine."""
    folders = JobFolders(layout.inbox)
    if folders.root.is_dir():
        with folders.gate():
            folders.remove_orphans()


def sweep_inbox(database: Database, objects: ObjectStore) -> int:
    """Remove what no job needs any more.

    Returns:
        How many objects.
    """
    # In this order: whoever queues the same content from now on makes it fresh.
    before = objects.now()
    if isinstance(objects, RecordsObjects):
        names = objects.recorded(f"{INBOX}/")
    else:
        names = {one.key for one in objects.objects(f"{INBOX}/")}
    with database.read() as connection:
        unneeded = [name for name in sorted(names) if not _is_needed(connection, _content_of(name))]
    return sum(objects.delete(name, stored_before=before) for name in unneeded)


def release(database: Database, objects: ObjectStore, wanted: Mapping[str, object]) -> None:
    """A job is done: remove its files, unless another job names them."""
    named = wanted.get("inbox")
    remove_unneeded(database, objects, named.values() if isinstance(named, dict) else ())


def remove_unneeded(database: Database, objects: ObjectStore, contents: Iterable[str]) -> None:
    """Remove those of some files that nothing names any more."""
    before = objects.now()
    for content in set(contents):
        with database.read() as connection:
            is_needed = _is_needed(connection, content)
        if not is_needed:
            objects.delete(inbox_key(content), stored_before=before)


def fetch(objects: ObjectStore, content: str, target: Path) -> None:
    """Bring a file of the inbox here.

    Args:
        content: Its SHA-256 in hexadecimal digits.
        target: Where it is written; its folder exists.

    Raises:
        UnreadableError: It is not in the inbox, or not what it should be.
        DiskFullError: There is no room for it.
        OSError: The store does not answer.
    """
    try:
        here = local_path(objects, inbox_key(content))
        if here is None or not has_linked(here, target):
            _copy(objects, content, target)
    except FileNotFoundError as error:
        raise UnreadableError(LOST) from error
    if hash_file(target) != content:
        raise UnreadableError(LOST)


def has_linked(source: Path, target: Path) -> bool:
    """Whether the file is there by a second name: a copy would take as much room again.

    Raises:
        FileNotFoundError: There is no such file.
    """
    try:
        target.hardlink_to(source)
    except FileNotFoundError:
        raise
    except OSError:  # A file system that cannot.
        return False
    return True


def _is_needed(connection: sa.Connection, content: str) -> bool:
    return is_named(connection, content) or names_content(connection, content)


def _files_of(item: Item, beside: Beside) -> dict[str, Path]:
    """The video first, then what goes with it, by its path from the video's folder."""
    folder = item.source.parent
    files = {item.source.name: item.source}
    for path in sorted(beside.files):
        if path.is_file() and path.is_relative_to(folder):
            files[path.relative_to(folder).as_posix()] = path
    if item.cover is not None:
        files[f"{COVER_FOLDER}/{item.cover.name}"] = item.cover
    return files


def _content_of(name: str) -> str:
    return name.removeprefix(f"{INBOX}/")


def _copy(objects: ObjectStore, content: str, target: Path) -> None:
    with opened(objects, inbox_key(content)) as found, target.open("wb") as file:
        require_room(target.parent, found.size)
        for piece in chunks_of(found):
            file.write(piece)
