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

from liuying import __version__
from liuying.core.playback.queries.assets import visible_assets
from liuying.kit.clock import Clock, to_iso
from liuying.kit.database import Database
from liuying.kit.files import OWNER_ONLY, atomic_write
from liuying.workflows.backup_archive import ABOUT_NAME, About, ArchiveWriter, Report
from liuying.workflows.database_copy import copy_database, revision_of
from liuying.workflows.leftovers import media_root
from liuying.workflows.originals import FOLDER as ORIGINALS
from liuying.workflows.originals import original_of

SECRETS_NAME = "secrets.json"


class Installation(Protocol):
    """What a backup needs."""

    @property
    def database(self) -> Database: ...
    @property
    def data_dir(self) -> Path: ...
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
            archive.add(SECRETS_NAME, installation.data_dir / SECRETS_NAME)
            missing = _add_media(installation, copy, archive) if with_media else []
            _add_pictures(installation.data_dir, archive)
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
            return visible_assets(connection)
    finally:
        if source is not database:
            source.close()


def _add_media(installation: Installation, copy: Path, archive: ArchiveWriter) -> list[str]:
    missing = []
    for key, is_protected in _assets(installation, copy):
        place = "protected" if is_protected else "public"
        try:
            files = list(_files_of(installation.data_dir, key))
            for name in files:
                _add_moving(
                    installation.data_dir, archive, f"media/{place}/{key}/{name}", f"{key}/{name}"
                )
        except FileNotFoundError:
            files = []
        if not files:
            missing.append(key)
    return missing


def _files_of(data_dir: Path, key: str) -> Iterator[str]:
    """Names below an asset's folder, wherever it lies now."""
    for is_protected in (False, True):
        folder = media_root(data_dir, is_protected=is_protected) / key
        for parent, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith("."):
                    yield str(Path(parent, name).relative_to(folder))


def _add_moving(data_dir: Path, archive: ArchiveWriter, name: str, path: str) -> None:
    """Add a file that may move between open and protected while it is looked for."""
    places = [
        media_root(data_dir, is_protected=is_protected) / path
        for is_protected in (False, True, False)
    ]
    for place in places[:-1]:
        try:
            return archive.add(name, place)
        except FileNotFoundError:
            continue
    return archive.add(name, places[-1])


def _add_originals(installation: Installation, copy: Path, archive: ArchiveWriter) -> None:
    for key, _ in _assets(installation, copy):
        if (file := original_of(installation.data_dir, key)) is None:
            continue
        try:
            archive.add(f"{ORIGINALS}/{key}/{file.name}", file)
        except FileNotFoundError:  # its video was removed meanwhile
            continue


def _add_pictures(data_dir: Path, archive: ArchiveWriter) -> None:
    root = data_dir / "enc"
    for path in sorted(root.glob("*/*.bin")):
        if path.name.startswith(".") or path.is_symlink():
            continue
        try:
            archive.add(f"enc/{path.relative_to(root)}", path)
        except FileNotFoundError:  # its video was removed meanwhile
            continue
