"""What is known of backups and of the doctor's findings."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import sqlalchemy as sa

from liuying.console.maintenance.schemas import (
    BackupItem,
    BackupSchedule,
    BackupState,
    DrillItem,
    HealthView,
)
from liuying.console.maintenance.work import DoctorResult
from liuying.features.maintenance.rules import Kind, RunState
from liuying.features.maintenance.service import newest_runs, run_view, schedule_of
from liuying.features.operators.rules import Role
from liuying.installation.doctor import examine_noted
from liuying.installation.restore_drill import DrillResult
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS, HOUR_MS, Milliseconds, to_iso, to_iso_if_known
from liuying.kit.database import AnyRow
from liuying.kit.object_store import RecordsObjects
from liuying.workflows.backup_folder import DRILLS, StoredBackup, list_backups
from liuying.workflows.doctor.findings import Finding, Severity

# A scheduled backup may take a while; without a schedule one a week is the least.
OLD_MS = {True: DAY_MS + 6 * HOUR_MS, False: 7 * DAY_MS}
# What editors and viewers see on other pages, too. The rest names paths, addresses and settings.
ABOUT_CONTENT = frozenset(
    {
        "import-failed",
        "import-partial",
        "import-begun",
        "jobs-failed",
        "jobs-undecided",
        "play-failing",
        "category-empty",
        "ads-ended",
        "banner-empty",
        "ad-without-picture",
        "links-empty",
        "media-missing",
        "media-truncated",
        "media-uneven",
        "media-misplaced",
        "picture-missing",
        "search-building",
        "search-missing",
        "search-surplus",
    }
)
# What is told within a minute, whenever the doctor comes.
NOTED = frozenset({"touched-noted", "settings-changed"})
CLUSTER_OBSTACLE = "数据库是 PostgreSQL，视频和图片在对象存储：备份由各自的工具完成，控制台做不了。"
CLUSTER_COMMANDS = (
    "pgbackrest --stanza=liuying --type=full backup",
    "pgbackrest --stanza=liuying info",
    "rclone sync 主:桶 备份:桶 --checksum",
)
NO_PG_DUMP = "找不到 pg_dump：请在这台机器上安装 PostgreSQL 客户端，或把它所在的文件夹写进 PATH"
DRILL_OBSTACLE = "数据库是 PostgreSQL：演练要恢复到另一个空的数据库里，请在服务器上执行下面的命令"
NEW_DATABASE, NEW_FOLDER = "liuying_drill", "/srv/liuying-drill"


def obstacle_of(services: Services) -> tuple[str, list[str]]:
    """Why no backup can be made here, in Chinese, and what to execute instead."""
    if services.database.is_sqlite:
        return "", []
    if isinstance(services.objects, RecordsObjects):
        return CLUSTER_OBSTACLE, list(CLUSTER_COMMANDS)
    return ("", []) if shutil.which("pg_dump") else (NO_PG_DUMP, [])


def drill_obstacle_of(services: Services) -> tuple[str, list[str]]:
    """Why no restore can be drilled here, in Chinese, and what to execute instead."""
    if services.database.is_sqlite:
        return "", []
    address = f"postgresql+psycopg:///{NEW_DATABASE}"
    environment = f"LIUYING_DATA_DIR={NEW_FOLDER} LIUYING_DATABASE_URL={address}"
    backup = shlex.quote(f"{services.settings.backups}/备份.tar")
    return DRILL_OBSTACLE, [
        f"createdb {NEW_DATABASE}",
        f"{environment} liuying restore {backup}",
        f"{environment} liuying doctor",
    ]


def switching_of(services: Services, backup: str) -> list[str]:
    """What to execute on the server to put the site on a backup. The server must be stopped, so no
    page of it can do that.
    """
    folder = shlex.quote(str(services.data_dir))
    source = shlex.quote(f"{services.settings.backups}/{backup}")
    return [
        "sudo systemctl stop liuying",
        f"LIUYING_DATA_DIR={folder} liuying restore {source}",
        "sudo systemctl start liuying",
    ]


def backup_items(services: Services) -> list[BackupItem]:
    """The backups in the folder, newest first."""
    with services.database.read() as connection:
        verified = _verified(connection)
    return [_item(one, verified) for one in list_backups(services.settings.backups)]


def backup_schedule(connection: sa.Connection) -> BackupSchedule:
    """The schedule of backups."""
    schedule = schedule_of(connection, Kind.BACKUP)
    last = next(
        (one for one in newest_runs(connection, Kind.BACKUP) if one.scheduled_for is not None), None
    )
    return BackupSchedule(
        is_on=schedule.is_on,
        minute=schedule.minute,
        kept=schedule.kept,
        with_media=bool(schedule.options.get("with_media", True)),
        with_originals=bool(schedule.options.get("with_originals", True)),
        last_run=None if last is None else run_view(last),
    )


def drill_items(connection: sa.Connection, folder: Path, limit: int) -> list[DrillItem]:
    """Drills that ended well, newest first."""
    return [
        DrillItem(
            name=row.result["folder"],
            file=row.result["file"],
            at=to_iso(row.ended_at),
            found=msgspec.convert(row.result["found"], DrillResult),
            folder=str(place) if (place := folder / DRILLS / row.result["folder"]).is_dir() else "",
        )
        for row in _done(newest_runs(connection, Kind.DRILL))[:limit]
    ]


def last_findings(
    connection: sa.Connection, now: Milliseconds
) -> tuple[Milliseconds | None, list[Finding]]:
    """What the doctor found when he last came to an end, and when that was; None where he never
    did. What the machines noted of a touched program is read anew.
    """
    noted = list(examine_noted(connection, now))
    done = _done(newest_runs(connection, Kind.DOCTOR))
    if not done:
        return None, noted
    kept = [
        one
        for one in msgspec.convert(done[0].result, DoctorResult).findings
        if one.topic not in NOTED
    ]
    order = [Severity.ERROR, Severity.WARNING, Severity.INFO]
    return done[0].ended_at, sorted([*noted, *kept], key=lambda one: order.index(one.severity))


def readable(findings: Sequence[Finding], role: Role) -> list[Finding]:
    """Those that a role may read."""
    return [one for one in findings if role is Role.OWNER or one.topic in ABOUT_CONTENT]


def count_of(findings: Sequence[Finding], severity: Severity) -> int:
    """How many are of a severity."""
    return sum(1 for one in findings if one.severity is severity)


def health(services: Services, connection: sa.Connection, role: Role) -> HealthView:
    """Backups and the doctor, for the overview."""
    now = services.clock()
    is_scheduled = schedule_of(connection, Kind.BACKUP).is_on
    attempts = newest_runs(connection, Kind.BACKUP, 1)
    state, backup_at = _backup_state(services, now, is_scheduled=is_scheduled)
    checked_at, findings = last_findings(connection, now)
    shown = [one for one in findings if one.severity is not Severity.INFO]
    return HealthView(
        backup=state,
        backup_at=backup_at,
        is_backup_failing=bool(attempts) and attempts[0].state == RunState.FAILED.value,
        is_backup_scheduled=is_scheduled,
        checked_at=to_iso_if_known(checked_at),
        is_check_old=checked_at is None or checked_at < now - OLD_MS[True],
        errors=count_of(findings, Severity.ERROR),
        warnings=count_of(findings, Severity.WARNING),
        findings=readable(shown, role),
    )


def _backup_state(
    services: Services, now: Milliseconds, *, is_scheduled: bool
) -> tuple[BackupState, str | None]:
    if obstacle_of(services)[0]:
        return BackupState.ELSEWHERE, None
    made = []
    with suppress(OSError):
        made = [
            one.about.created_at for one in list_backups(services.settings.backups) if one.about
        ]
    if not made:
        return BackupState.NONE, None
    is_old = (newest := max(made)) < to_iso(now - OLD_MS[is_scheduled])
    return BackupState.OLD if is_old else BackupState.FRESH, newest


def _verified(connection: sa.Connection) -> dict[tuple[str, int, int], Milliseconds]:
    """When a file was read back: by its name, size and time, so that another one is not meant."""
    rows = [
        row for kind in (Kind.BACKUP, Kind.DRILL) for row in _done(newest_runs(connection, kind))
    ]
    return {
        (row.result["file"], row.result["bytes"], row.result["changed_ns"]): row.ended_at
        for row in sorted(rows, key=lambda row: int(row.ended_at))
    }


def _done(rows: Sequence[AnyRow]) -> list[AnyRow]:
    return [row for row in rows if row.state == RunState.DONE.value]


def _item(one: StoredBackup, verified: dict[tuple[str, int, int], Milliseconds]) -> BackupItem:
    moment = verified.get((one.name, one.bytes, one.changed_ns))
    about = one.about
    return BackupItem(
        name=one.name,
        bytes=one.bytes,
        created_at=None if about is None else about.created_at,
        version="" if about is None else about.version,
        is_scheduled=one.is_scheduled,
        has_media=about is not None and about.has_media,
        has_originals=about is not None and about.has_originals,
        has_pictures=about is not None and about.has_pictures,
        verified_at=to_iso_if_known(moment),
        fault=one.fault,
    )
