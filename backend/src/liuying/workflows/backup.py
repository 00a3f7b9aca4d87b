"""Writing a backup while the site serves.

The database is copied first, then the files that the copy mentions. Published files never change,
so they fit the copy however long this takes. Files removed meanwhile are counted and reported.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import msgspec

from liuying import __version__
from liuying.core.playback.queries.assets import visible_assets
from liuying.kit.clock import Clock, to_iso
from liuying.kit.database import Database
from liuying.kit.files import OWNER_ONLY, atomic_write
from liuying.kit.object_keys import PICTURE_SUFFIX, PICTURES, SPLIT_MEDIA, MediaPlace
from liuying.kit.object_store import ObjectStore
from liuying.kit.secrets import SecretFile, format_secrets
from liuying.kit.storage_layout import SECRETS_NAME, StorageLayout
from liuying.workflows.backup_archive import ABOUT_NAME, About, ArchiveWriter, Report
from liuying.workflows.database_copy import copy_database, revision_of
from liuying.workflows.originals import original_of


class Installation(Protocol):
    """What a backup needs of an installation."""

    @property
    def database(self) -> Database: ...
    @property
    def layout(self) -> StorageLayout: ...
    @property
    def secrets(self) -> SecretFile: ...
    @property
    def objects(self) -> ObjectStore: ...
    @property
    def clock(self) -> Clock: ...


class BackupReport(msgspec.Struct, frozen=True):
    """What a backup holds.

    Attributes:
        files: Number of members, without the manifest.
        bytes: Total size of these files.
        missing: Keys of assets with missing files.
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
    with_pictures: bool = True,
) -> BackupReport:
    """Write everything that must survive into one file that only its owner can read.

    It appears whole or not at all: it is written beside `target` under another name, then renamed.

    Args:
        target: The file; an existing one is replaced.
        report: Told of bytes written.
        with_media: Whether to include the videos' files; database and secrets are always included.
        with_originals: Whether to include the kept originals.
        with_pictures: Whether to include the encrypted pictures; not if a bucket keeps them.

    Raises:
        BackupError: The database cannot be copied.
        OSError: The folder is not writable, or the disk full.
    """
    with TemporaryDirectory(prefix=".liuying-backup-", dir=target.absolute().parent) as scratch:
        copy = copy_database(installation.database, Path(scratch))
        with atomic_write(target, mode=OWNER_ONLY) as file, ArchiveWriter(file, report) as archive:
            archive.add_bytes(
                ABOUT_NAME,
                msgspec.json.encode(
                    msgspec.structs.replace(
                        _about(installation, with_media, with_originals),
                        has_pictures=with_pictures,
                    )
                ),
            )
            archive.add(copy.name, copy)
            archive.add_bytes(SECRETS_NAME, format_secrets(installation.secrets))
            missing = _add_media(installation, copy, archive) if with_media else []
            if with_pictures:
                _add_pictures(installation.objects, archive)
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


def _assets(installation: Installation, copy: Path) -> dict[str, MediaPlace]:
    """The place of each asset of which something is playable, from the copy if it can be read."""
    database = installation.database
    source = Database(f"sqlite:///{copy}") if database.is_sqlite else database
    try:
        with source.engine.connect() as connection:
            return visible_assets(connection)
    finally:
        if source is not database:
            source.close()


def _add_media(installation: Installation, copy: Path, archive: ArchiveWriter) -> list[str]:
    objects, missing = installation.objects, []
    for key, place in _assets(installation, copy).items():
        prefix = SPLIT_MEDIA.prefix(key, place)
        try:
            names = _names_of(objects, key)
            for name in names:
                _add_moving(objects, archive, f"{prefix}{name}", f"{key}/{name}")
        except FileNotFoundError:
            names = []
        if not names:
            missing.append(key)
    return missing


def _names_of(objects: ObjectStore, key: str) -> list[str]:
    """Names of an asset's files, wherever they are now."""
    prefixes = objects.media.prefixes(key)
    return [
        name
        for prefix in prefixes
        for name in sorted(one.key.removeprefix(prefix) for one in objects.objects(prefix))
    ]


def _add_moving(objects: ObjectStore, archive: ArchiveWriter, name: str, path: str) -> None:
    """Add a file that may move between its places meanwhile."""
    order = [*MediaPlace, *MediaPlace]
    places = [objects.media.key(path, place) for place in order]
    for place in places[:-1]:
        try:
            return archive.add_object(name, objects, place)
        except FileNotFoundError:
            continue
    return archive.add_object(name, objects, places[-1])


def _add_originals(installation: Installation, copy: Path, archive: ArchiveWriter) -> None:
    for key in _assets(installation, copy):
        if (found := original_of(installation.objects, key)) is None:
            continue
        # Its video may be removed meanwhile.
        with suppress(FileNotFoundError):
            archive.add_object(found.key, installation.objects, found.key)


def _add_pictures(objects: ObjectStore, archive: ArchiveWriter) -> None:
    for key in sorted(one.key for one in objects.objects(f"{PICTURES}/")):
        if not key.endswith(PICTURE_SUFFIX):
            continue
        # Its video may be removed meanwhile.
        with suppress(FileNotFoundError):
            archive.add_object(key, objects, key)
