"""What the calls of maintenance take and answer. Times use the wire's form."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from liuying.features.maintenance.rules import MINUTES_A_DAY, MOST_KEPT
from liuying.features.maintenance.service import RunView
from liuying.installation.restore_drill import DrillResult
from liuying.workflows.doctor.findings import Finding

Minute = Annotated[int, msgspec.Meta(ge=0, lt=MINUTES_A_DAY)]


class BackupContents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup has beside database, secrets and pictures."""

    with_media: bool = True
    with_originals: bool = True


class BackupScheduleBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When a backup is made daily.

    Attributes:
        minute: Of the day, UTC.
        kept: How many scheduled ones are kept.
    """

    is_on: bool
    minute: Minute
    kept: Annotated[int, msgspec.Meta(ge=1, le=MOST_KEPT)]
    with_media: bool = True
    with_originals: bool = True


class DoctorScheduleBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When the doctor examines daily; `minute` of the day, UTC."""

    is_on: bool
    minute: Minute


class RepairBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to mend, by the finding's topic."""

    topic: Annotated[str, msgspec.Meta(max_length=40)]


class BackupItem(msgspec.Struct, frozen=True, kw_only=True):
    """A backup in the folder.

    Attributes:
        bytes: The file's size.
        created_at: When it was made, as it says itself; None where it cannot be read.
        verified_at: When this very file was read whole and compared with its manifest; None where
            the console did not do so.
        fault: Why it cannot be read, in Chinese.
    """

    name: str
    bytes: int
    created_at: str | None
    version: str
    is_scheduled: bool
    has_media: bool
    has_originals: bool
    has_pictures: bool
    verified_at: str | None
    fault: str


class BackupSchedule(msgspec.Struct, frozen=True, kw_only=True):
    """When a backup is made daily, and how the last scheduled one went."""

    is_on: bool
    minute: int
    kept: int
    with_media: bool
    with_originals: bool
    last_run: RunView | None


class DrillItem(msgspec.Struct, frozen=True, kw_only=True):
    """A restore that was drilled.

    Attributes:
        name: Of its folder.
        file: The backup.
        found: What came of it.
        folder: Where it is; empty where it was removed.
    """

    name: str
    file: str
    at: str
    found: DrillResult
    folder: str


class BackupsView(msgspec.Struct, frozen=True, kw_only=True):
    """Backups, the schedule, and drilled restores.

    Attributes:
        folder: Where backups are.
        is_beside_data: Whether that is on the disk of the data.
        free_bytes: What is free there.
        obstacle: Why none can be made here, in Chinese; empty where one can.
        commands: What to execute instead.
        has_bucket: Whether videos and pictures are in a bucket, which no backup here contains.
        run: The newest one that was begun.
        drill_obstacle: Why no restore can be drilled here; likewise.
        drill_commands: What to execute instead.
        drill_run: The newest drill.
        drills: Those that ended well, newest first.
        switching: What to execute on the server to put the site on a backup.
    """

    folder: str
    is_beside_data: bool
    free_bytes: int
    obstacle: str
    commands: list[str]
    has_bucket: bool
    files: list[BackupItem]
    run: RunView | None
    schedule: BackupSchedule
    drill_obstacle: str
    drill_commands: list[str]
    drill_run: RunView | None
    drills: list[DrillItem]
    switching: list[str]


class FindingView(msgspec.Struct, frozen=True, kw_only=True):
    """A finding, and whether a button mends it."""

    finding: Finding
    is_repairable: bool


class DoctorView(msgspec.Struct, frozen=True, kw_only=True):
    """What the doctor found when he last came to an end.

    Attributes:
        checked_at: None where he never did.
        findings: Errors first. Whoever is not an owner reads only those about content.
        run: The newest examination.
        repair: What was mended last; None for others than owners.
        is_on: Whether he comes daily, and
        minute: when, of the day, UTC.
    """

    checked_at: str | None
    errors: int
    warnings: int
    findings: list[FindingView]
    run: RunView | None
    repair: RunView | None
    is_on: bool
    minute: int


class BackupState(StrEnum):
    """None can be made here; there is none; the newest is older than it should be; it is not."""

    ELSEWHERE = "elsewhere"
    NONE = "none"
    OLD = "old"
    FRESH = "fresh"


class HealthView(msgspec.Struct, frozen=True, kw_only=True):
    """Backups and the doctor, for the overview.

    Attributes:
        backup_at: When the newest backup was made.
        is_backup_failing: Whether the newest attempt failed.
        is_backup_scheduled: Whether one is made daily.
        checked_at: When the doctor last came to an end; None where he never did.
        is_check_old: Whether that was longer ago than it should be.
        errors: What he found, in numbers.
        findings: His errors and warnings. Whoever is not an owner reads only those about content.
    """

    backup: BackupState
    backup_at: str | None
    is_backup_failing: bool
    is_backup_scheduled: bool
    checked_at: str | None
    is_check_old: bool
    errors: int
    warnings: int
    findings: list[Finding]
