"""`liuying maintenance`: the console's schedule, kept by a timer."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from liuying.cli.maintenance import local_time_of, utc_minute
from liuying.console.maintenance.attendant import Attendant
from liuying.features.maintenance.rules import Kind, RunState
from liuying.features.maintenance.service import (
    Schedule,
    newest_runs,
    open_run,
    plan_due,
    set_schedule,
)
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS
from liuying.workflows.backup_folder import list_backups
from tests.command_line import Run, run

__all__ = ["run"]


def due(services: Services, **options: bool) -> None:
    """A backup was due a minute ago, and nothing else is."""
    now = services.clock()
    minute = datetime.fromtimestamp(now / 1000, UTC) - timedelta(minutes=1)
    schedule = Schedule(
        is_on=True,
        minute=minute.hour * 60 + minute.minute,
        kept=2,
        options=options,
        changed_at=now - DAY_MS,
    )
    with services.database.write() as connection:
        set_schedule(connection, Kind.BACKUP, schedule)
        set_schedule(connection, Kind.DOCTOR, Schedule(is_on=False, minute=0))


@pytest.mark.data_folder("makes its whole backups")
def test_what_is_due_is_done_once_whoever_looks(run: Run, filled: Services) -> None:
    due(filled, with_media=False)
    said = run(filled.data_dir, "maintenance", "run")
    assert said.exit_code == 0, said.output
    assert said.output.startswith("备份：")
    assert "已读回核对" in said.output
    # Nobody makes it again: not the next timer, not the console.
    assert run(filled.data_dir, "maintenance", "run").output == ""
    console = Attendant(filled)
    console.look()
    console.wait()
    found = list_backups(filled.settings.backups)
    assert [(one.is_scheduled, one.about and one.about.has_media) for one in found] == [
        (True, False)
    ]
    with filled.database.read() as connection:
        runs = newest_runs(connection, Kind.BACKUP)
        assert [row.state for row in runs] == [RunState.DONE.value]


def test_without_a_schedule_no_backup_is_made(run: Run, filled: Services) -> None:
    with filled.database.write() as connection:
        set_schedule(connection, Kind.DOCTOR, Schedule(is_on=False, minute=0))
    said = run(filled.data_dir, "maintenance", "run")
    assert (said.exit_code, said.output) == (0, "")
    assert list_backups(filled.settings.backups) == []


def test_a_backup_that_cannot_be_made_is_told(run: Run, filled: Services) -> None:
    due(filled)
    filled.settings.backups.parent.mkdir(exist_ok=True)
    filled.settings.backups.write_text("a file where the folder should be")
    said = run(filled.data_dir, "maintenance", "run")
    assert said.exit_code == 1
    assert said.output.startswith("备份没有做成：")


@pytest.mark.data_folder("makes its whole backups")
def test_what_was_asked_for_is_done_too(run: Run, filled: Services) -> None:
    due(filled)
    with filled.database.write() as connection:
        plan_due(connection, filled.clock())
    assert run(filled.data_dir, "maintenance", "run").exit_code == 0
    with filled.database.read() as connection:
        assert open_run(connection, Kind.BACKUP) is None


def schedule(run: Run, data_dir: Path, *options: str) -> dict[str, object]:
    said = run(data_dir, "maintenance", "schedule", *options, "--json")
    assert said.exit_code == 0, said.output
    return dict(json.loads(said.output))


@pytest.mark.data_folder("makes its whole backups")
def test_the_schedule_is_set_and_shown(run: Run, filled: Services) -> None:
    folder = filled.data_dir
    assert schedule(run, folder)["is_on"] is False
    said = schedule(run, folder, "--at", "04:30", "--keep", "3", "--without-media")
    assert said == {
        "is_on": True,
        "minute": utc_minute("04:30"),
        "kept": 3,
        "with_media": False,
        "with_originals": True,
    }
    assert (
        "每天 04:30 备份，不带视频，保留最近 3 个" in run(folder, "maintenance", "schedule").output
    )
    # Whoever installs the package again changes nothing.
    assert schedule(run, folder, "--at", "05:00", "--if-unset") == said
    assert schedule(run, folder, "--off") == {**said, "is_on": False}
    assert schedule(run, folder, "--at", "05:00", "--if-unset")["is_on"] is False


@pytest.mark.parametrize(
    "options", [("--at", "25:00"), ("--at", "4:00"), ("--at", "04:00", "--off"), ("--keep", "0")]
)
def test_a_wrong_time_is_refused(run: Run, filled: Services, options: tuple[str, ...]) -> None:
    said = run(filled.data_dir, "maintenance", "schedule", *options)
    assert said.exit_code == 2
    assert len(said.output.splitlines()) == 1


def test_a_time_of_this_machine_is_a_minute_of_the_utc_day() -> None:
    for text in ("00:00", "04:30", "23:59"):
        assert local_time_of(utc_minute(text)) == text
