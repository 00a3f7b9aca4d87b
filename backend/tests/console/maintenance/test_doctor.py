"""The doctor on the console: what he found, who reads it, and what is mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.console.maintenance.attendant import Attendant
from liuying.features.maintenance import service
from liuying.features.maintenance.rules import Kind
from liuying.features.operators.rules import Role
from liuying.features.search.queries.documents import forget_documents
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS
from liuying.workflows.import_video import import_file
from liuying.workflows.queries.integrity import write_integrity
from liuying.workflows.video_meta import VideoMeta
from tests.cli.faults import leave_orphans
from tests.console.desk import Desk
from tests.media.clips import FAST, h264, make_clip, picture, tone
from tests.workflows.published import as_versions_before


def examine(desk: Desk, attendant: Attendant) -> dict[str, object]:
    """Ask for an examination and wait for it; what he found, by topic."""
    desk.rescont("POST", "/api/doctor")
    return finish(desk, attendant)


def finish(desk: Desk, attendant: Attendant) -> dict[str, object]:
    attendant.look(is_planning=False)
    attendant.wait()
    return topics(desk)


def topics(desk: Desk) -> dict[str, object]:
    found = desk.rescont("GET", "/api/doctor")["findings"]
    return {one["finding"]["topic"]: one["is_repairable"] for one in found}


def test_he_examines_in_the_background_and_what_he_found_stays(
    owner: Desk, attendant: Attendant
) -> None:
    before = owner.rescont("GET", "/api/doctor")
    assert (before["checked_at"], before["findings"]) == (None, [])
    assert owner.rescont("GET", "/api/overview")["health"]["is_check_old"]
    owner.rescont("POST", "/api/doctor")
    assert owner.request("POST", "/api/doctor").status_code == 409
    assert "version" in finish(owner, attendant)
    found = owner.rescont("GET", "/api/doctor")
    severities = [one["finding"]["severity"] for one in found["findings"]]
    assert severities == sorted(severities, key=["error", "warning", "info"].index)
    assert found["errors"] == severities.count("error") > 0
    health = owner.rescont("GET", "/api/overview")["health"]
    assert (health["errors"], health["is_check_old"]) == (found["errors"], False)
    owner.time.now += 2 * DAY_MS
    owner.log_in()
    assert owner.rescont("GET", "/api/overview")["health"]["is_check_old"]


@pytest.mark.parametrize("role", [Role.EDITOR, Role.VIEWER])
def test_others_read_how_much_and_what_is_about_content(
    filled: Services, desk: Desk, attendant: Attendant, role: Role
) -> None:
    desk.log_in()
    all_of_them = examine(desk, attendant)
    numbers = desk.rescont("GET", "/api/doctor")
    desk.log_in(role)
    for path in ("/api/doctor", "/api/overview"):
        text = desk.request("GET", path).text
        assert str(filled.data_dir) not in text
        assert "LIUYING_" not in text
    found = desk.rescont("GET", "/api/doctor")
    assert (found["errors"], found["warnings"]) == (numbers["errors"], numbers["warnings"])
    assert "version" in all_of_them
    assert "version" not in topics(desk)
    assert found["run"] is found["repair"] is None
    assert not any(topics(desk).values())
    for method, body in (("doctor", None), ("doctor/repairs", {"topic": "orphans"})):
        assert desk.request("POST", f"/api/{method}", body).status_code == 403
    schedule = {"is_on": False, "minute": 3}
    assert desk.request("PUT", "/api/doctor/schedule", schedule).status_code == 403


@pytest.mark.data_folder("its files are made old")
def test_files_that_belong_to_nothing_are_removed(
    services: Services, owner: Desk, attendant: Attendant
) -> None:
    leave_orphans(services)
    assert examine(owner, attendant)["orphans"] is True
    owner.rescont("POST", "/api/doctor/repairs", {"topic": "orphans"})
    attendant.look(is_planning=False)
    attendant.wait()
    # Afterwards he examines again by himself.
    assert "orphans" not in finish(owner, attendant)
    repair = owner.rescont("GET", "/api/doctor")["repair"]
    assert (repair["state"], "删除了 2 项" in repair["summary"]) == ("done", True)
    noted = {(one["action"], one["subject"]) for one in owner.rescont("GET", "/api/audit")["data"]}
    assert noted >= {("doctor.run", "体检"), ("doctor.repair", "删除无用的文件")}


def test_videos_that_search_misses_are_indexed_again(
    filled: Services, owner: Desk, attendant: Attendant
) -> None:
    with filled.database.write() as connection:
        forget_documents(connection, [100, 101])
    assert examine(owner, attendant)["search-missing"] is True
    owner.rescont("POST", "/api/doctor/repairs", {"topic": "search-missing"})
    attendant.look(is_planning=False)
    attendant.wait()
    assert "search-missing" not in finish(owner, attendant)


def test_names_are_counted_again(filled: Services, owner: Desk, attendant: Attendant) -> None:
    with filled.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM name_count_change")
    assert examine(owner, attendant)["name-counts"] is True
    owner.rescont("POST", "/api/doctor/repairs", {"topic": "name-counts"})
    attendant.look(is_planning=False)
    attendant.wait()
    assert "name-counts" not in finish(owner, attendant)


def test_videos_with_a_file_for_every_segment_are_repacked(
    services: Services, owner: Desk, attendant: Attendant, tmp_path: Path
) -> None:
    clip = make_clip(tmp_path / "sea.mp4", *picture("640x360", 2), *tone(2), *h264())
    made = import_file(services, clip, VideoMeta(title="海", category=72), settings=FAST)
    as_versions_before(services, made.key)
    assert examine(owner, attendant)["media-segmented"] is True
    owner.rescont("POST", "/api/doctor/repairs", {"topic": "media-segmented"})
    attendant.look(is_planning=False)
    attendant.wait()
    assert "media-segmented" not in finish(owner, attendant)
    repair = owner.rescont("GET", "/api/doctor")["repair"]
    assert (repair["state"], "合并了 1 个视频" in repair["summary"]) == ("done", True)


@pytest.mark.parametrize("topic", ["", "version", "database-integrity", "x" * 41])
def test_what_no_button_mends_is_refused(owner: Desk, topic: str) -> None:
    assert owner.request("POST", "/api/doctor/repairs", {"topic": topic}).status_code == 422


def test_he_comes_daily_and_makes_up_for_one_night(owner: Desk, attendant: Attendant) -> None:
    def nights() -> int:
        attendant.look()
        attendant.wait()
        with owner.services.database.read() as connection:
            return len(service.newest_runs(connection, Kind.DOCTOR))

    assert [nights(), nights()] == [1, 1]
    owner.time.now += 3 * DAY_MS
    assert [nights(), nights()] == [2, 2]
    owner.log_in()
    owner.rescont("PUT", "/api/doctor/schedule", {"is_on": False, "minute": 60})
    owner.time.now += DAY_MS
    assert nights() == 2
    owner.log_in()
    found = owner.rescont("GET", "/api/doctor")
    assert (found["is_on"], found["minute"]) == (False, 60)


def test_a_touched_program_is_told_before_the_doctor_comes_again(
    owner: Desk, attendant: Attendant
) -> None:
    examine(owner, attendant)
    before = owner.rescont("GET", "/api/overview")["health"]["errors"]
    values = {
        "findings": [{"path": "liuying/kit/clock.py", "kind": "changed"}],
        "release_key": "",
        "version": "",
        "released_at": 0,
        "records": "",
        "settings": {},
        "changed_settings": [],
        "settings_changed_at": None,
    }
    with owner.services.database.write() as connection:
        write_integrity(connection, "web-1", owner.time.now, values)
    health = owner.rescont("GET", "/api/overview")["health"]
    assert health["errors"] == before + 1
    assert health["findings"][0]["topic"] == "touched-noted"
    assert "touched-noted" in topics(owner)
