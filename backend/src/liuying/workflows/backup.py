"""Writing a backup while the site serves.

The database is copied first; files are then taken for what the copy mentions. Published files never
change, so they fit the copy however long they take; what was removed meanwhile is counted, and
said.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import msgspec
import sqlalchemy as sa

from liuying import __version__
from liuying.core.playback.tables import asset
from liuying.kit.clock import Clock, to_iso
from liuying.kit.database import Database
from liuying.kit.files import OWNER_ONLY, atomic_write
from liuying.kit.object_keys import PICTURES, asset_prefix, original_prefix
from liuying.kit.storage_layout import SECRETS_NAME, StorageLayout
from liuying.workflows.backup_archive import ABOUT_NAME, About, ArchiveWriter, Report
from liuying.workflows.database_copy import copy_database, revision_of
from liuying.workflows.originals import original_of

VISIBLE = ("low", "complete")


class Installation(Protocol):
    """What a backup needs."""

    @property
    def database(self) -> Database: ...
    @property
    def layout(self) -> StorageLayout: ...
    @property
    def clock(self) -> Clock: ...


class BackupReport(msgspec.Struct, frozen=True):
    """What a backup holds.

    Attributes:
        files: Members, the manifest left out.
        bytes: Of these files.
        missing: Keys of assets whose files were not to be found.
    """

    files: int
    bytes: int
    missing: list[str]


def write_backup(
    installation: Installation,
    target: Path,
    report: Report,
    *,
    with_media: bool,
    with_originals: bool,
) -> BackupReport:
    """Write everything that must survive into one file, readable by its owner alone.

    It appears whole or not at all: it is written beside `target` under another name, and renamed.

    Args:
        target: The file; one that is there is replaced.
        report: Told of bytes written.
        with_media: Whether the videos' files go in; pictures, database and secrets always do.
        with_originals: Whether the kept originals do.

    Raises:
        BackupError: The database cannot be copied.
        OSError: The folder is not writable, or the disk full.
    """
    with TemporaryDirectory(prefix=".liuying-backup-", dir=target.absolute().parent) as scratch:
        copy = copy_database(installation.database, Path(scratch))
        with atomic_write(target, mode=OWNER_ONLY) as file, ArchiveWriter(file, report) as archive:
            archive.add_bytes(
                ABOUT_NAME, msgspec.json.encode(_about(installation, with_media, with_originals))
            )
            archive.add(copy.name, copy)
            archive.add(SECRETS_NAME, installation.layout.secrets)
            missing = _add_media(installation, copy, archive) if with_media else []
            _add_pictures(installation.layout, archive)
            if with_originals:
                _add_originals(installation, copy, archive)
            archive.finish()
    return BackupReport(archive.files, archive.bytes, missing)


def _about(installation: Installation, with_media: bool, with_originals: bool) -> About:
    return About(
        form=1,
        engine="sqlite" if installation.database.is_sqlite else "postgresql",
        revision=revision_of(installation.database),
        has_media=with_media,
        has_originals=with_originals,
        created_at=to_iso(installation.clock()),
        version=__version__,
    )


def _assets(installation: Installation, copy: Path) -> list[tuple[str, bool]]:
    """Keys of what visitors can see, and whether it is protected: as the copy has it where it can
    be read.
    """
    database = installation.database
    source = Database(f"sqlite:///{copy}") if database.is_sqlite else database
    try:
        with source.engine.connect() as connection:
            found = connection.execute(
                sa.select(asset.c.key, asset.c.is_protected)
                .where(asset.c.state.in_(VISIBLE))
                .order_by(asset.c.key)
            )
            return [(row.key, row.is_protected) for row in found]
    finally:
        if source is not database:
            source.close()


def _add_media(installation: Installation, copy: Path, archive: ArchiveWriter) -> list[str]:
    missing = []
    for key, is_protected in _assets(installation, copy):
        prefix = asset_prefix(key, is_protected=is_protected)
        try:
            files = list(_files_of(installation.layout, key))
            for name in files:
                _add_moving(
                    installation.layout,
                    archive,
                    f"{prefix}{name}",
                    f"{key}/{name}",
                )
        except FileNotFoundError:
            files = []
        if not files:
            missing.append(key)
    return missing


def _files_of(layout: StorageLayout, key: str) -> Iterator[str]:
    """Names below an asset's folder, wherever it lies now."""
    for is_protected in (False, True):
        folder = layout.media_root(is_protected=is_protected) / key
        for parent, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith("."):
                    yield str(Path(parent, name).relative_to(folder))


def _add_moving(layout: StorageLayout, archive: ArchiveWriter, name: str, path: str) -> None:
    """Add a file that may move between open and protected while it is looked for."""
    places = [
        layout.media_root(is_protected=is_protected) / path for is_protected in (False, True, False)
    ]
    for place in places[:-1]:
        try:
            return archive.add(name, place)
        except FileNotFoundError:
            continue
    return archive.add(name, places[-1])


def _add_originals(installation: Installation, copy: Path, archive: ArchiveWriter) -> None:
    for key, _ in _assets(installation, copy):
        if (file := original_of(installation.layout, key)) is None:
            continue
        try:
            archive.add(f"{original_prefix(key)}{file.name}", file)
        except FileNotFoundError:  # its video was removed meanwhile
            continue


def _add_pictures(layout: StorageLayout, archive: ArchiveWriter) -> None:
    root = layout.pictures
    for path in sorted(root.glob("*/*.bin")):
        if path.name.startswith(".") or path.is_symlink():
            continue
        try:
            archive.add(f"{PICTURES}/{path.relative_to(root)}", path)
        except FileNotFoundError:  # its video was removed meanwhile
            continue
