"""Replacing an installation by a backup.

Everything is unpacked and verified beside the old data first. The exchange itself is a few renames
with two marks on disk, so that after a kill the next start finishes it (`finish_restore`):

`.restoring-…` while it is filled (removed by the next restore) → `.restoring`: the old data are
moved aside → `.restored`: the new ones are moved in → neither.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path
from tempfile import mkdtemp

import msgspec

from liuying.kit.clock import Milliseconds, to_iso
from liuying.kit.database import Database
from liuying.kit.files import OWNER_ONLY, sync_folder, sync_tree
from liuying.kit.object_keys import MEDIA, ORIGINALS, PICTURES
from liuying.kit.secrets import SecretsError, load_secrets
from liuying.kit.storage_layout import FILLING_PREFIX, SECRETS_NAME, StorageLayout
from liuying.workflows.backup_archive import ABOUT_NAME, About, BackupError, Report, unpack
from liuying.workflows.database_copy import (
    POSTGRESQL_NAME,
    SQLITE_NAME,
    check_postgresql,
    check_sqlite,
    load_postgresql,
)

RESERVED_BYTES = 256 * 1024 * 1024


def restore_backup(
    layout: StorageLayout,
    database: Database | None,
    source: Path,
    revisions: Collection[str],
    now: Milliseconds,
    report: Report,
) -> tuple[About, Path | None]:
    """Replace the contents of the data folder and the database by those of a backup. Hold the
    folder exclusively meanwhile.

    Args:
        database: A PostgreSQL database; None if the database is SQLite in the folder.
        revisions: The migrations that this version knows.
        now: Names the folder of the old data.
        report: Told of bytes unpacked.

    Returns:
        What was restored, and the folder to which the old data were moved; None if there were none.

    Raises:
        BackupError: The backup is unusable or does not fit this installation. The old data are
            unchanged.
        OSError: The disk is full, or something is not readable. The old data are unchanged.
    """
    for leftover in layout.data_dir.glob(f"{FILLING_PREFIX}*"):
        shutil.rmtree(leftover)
    if shutil.disk_usage(layout.data_dir).free < source.stat().st_size + RESERVED_BYTES:
        raise BackupError("磁盘空间不足：恢复前会先把备份完整解开")
    staged = Path(mkdtemp(prefix=FILLING_PREFIX, dir=layout.data_dir))
    try:
        with source.open("rb") as file:
            about = unpack(file, staged, report)
        _check(staged, about, revisions, database)
        held = {
            PICTURES: about.has_pictures,
            MEDIA: about.has_media,
            ORIGINALS: about.has_originals,
        }
        for name in (name for name, is_held in held.items() if is_held):
            (staged / name).mkdir(
                exist_ok=True
            )  # Even if the backup has none: the old ones must be moved aside.
        if about.has_originals:
            (staged / ORIGINALS).chmod(0o700)
        sync_tree(staged)
        if database is not None:
            load_postgresql(database, staged / POSTGRESQL_NAME)
        os.rename(staged, layout.moving_out)  # noqa: PTH104 - from here on it will be done
    except BaseException:
        shutil.rmtree(staged, ignore_errors=True)
        raise
    sync_folder(layout.data_dir)
    return about, finish_restore(layout, now)


def finish_restore(layout: StorageLayout, now: Milliseconds) -> Path | None:
    """Finish an exchange that was begun, if any. Hold the folder exclusively.

    Returns:
        The folder to which the old data were moved.
    """
    old = _unused(layout.old_data(to_iso(now).replace(":", "")))
    moving_out, moving_in = layout.moving_out, layout.moving_in
    if moving_out.is_dir():
        brought = (layout.media, layout.originals, layout.pictures)
        held = [place for place in brought if (moving_out / place.name).is_dir()]
        found = [place for place in [*layout.replaced, *held] if place.exists()]
        if found:
            old.mkdir(mode=0o700)
        for place in found:
            place.rename(old / place.name)
        sync_folder(layout.data_dir)
        moving_out.rename(moving_in)
    if not moving_in.is_dir():
        return None
    (moving_in / POSTGRESQL_NAME).unlink(missing_ok=True)
    if (moving_in / ABOUT_NAME).exists():
        (moving_in / ABOUT_NAME).rename(layout.restored_from)
    for entry in list(moving_in.iterdir()):
        entry.rename(layout.at(entry.name))
    moving_in.rmdir()
    sync_folder(layout.data_dir)
    return old if old.is_dir() else None


def take_restore_note(layout: StorageLayout) -> About | None:
    """Which backup was restored since this was asked last; None if none was."""
    try:
        about = msgspec.json.decode(layout.restored_from.read_bytes(), type=About)
    except (OSError, msgspec.DecodeError):
        about = None
    layout.restored_from.unlink(missing_ok=True)
    return about


def _unused(folder: Path) -> Path:
    """The folder's name, with a number if it exists: two restores may happen within one second."""
    number, found = 1, folder
    while found.exists():
        number += 1
        found = folder.with_name(f"{folder.name}-{number}")
    return found


def _check(
    staged: Path, about: About, revisions: Collection[str], database: Database | None
) -> None:
    engine = "sqlite" if database is None else "postgresql"
    if about.engine != engine:
        raise BackupError(
            f"备份来自 {about.engine} 数据库，不能恢复到 {engine}：请改 LIUYING_DATABASE_URL"
        )
    if about.revision not in revisions:
        raise BackupError("备份来自更新的版本，请先升级流影")
    if not (staged / SECRETS_NAME).is_file():
        raise BackupError("备份里没有密钥文件")
    (staged / SECRETS_NAME).chmod(OWNER_ONLY)
    try:
        load_secrets(staged / SECRETS_NAME)
    except SecretsError as error:
        raise BackupError("备份里的密钥文件有误") from error
    name = SQLITE_NAME if database is None else POSTGRESQL_NAME
    if not (staged / name).is_file():
        raise BackupError("备份里没有数据库")
    (staged / name).chmod(OWNER_ONLY)
    if database is None:
        check_sqlite(staged / name)
    else:
        check_postgresql(staged / name)
