"""What a run of each kind does: the workflows of the command line."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from liuying.features.maintenance.rules import Kind
from liuying.features.maintenance.service import schedule_of
from liuying.features.search.queries.documents import unindexed_ids, unlisted_ids
from liuying.installation.doctor import examine
from liuying.installation.restore_drill import drill_restore
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.errors import LiuyingError
from liuying.workflows.backup_folder import (
    ASKED,
    SCHEDULED,
    drill_folder,
    find_backup,
    make_backup,
    prune_scheduled,
)
from liuying.workflows.doctor.files import find_orphans
from liuying.workflows.doctor.findings import Finding, Severity, some
from liuying.workflows.indexing import build_index, recount_names, reindex_videos
from liuying.workflows.mending import find_uneven, mend_video
from liuying.workflows.protection import restore_places
from liuying.workflows.repacking import repack_video, segmented_videos

BATCH = 200


class StoppedError(Exception):
    """Nobody wants the run any more."""


class Progress:
    """How far a run is. Its thread writes, others read; `stop` ends it at the next piece."""

    def __init__(self) -> None:
        self.stage = ""
        self.done = 0
        self.total = 0
        self._is_unwanted = threading.Event()

    def begin(self, stage: str, total: int) -> None:
        """Another stage, with so many bytes; 0 where that is unknown."""
        self.check()
        self.stage, self.done, self.total = stage, 0, total

    def advance(self, count: int) -> None:
        """So many bytes more.

        Raises:
            StoppedError: The run is unwanted.
        """
        self.check()
        self.done += count

    def check(self) -> None:
        """Raises `StoppedError` where the run is unwanted."""
        if self._is_unwanted.is_set():
            raise StoppedError

    def stop(self) -> None:
        """Make it unwanted."""
        self._is_unwanted.set()


class BackupResult(msgspec.Struct, frozen=True):
    """A backup that was read back.

    Attributes:
        file: Its name.
        bytes: The file's size, and
        changed_ns: when it was written: whether the file is still the one that was read back.
    """

    file: str
    bytes: int
    changed_ns: int
    summary: str


class VerifiedDrill(msgspec.Struct, frozen=True):
    """What a drill found, and which file was drilled, likewise."""

    file: str
    bytes: int
    changed_ns: int
    folder: str
    found: Any
    summary: str


class DoctorResult(msgspec.Struct, frozen=True):
    """What the doctor found, errors first."""

    findings: list[Finding]
    summary: str


class RepairResult(msgspec.Struct, frozen=True):
    """What became of it, in Chinese."""

    summary: str


def back_up(services: Services, options: Mapping[str, Any], progress: Progress) -> BackupResult:
    """As `liuying backup`, into the folder of backups."""
    is_scheduled = bool(options.get("is_scheduled"))
    path, done = make_backup(
        services,
        services.settings.backups,
        SCHEDULED if is_scheduled else ASKED,
        progress.advance,
        progress.begin,
        with_media=bool(options.get("with_media", True)),
        with_originals=bool(options.get("with_originals", True)),
    )
    told = f"{done.files} 个文件，共 {done.bytes / 1e6:.1f} MB，已读回核对"
    if done.missing:
        told += f"；有 {len(done.missing)} 个视频的文件找不到：{some(done.missing)}"
    if is_scheduled:
        with services.database.read() as connection:
            kept = schedule_of(connection, Kind.BACKUP).kept
        spared = {str(options.get("spared", "")), path.name}
        removed = prune_scheduled(services.settings.backups, kept, spared)
        told += f"；删除了 {len(removed)} 个旧的定时备份" if removed else ""
    found = path.stat()
    return BackupResult(path.name, found.st_size, found.st_mtime_ns, told)


def drill(services: Services, options: Mapping[str, Any], progress: Progress) -> VerifiedDrill:
    """As `liuying restore`, into a fresh folder, and examined."""
    folder = services.settings.backups
    source = find_backup(folder, str(options["file"]))
    found = source.stat()
    place = drill_folder(folder, str(options["folder"]))
    result = drill_restore(services, source, place, progress.advance, progress.begin)
    return VerifiedDrill(
        source.name, found.st_size, found.st_mtime_ns, place.name, result, result.summary
    )


def run_doctor(services: Services, _options: Mapping[str, Any], progress: Progress) -> DoctorResult:
    """As `liuying doctor`."""
    progress.begin("检查", 0)
    findings = []
    for one in examine(services.settings, services.clock, is_quick=False):
        progress.check()
        findings.append(one)
    order = [Severity.ERROR, Severity.WARNING, Severity.INFO]
    findings.sort(key=lambda one: order.index(one.severity))
    errors, warnings = (sum(1 for one in findings if one.severity is kind) for kind in order[:2])
    told = f"{errors} 个错误，{warnings} 个需要处理" if errors or warnings else "没有发现问题"
    return DoctorResult(findings, told)


def repair(services: Services, options: Mapping[str, Any], progress: Progress) -> RepairResult:
    """As the command that the finding names."""
    progress.begin("处理", 0)
    return RepairResult(REPAIRS[str(options["topic"])].run(services, progress))


def _remove_orphans(services: Services, progress: Progress) -> str:
    with services.database.read() as connection:
        orphans = find_orphans(connection, services.layout, services.objects)
    progress.check()
    orphans.remove(services.objects)
    count = len(orphans.folders) + len(orphans.pictures)
    return f"删除了 {count} 项无用的文件，共 {orphans.bytes / 1e6:.1f} MB"


def _place_files(services: Services, _progress: Progress) -> str:
    return f"移好了 {restore_places(services)} 个视频的文件"


def _mend_lengths(services: Services, progress: Progress) -> str:
    with services.database.read() as connection:
        found = list(find_uneven(connection, services.objects))
    mended, refused = 0, []
    for one in found:
        progress.check()
        try:
            mended += mend_video(services, one.video_id)
        except LiuyingError as error:
            refused.append(f"{one.title}（{error.message}）")
    told = f"补齐了 {mended} 个视频"
    return told + (f"；{len(refused)} 个不能处理：{some(refused)}" if refused else "")


def _repack(services: Services, progress: Progress) -> str:
    repacked, before, after, refused = 0, 0, 0, []
    for video_id in segmented_videos(services.database):
        progress.check()
        try:
            found = repack_video(services, video_id)
        except LiuyingError as error:
            refused.append(f"编号 {video_id}（{error.message}）")
            continue
        if found is not None:
            repacked, before, after = repacked + 1, before + found.before, after + found.after
    told = f"合并了 {repacked} 个视频：{before} 个文件变成 {after} 个"
    return told + (f"；{len(refused)} 个不能处理：{some(refused)}" if refused else "")


def _build_index(services: Services, _progress: Progress) -> str:
    build_index(services.database)
    return "建完了搜索索引"


def _reindex(services: Services, progress: Progress) -> str:
    with services.database.read() as connection:
        ids = [*unindexed_ids(connection), *unlisted_ids(connection)]
    for batch in _batches(ids):
        progress.check()
        with services.database.write() as connection:
            reindex_videos(connection, batch)
            record_change(connection, CacheTopic.CATALOGUE)
    return f"重写了 {len(ids)} 个视频的搜索索引"


def _recount(services: Services, _progress: Progress) -> str:
    recount_names(services.database)
    return "重新数了艺人和标签的视频数"


def _batches(ids: list[int]) -> Iterator[list[int]]:
    yield from (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))


class Repair(NamedTuple):
    """What mends something; its name stands in the audit log."""

    name: str
    run: Callable[[Services, Progress], str]


# Topic of a finding → what mends it.
REPAIRS = {
    "orphans": Repair("删除无用的文件", _remove_orphans),
    "media-misplaced": Repair("移好文件", _place_files),
    "media-uneven": Repair("补齐画面和声音", _mend_lengths),
    "media-segmented": Repair("合并视频的文件", _repack),
    "search-building": Repair("接着建索引", _build_index),
    "search-missing": Repair("重写索引", _reindex),
    "search-surplus": Repair("重写索引", _reindex),
    "name-counts": Repair("重新数艺人和标签的视频", _recount),
}
WORK: Mapping[Kind, Callable[[Services, Mapping[str, Any], Progress], msgspec.Struct]] = {
    Kind.BACKUP: back_up,
    Kind.DRILL: drill,
    Kind.DOCTOR: run_doctor,
    Kind.REPAIR: repair,
}
