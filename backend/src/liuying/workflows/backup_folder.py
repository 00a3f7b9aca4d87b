"""The folder of the backups that the console makes: what is in it, and adding to it.

A backup is written in a folder below and moved into this one when it is whole and was read back:
whatever has a name here is whole. Restores that were drilled lie in another folder below.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Collection
from pathlib import Path

import msgspec

from liuying.kit.clock import Milliseconds, to_iso
from liuying.kit.errors import NotFoundError
from liuying.kit.files import sync_folder
from liuying.kit.object_store import RecordsObjects
from liuying.workflows.backup import BackupReport, Installation, write_backup
from liuying.workflows.backup_archive import About, BackupError, Report, read_about, verify
from liuying.workflows.storage import COVERS, DATABASE, ORIGINAL_FILES, WORK, measure_storage

NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,99}\.tar")
DRILL_NAME = re.compile(r"[0-9]{8}-[0-9]{6}")
UNFINISHED, DRILLS = ".unfinished", "drills"
ASKED, SCHEDULED = "liuying", "auto"
WITHOUT_MEDIA = (COVERS, DATABASE)
RESERVED_BYTES = 256 * 1024 * 1024
# Told what is being done, in Chinese, and how many bytes that will be; 0 where that is unknown.
Stage = Callable[[str, int], None]


class StoredBackup(msgspec.Struct, frozen=True):
    """A backup in the folder.

    Attributes:
        name: Of the file.
        bytes: Its size.
        changed_ns: When it was written, nanoseconds since 1970.
        about: What it says of itself; None where it cannot be read.
        fault: Why, in Chinese.
    """

    name: str
    bytes: int
    changed_ns: int
    about: About | None
    fault: str = ""

    @property
    def is_scheduled(self) -> bool:
        return self.name.startswith(f"{SCHEDULED}-")


def list_backups(folder: Path) -> list[StoredBackup]:
    """Newest first. Only the first bytes of each are read."""
    found = [
        _stored(path)
        for path in (folder.glob("*.tar") if folder.is_dir() else ())
        if NAME.fullmatch(path.name) and path.is_file() and not path.is_symlink()
    ]
    return sorted(found, key=lambda one: (one.changed_ns, one.name), reverse=True)


def find_backup(folder: Path, name: str) -> Path:
    """The file of a backup.

    Raises:
        NotFoundError: There is none of that name.
    """
    path = folder / name
    if NAME.fullmatch(name) is None or path.is_symlink() or not path.is_file():
        raise NotFoundError("没有这个备份，可能已经删除")
    return path


def make_backup(
    installation: Installation,
    folder: Path,
    prefix: str,
    report: Report,
    stage: Stage,
    *,
    with_media: bool,
    with_originals: bool,
) -> tuple[Path, BackupReport]:
    """Write a backup, read it back, and give it its name. Nobody else may do so meanwhile.

    Raises:
        BackupError: It cannot be written, or reads back otherwise.
        OSError: The folder is not writable, or the disk full.
    """
    clear_unfinished(folder)
    is_elsewhere = isinstance(installation.objects, RecordsObjects)
    with_media = with_media and not is_elsewhere
    with_originals = with_originals and with_media
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    expected = _expected(installation, with_media=with_media, with_originals=with_originals)
    _require_room(folder, expected)
    (unfinished := folder / UNFINISHED).mkdir(mode=0o700, exist_ok=True)
    target = _unused(folder, f"{prefix}-{_stamp(installation.clock())}")
    draft = unfinished / target.name
    try:
        stage("写入", expected)
        done = write_backup(
            installation,
            draft,
            report,
            with_media=with_media,
            with_originals=with_originals,
            with_pictures=not is_elsewhere,
        )
        stage("读回核对", done.bytes)
        with draft.open("rb") as file:
            verify(file, report)
        draft.rename(target)
        sync_folder(folder)
    finally:
        clear_unfinished(folder)
    return target, done


def clear_unfinished(folder: Path) -> None:
    """Remove what a backup that was killed left."""
    shutil.rmtree(folder / UNFINISHED, ignore_errors=True)


def prune_scheduled(folder: Path, kept: int, spared: Collection[str]) -> list[str]:
    """Remove the oldest scheduled backups; others are never removed by themselves.

    Args:
        kept: How many stay.
        spared: Names of those in use.

    Returns:
        Names of the removed ones.
    """
    old = [one.name for one in list_backups(folder) if one.is_scheduled][kept:]
    removed = [name for name in old if name not in spared]
    for name in removed:
        (folder / name).unlink(missing_ok=True)
    return removed


def new_drill_name(folder: Path, now: Milliseconds) -> str:
    """A name of a drill that no folder has."""
    name = _stamp(now)
    while (folder / DRILLS / name).exists():
        now += 1000
        name = _stamp(now)
    return name


def drill_folder(folder: Path, name: str) -> Path:
    """The folder of a drill; it need not exist.

    Raises:
        NotFoundError: No drill is called so.
    """
    if DRILL_NAME.fullmatch(name) is None:
        raise NotFoundError("没有这次演练的文件，可能已经删除")
    return folder / DRILLS / name


def remove_drill(folder: Path, name: str) -> None:
    """Remove what a drill restored.

    Raises:
        NotFoundError: It is not there.
    """
    place = drill_folder(folder, name)
    if not place.is_dir():
        raise NotFoundError("没有这次演练的文件，可能已经删除")
    shutil.rmtree(place)


def _stored(path: Path) -> StoredBackup:
    found = path.stat()
    try:
        with path.open("rb") as file:
            about, fault = read_about(file), ""
    except (BackupError, OSError) as error:
        about, fault = None, str(error)
    return StoredBackup(path.name, found.st_size, found.st_mtime_ns, about, fault)


def _expected(installation: Installation, *, with_media: bool, with_originals: bool) -> int:
    """About how many bytes a backup takes."""
    with installation.database.read() as connection:
        stored = measure_storage(connection, installation.layout, installation.objects)
    sizes = {one.kind: one.bytes for one in stored if one.kind != WORK}
    if not with_originals:
        sizes.pop(ORIGINAL_FILES, None)
    if not with_media:
        sizes = {kind: sizes[kind] for kind in WITHOUT_MEDIA if kind in sizes}
    return sum(sizes.values())


def _require_room(folder: Path, expected: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < expected + RESERVED_BYTES:
        raise BackupError(
            f"磁盘空间不足：备份约需 {expected / 1e9:.1f} GB，{folder} 所在的磁盘剩余 "
            f"{free / 1e9:.1f} GB"
        )


def _stamp(now: Milliseconds) -> str:
    """`20261125-040000`, UTC."""
    return to_iso(now).replace("-", "").replace(":", "").replace("T", "-").removesuffix("Z")


def _unused(folder: Path, stem: str) -> Path:
    number, path = 1, folder / f"{stem}.tar"
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.tar"
    return path
