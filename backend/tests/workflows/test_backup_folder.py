"""The folder of backups: whatever has a name in it is whole."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from liuying.installation.services import Services
from liuying.kit.errors import NotFoundError
from liuying.workflows.backup_archive import BackupError, Report, verify
from liuying.workflows.backup_folder import (
    find_backup,
    list_backups,
    make_backup,
    prune_scheduled,
)
from tests.cli.test_backup import write_files


class Usage(NamedTuple):
    """As `shutil.disk_usage` tells it, in bytes."""

    total: int
    used: int
    free: int


def made(services: Services, prefix: str = "liuying") -> Path:
    path, _ = make_backup(
        services,
        services.settings.backups,
        prefix,
        lambda _count: None,
        lambda _text, _total: None,
        with_media=True,
        with_originals=True,
    )
    return path


def content(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


@pytest.mark.data_folder("its media are in the backup; a bucket is not written into one")
def test_a_backup_is_read_back_before_it_has_its_name(filled: Services) -> None:
    write_files(filled)
    stages = []
    path, done = make_backup(
        filled,
        filled.settings.backups,
        "liuying",
        lambda _count: stages.append(content(filled.settings.backups)),
        lambda text, _total: stages.append([text]),
        with_media=True,
        with_originals=True,
    )
    assert stages[0] == ["写入"]
    assert ["读回核对"] in stages
    assert all(path.name not in names for names in stages)
    found = list_backups(filled.settings.backups)
    assert [(one.name, one.bytes, one.fault) for one in found] == [
        (path.name, path.stat().st_size, "")
    ]
    assert found[0].about is not None
    assert found[0].about.has_media
    assert path.stat().st_mode & 0o777 == 0o600
    assert done.files > 2


def test_a_full_disk_leaves_no_half_file(filled: Services) -> None:
    folder = filled.settings.backups
    first = made(filled)

    def fill(_count: int) -> None:
        raise OSError(errno.ENOSPC, "no space")

    with pytest.raises(OSError, match="no space"):
        make_backup(
            filled,
            folder,
            "liuying",
            fill,
            lambda _text, _total: None,
            with_media=True,
            with_originals=True,
        )
    assert content(folder) == [first.name]


def test_a_disk_without_room_is_said_before_anything_is_written(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**9, 10**9, 10**6))
    with pytest.raises(BackupError, match="磁盘空间不足"):
        made(filled)
    assert content(filled.settings.backups) == []


def test_a_backup_that_reads_back_otherwise_gets_no_name(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def corrupt(file: IO[bytes], report: Report) -> int:
        path = next((filled.settings.backups / ".unfinished").glob("*.tar"))
        with path.open("r+b") as damaged:
            damaged.seek(path.stat().st_size // 2)
            damaged.write(b"damaged")
        return verify(file, report)

    monkeypatch.setattr("liuying.workflows.backup_folder.verify", corrupt)
    with pytest.raises(BackupError, match=r"损坏|不允许"):
        made(filled)
    assert content(filled.settings.backups) == []


def test_only_the_oldest_scheduled_backups_go(services: Services) -> None:
    folder = services.settings.backups
    paths = [made(services, prefix) for prefix in ("auto", "auto", "auto", "liuying", "auto")]
    for age, path in enumerate(reversed(paths)):
        os.utime(path, (1_800_000_000 - age, 1_800_000_000 - age))
    removed = prune_scheduled(folder, 2, {paths[0].name})
    assert removed == [paths[1].name]
    assert content(folder) == sorted(path.name for path in paths if path.name not in removed)


@pytest.mark.parametrize(
    "name", ["../secrets.json", ".hidden.tar", "x", "link.tar", "folder.tar", "", "a" * 200]
)
def test_no_other_file_is_found(services: Services, name: str) -> None:
    folder = services.settings.backups
    folder.mkdir()
    (folder / "link.tar").symlink_to(services.layout.secrets)
    (folder / "folder.tar").mkdir()
    assert list_backups(folder) == []
    with pytest.raises(NotFoundError):
        find_backup(folder, name)


def test_a_file_that_is_no_backup_says_so(services: Services) -> None:
    folder = services.settings.backups
    folder.mkdir()
    (folder / "holiday.tar").write_bytes(b"x" * 2000)
    (folder / "empty.tar").touch()
    assert {(one.name, one.about, one.fault) for one in list_backups(folder)} == {
        ("holiday.tar", None, "不是流影的备份"),
        ("empty.tar", None, "不是流影的备份"),
    }
