"""Backups from the console: made, listed, fetched, removed, and drilled."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
from pathlib import Path

import msgspec
import pytest

from liuying.console.maintenance import work
from liuying.console.maintenance.attendant import Attendant
from liuying.features.maintenance import service
from liuying.features.maintenance.rules import LEASE_MS, Kind
from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS
from liuying.workflows.doctor.findings import Severity
from tests.cli.test_backup import write_files
from tests.console.console_server import ConsoleServer
from tests.console.desk import Desk
from tests.waiting import wait_until

SCHEDULE = {"is_on": True, "minute": 1200, "kept": 2, "with_media": True, "with_originals": True}
OF_ITS_BACKUPS = pytest.mark.data_folder("makes its backups; those of a cluster are made by others")


def send_doctor_away(desk: Desk) -> None:
    """He takes seconds, and these tests are about backups."""
    desk.rescont("PUT", "/api/doctor/schedule", {"is_on": False, "minute": 0})


def make(desk: Desk, attendant: Attendant) -> str:
    """Ask for a backup and wait for it; its name."""
    desk.rescont("POST", "/api/backups", {})
    attendant.look(is_planning=False)
    attendant.wait()
    return str(desk.rescont("GET", "/api/backups")["files"][0]["name"])


def drill(desk: Desk, attendant: Attendant, name: str) -> None:
    desk.rescont("POST", f"/api/backups/{name}/drill")
    attendant.look(is_planning=False)
    attendant.wait()


def actions(desk: Desk) -> list[str]:
    return [one["action"] for one in desk.rescont("GET", "/api/audit")["data"]]


@OF_ITS_BACKUPS
def test_a_backup_is_made_and_listed_as_verified(
    filled: Services, owner: Desk, attendant: Attendant
) -> None:
    write_files(filled)
    before = owner.rescont("GET", "/api/backups")
    assert (before["files"], before["run"], before["obstacle"]) == ([], None, "")
    name = make(owner, attendant)
    found = owner.rescont("GET", "/api/backups")
    assert found["run"]["state"] == "done"
    assert "已读回核对" in found["run"]["summary"]
    file = found["files"][0]
    path = filled.settings.backups / name
    assert (file["bytes"], file["has_media"], file["fault"]) == (path.stat().st_size, True, "")
    assert file["verified_at"] is not None
    assert "backup.make" in actions(owner)
    # Another file under its name is not the one that was read back.
    path.write_bytes(path.read_bytes() + b"\0")
    assert owner.rescont("GET", "/api/backups")["files"][0]["verified_at"] is None


@OF_ITS_BACKUPS
def test_two_presses_make_one_backup(owner: Desk, attendant: Attendant) -> None:
    owner.rescont("POST", "/api/backups", {})
    refused = owner.request("POST", "/api/backups", {})
    assert (refused.status_code, "正在备份" in refused.text) == (409, True)
    others = [Attendant(owner.services) for _ in range(2)]
    for one in (attendant, *others):
        one.look(is_planning=False)
    for one in (attendant, *others):
        one.wait()
    assert len(owner.rescont("GET", "/api/backups")["files"]) == 1
    assert actions(owner).count("backup.make") == 1


@OF_ITS_BACKUPS
@pytest.mark.parametrize("role", [Role.EDITOR, Role.VIEWER])
def test_backups_are_the_owners(desk: Desk, attendant: Attendant, role: Role) -> None:
    desk.log_in()
    name = make(desk, attendant)
    desk.log_in(role)
    for method, path, body in (
        ("GET", "/api/backups", None),
        ("POST", "/api/backups", {}),
        ("PUT", "/api/backups/schedule", SCHEDULE),
        ("GET", f"/api/backups/{name}/file", None),
        ("DELETE", f"/api/backups/{name}", None),
        ("POST", f"/api/backups/{name}/drill", None),
        ("DELETE", "/api/drills/20261125-040000", None),
        ("POST", "/api/maintenance/1/stop", None),
    ):
        assert desk.request(method, path, body).status_code == 403, path
    assert (desk.services.settings.backups / name).is_file()


@OF_ITS_BACKUPS
def test_a_backup_is_fetched_whole_uncached_and_noted(owner: Desk, attendant: Attendant) -> None:
    name = make(owner, attendant)
    answer = owner.request("GET", f"/api/backups/{name}/file")
    path = owner.services.settings.backups / name
    assert hashlib.sha256(answer.content).digest() == hashlib.sha256(path.read_bytes()).digest()
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-length"] == str(path.stat().st_size)
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert "backup.download" in actions(owner)


@OF_ITS_BACKUPS
def test_a_removed_backup_is_gone(owner: Desk, attendant: Attendant) -> None:
    name = make(owner, attendant)
    owner.rescont("DELETE", f"/api/backups/{name}")
    assert owner.rescont("GET", "/api/backups")["files"] == []
    for method, path in (
        ("GET", f"/api/backups/{name}/file"),
        ("DELETE", f"/api/backups/{name}"),
        ("POST", f"/api/backups/{name}/drill"),
    ):
        assert owner.request(method, path).status_code == 404
    assert "backup.remove" in actions(owner)


@pytest.mark.parametrize("name", ["..%2fsecrets.json", "secrets.json", ".x.tar", "a" * 150])
def test_names_lead_nowhere_else(owner: Desk, name: str) -> None:
    assert owner.request("GET", f"/api/backups/{name}/file").status_code in {404, 422}
    assert owner.request("DELETE", f"/api/backups/{name}").status_code in {404, 405, 422}


@pytest.mark.parametrize(
    "change",
    [
        {"minute": -1},
        {"minute": 1440},
        {"kept": 0},
        {"kept": 91},
        {"minute": "4"},
        {"is_on": None},
        {"more": 1},
    ],
)
def test_a_wrong_schedule_is_refused(owner: Desk, change: dict[str, object]) -> None:
    assert owner.request("PUT", "/api/backups/schedule", SCHEDULE | change).status_code == 422


@OF_ITS_BACKUPS
def test_a_schedule_is_carried_out_daily_and_keeps_so_many(
    owner: Desk, attendant: Attendant
) -> None:
    send_doctor_away(owner)
    owner.rescont("PUT", "/api/backups/schedule", SCHEDULE)
    by_hand = make(owner, attendant)
    for _ in range(4):
        # Sessions do not live so long.
        owner.time.now += DAY_MS
        for one in (attendant, Attendant(owner.services)):
            one.look()
            one.wait()
    owner.log_in()
    found = owner.rescont("GET", "/api/backups")
    names = [one["name"] for one in found["files"]]
    assert sum(name.startswith("auto-") for name in names) == 2
    assert by_hand in names
    last = found["schedule"]["last_run"]
    assert (last["state"], last["asked_by"], last["is_scheduled"]) == ("done", "定时", True)
    assert "删除了 1 个旧的定时备份" in last["summary"]
    with owner.services.database.read() as connection:
        assert len(service.newest_runs(connection, Kind.BACKUP)) == 5


@OF_ITS_BACKUPS
def test_a_scheduled_backup_that_failed_is_said_on_the_overview(
    owner: Desk, attendant: Attendant, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert owner.rescont("GET", "/api/overview")["health"]["backup"] == "none"
    make(owner, attendant)
    fresh = owner.rescont("GET", "/api/overview")["health"]
    assert (fresh["backup"], fresh["is_backup_failing"]) == ("fresh", False)
    send_doctor_away(owner)
    owner.rescont("PUT", "/api/backups/schedule", SCHEDULE)

    def fill(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "no space", "/backup/half.tar")

    monkeypatch.setattr(work, "make_backup", fill)
    owner.time.now += 2 * DAY_MS
    attendant.look()
    attendant.wait()
    owner.log_in()
    health = owner.rescont("GET", "/api/overview")["health"]
    assert (health["backup"], health["is_backup_failing"]) == ("old", True)
    run = owner.rescont("GET", "/api/backups")["schedule"]["last_run"]
    assert (run["state"], run["fault"]) == ("failed", "系统错误：磁盘已满（/backup/half.tar）")


@OF_ITS_BACKUPS
def test_a_failure_of_the_program_is_not_told_in_detail(
    owner: Desk, attendant: Attendant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("/home/secret")

    monkeypatch.setattr(work, "make_backup", fail)
    owner.rescont("POST", "/api/backups", {})
    attendant.look(is_planning=False)
    attendant.wait()
    run = owner.rescont("GET", "/api/backups")["run"]
    assert (run["state"], "日志" in run["fault"], "secret" in run["fault"]) == (
        "failed",
        True,
        False,
    )


@OF_ITS_BACKUPS
def test_a_run_is_stopped(owner: Desk, attendant: Attendant) -> None:
    run = owner.rescont("POST", "/api/backups", {})
    owner.rescont("POST", f"/api/maintenance/{run['id']}/stop")
    attendant.look(is_planning=False)
    assert owner.rescont("GET", "/api/backups")["run"]["state"] == "stopped"
    assert owner.request("POST", f"/api/maintenance/{run['id']}/stop").status_code == 404
    assert owner.request("POST", "/api/maintenance/999/stop").status_code == 404
    entries = owner.rescont("GET", "/api/audit")["data"]
    assert [one["subject"] for one in entries if one["action"] == "maintenance.stop"] == ["备份"]


@OF_ITS_BACKUPS
def test_a_drilled_restore_tells_what_it_found(
    filled: Services, owner: Desk, attendant: Attendant
) -> None:
    write_files(filled)
    name = make(owner, attendant)
    drill(owner, attendant, name)
    found = owner.rescont("GET", "/api/backups")
    assert found["drill_run"]["state"] == "done", found["drill_run"]
    done = found["drills"][0]
    assert (done["file"], done["found"]["files"] > 2) == (name, True)
    counts = {one["name"]: (one["restored"], one["running"]) for one in done["found"]["counts"]}
    assert counts["视频"] == (40, 40)
    # Most videos of this catalogue have no files: he says so of the restored ones, too.
    assert {one["severity"] for one in done["found"]["findings"]} <= {
        Severity.ERROR,
        Severity.WARNING,
    }
    folder = Path(done["folder"])
    assert (folder / "liuying.db").is_file()
    assert folder.stat().st_mode & 0o777 == 0o700
    owner.rescont("DELETE", f"/api/drills/{done['name']}")
    assert not folder.exists()
    after = owner.rescont("GET", "/api/backups")["drills"][0]
    assert (after["folder"], after["found"]["files"]) == ("", done["found"]["files"])
    assert owner.request("DELETE", f"/api/drills/{done['name']}").status_code == 404
    assert {"backup.drill", "backup.remove-drill"} <= set(actions(owner))


@OF_ITS_BACKUPS
def test_a_damaged_backup_fails_its_drill_and_leaves_nothing(
    owner: Desk, attendant: Attendant
) -> None:
    name = make(owner, attendant)
    path = owner.services.settings.backups / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    drill(owner, attendant, name)
    found = owner.rescont("GET", "/api/backups")
    assert found["drill_run"]["state"] == "failed"
    assert "备份" in found["drill_run"]["fault"]
    assert found["drills"] == []
    assert list((path.parent / "drills").iterdir()) == []


@OF_ITS_BACKUPS
def test_a_backup_being_drilled_is_not_removed(owner: Desk, attendant: Attendant) -> None:
    name = make(owner, attendant)
    owner.rescont("POST", f"/api/backups/{name}/drill")
    assert owner.request("DELETE", f"/api/backups/{name}").status_code == 409
    attendant.look(is_planning=False)
    attendant.wait()
    owner.rescont("DELETE", f"/api/backups/{name}")


class TestOnPostgresql:
    """A database whose restores need another one."""

    @pytest.fixture
    def engine(self) -> str:
        return "postgresql"

    @pytest.fixture
    def store(self) -> str:
        return "folder"

    def test_a_restore_is_drilled_by_command(self, owner: Desk) -> None:
        found = owner.rescont("GET", "/api/backups")
        assert "PostgreSQL" in found["drill_obstacle"]
        assert any("liuying restore" in one for one in found["drill_commands"])
        folder = owner.services.settings.backups
        folder.mkdir()
        (folder / "some.tar").touch()
        assert owner.request("POST", "/api/backups/some.tar/drill").status_code == 409

    def test_a_killed_backup_leaves_no_half_file_and_says_so(
        self, services: Services, owner: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """The process is killed in the middle of copying the database."""
        program, noted = tmp_path / "bin" / "pg_dump", tmp_path / "pid"
        program.parent.mkdir()
        program.write_text(
            f'#!/bin/sh\nfor one; do case "$one" in --file=*) echo half > "${{one#--file=}}";; '
            f"esac; done\necho $$ > {noted}.part\nmv {noted}.part {noted}\nexec sleep 600\n"
        )
        program.chmod(0o700)
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
        owner.rescont("POST", "/api/backups", {})
        with ConsoleServer(services):
            wait_until(noted.exists)
        os.kill(int(noted.read_text()), signal.SIGKILL)
        folder = services.settings.backups
        assert [path.name for path in folder.iterdir()] == [".unfinished"]
        # As another process sees it later.
        with services.database.read() as connection:
            held = service.newest_runs(connection, Kind.BACKUP)[0].held_until
        later = msgspec.structs.replace(owner.services, clock=lambda: held + LEASE_MS)
        Attendant(later).look(is_planning=False)
        assert list(folder.iterdir()) == []
        run = owner.rescont("GET", "/api/backups")["run"]
        assert (run["state"], run["fault"]) == ("failed", service.INTERRUPTED)


class TestOfACluster:
    """PostgreSQL and a bucket: backups are made by others."""

    @pytest.fixture
    def engine(self) -> str:
        return "postgresql"

    @pytest.fixture
    def store(self) -> str:
        return "s3"

    def test_the_page_says_which_commands_do_it(self, owner: Desk) -> None:
        found = owner.rescont("GET", "/api/backups")
        assert "PostgreSQL" in found["obstacle"]
        assert any("pgbackrest" in one for one in found["commands"])
        assert owner.request("POST", "/api/backups", {}).status_code == 409
        assert owner.request("PUT", "/api/backups/schedule", SCHEDULE).status_code == 409
        assert owner.rescont("GET", "/api/overview")["health"]["backup"] == "elsewhere"
