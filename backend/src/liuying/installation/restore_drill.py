"""Restoring a backup into a fresh folder, and examining what came of it.

It is the same restore as `liuying restore`, followed by the same start as the site's and by the
same examination as `liuying doctor`. The running installation is only counted.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import msgspec

from liuying.installation.doctor import examine
from liuying.installation.migrating import bring_up_to_date, known_revisions
from liuying.installation.services import Services, open_services
from liuying.kit.storage_layout import StorageLayout
from liuying.workflows.backup_archive import About, Report
from liuying.workflows.backup_folder import Stage
from liuying.workflows.doctor.findings import Finding, Severity
from liuying.workflows.queries.counted_rows import count_rows
from liuying.workflows.restore import restore_backup

# What the examination says of the data; the rest it says of the machine and the settings.
OF_DATA = ("secrets", "database", "migrations", "media-", "picture-", "video-number", "search-")


class Counted(msgspec.Struct, frozen=True):
    """How many there are of something, in the backup and in the running installation."""

    name: str
    restored: int
    running: int


class DrillResult(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a drill.

    Attributes:
        created_at: When the backup was made.
        seconds: From the first byte read to the last finding.
        files: Files whose SHA-256 was compared with the backup's manifest; all were equal.
        bytes: Their total size.
        has_media: Whether the backup contains the videos' files.
        counts: Rows of the restored database and of the running one.
        findings: Warnings and errors about the restored data.
        summary: All that in a sentence.
    """

    created_at: str
    seconds: float
    files: int
    bytes: int
    has_media: bool
    counts: list[Counted]
    findings: list[Finding]
    summary: str


def drill_restore(
    running: Services, source: Path, folder: Path, report: Report, stage: Stage
) -> DrillResult:
    """Restore a backup of a SQLite installation into a folder that does not exist yet. On any error
    nothing of it is left.

    Args:
        report: Told of bytes unpacked.
        stage: Told what is being done.

    Raises:
        BackupError: The backup is unusable.
        OSError: The disk is full, or something is not readable.
    """
    began = time.monotonic()
    folder.mkdir(mode=0o700, parents=True)
    try:
        stage("解开并核对校验和", source.stat().st_size)
        about, _ = restore_backup(
            StorageLayout(folder), None, source, known_revisions(), running.clock(), report
        )
        files, size = _tree(folder)
        stage("启动并体检", 0)
        counts, findings = _examined(running, folder, about)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    seconds = round(time.monotonic() - began, 1)
    told = f"{len(findings)} 个问题" if findings else "没有发现问题"
    return DrillResult(
        created_at=about.created_at,
        seconds=seconds,
        files=files,
        bytes=size,
        has_media=about.has_media,
        counts=counts,
        findings=findings,
        summary=f"用时 {seconds} 秒，{files} 个文件的校验和全部相符，{told}",
    )


def _examined(running: Services, folder: Path, about: About) -> tuple[list[Counted], list[Finding]]:
    settings = msgspec.structs.replace(
        running.settings, data_dir=folder, database_url="", store="", secrets=""
    )
    restored = open_services(settings, running.clock)
    try:
        bring_up_to_date(restored)
        with restored.database.read() as connection:
            found = count_rows(connection)
    finally:
        restored.database.close()
    with running.database.read() as connection:
        now = count_rows(connection)
    counts = [Counted(name, number, now[name]) for name, number in found.items()]
    findings = [
        one
        for one in examine(settings, running.clock, is_quick=False)
        if one.severity is not Severity.INFO and _is_meant(one.topic, about)
    ]
    return counts, findings


def _is_meant(topic: str, about: About) -> bool:
    """Whether a finding tells of what the backup has."""
    if topic.startswith("media-"):
        return about.has_media
    if topic.startswith("picture-"):
        return about.has_pictures
    return topic.startswith(OF_DATA)


def _tree(folder: Path) -> tuple[int, int]:
    """Files below a folder, and their bytes."""
    sizes = [
        Path(parent, name).stat().st_size
        for parent, _folders, names in os.walk(folder)
        for name in names
    ]
    return len(sizes), sum(sizes)
