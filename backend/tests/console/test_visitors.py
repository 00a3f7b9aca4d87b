"""What visitors say, in the console."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from liuying.features.feedback.tables import feedback
from liuying.features.operators.rules import Role
from liuying.features.reports.schemas import NewReport
from liuying.features.reports.service import state_of, store
from liuying.features.site.service import set_texts
from liuying.installation.services import Services
from liuying.kit.caller import Caller
from liuying.kit.client_network import ClientNetwork
from liuying.workflows import purging, removal
from tests.catalogue_factory import NOW
from tests.console.desk import Desk


@pytest.fixture
def desk(filled: Services) -> Iterator[Desk]:
    opened = Desk(filled)
    opened.log_in()
    yield opened
    opened.close()


def say(desk: Desk, count: int) -> None:
    rows = [{"created_at": NOW + n, "title": "其他", "content": f"第{n}条"} for n in range(count)]
    with desk.services.database.write() as connection:
        connection.execute(sa.insert(feedback), rows)


def report(desk: Desk, video_id: int = 105) -> str:
    with desk.services.database.write() as connection:
        given = NewReport(video_id, "侵犯版权", "盗录", "a@example.com")
        caller = Caller(None, ClientNetwork("203.0.113.7"))
        return store(connection, desk.services.hashes, given, caller, NOW)


def test_feedback_is_read_page_by_page_and_ticked_off(desk: Desk) -> None:
    say(desk, 65)
    seen, before = [], ""
    while True:
        page = desk.rescont("GET", f"/api/feedback{before}")
        seen += [one["id"] for one in page["data"]]
        assert page["total"] == 65
        if page["next_before"] is None:
            break
        before = f"?before={page['next_before']}"
    assert seen == list(range(65, 0, -1))
    for state in ("in_work", "done", "new", "done"):
        found = desk.rescont("POST", "/api/feedback/65/state", {"state": state})
        assert (found["state"], found["is_read"]) == (state, state == "done")
    assert desk.rescont("GET", "/api/feedback")["total"] == 64
    assert desk.rescont("GET", "/api/feedback?which=all")["total"] == 65
    assert desk.rescont("GET", "/api/overview")["unread_feedback"] == 64
    entry = desk.rescont("GET", "/api/audit")["data"][0]
    assert (entry["action"], entry["before"], entry["after"]) == (
        "feedback.state",
        {"state": "new"},
        {"state": "done"},
    )
    assert desk.request("POST", "/api/feedback/999/state", {"state": "done"}).status_code == 404
    assert desk.request("POST", "/api/feedback/1/state", {"state": "gone"}).status_code == 422


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ("in_work", "正在处理"),
        ("dismissed", "已处理：没有发现违规"),
        ("removed", "已处理：视频已下架"),
    ],
)
def test_a_report_is_decided(desk: Desk, state: str, text: str) -> None:
    receipt = report(desk)
    assert desk.rescont("GET", "/api/overview")["open_reports"] == 1
    (listed,) = desk.rescont("GET", "/api/reports")["data"]
    detail = desk.rescont("GET", f"/api/reports/{listed['id']}")
    assert [one["contact"] for one in detail["reports"]] == ["a@example.com"]
    answer = {"state": state, "note": "已核实"}
    decided = desk.rescont("POST", f"/api/reports/{listed['id']}/decision", answer)["entry"]
    assert (decided["state"], decided["note"]) == (state, "已核实")
    with desk.services.database.read() as connection:
        assert state_of(connection, desk.services.hashes, receipt).text == text
    open_ones = desk.rescont("GET", "/api/reports")["total"]
    assert open_ones == (1 if state == "in_work" else 0)
    assert desk.rescont("GET", "/api/reports?which=all")["total"] == 1
    entry = desk.rescont("GET", "/api/audit")["data"][0]
    assert (entry["action"], entry["after"]) == ("report.decide", answer)


@pytest.mark.parametrize("is_purged", [False, True])
def test_a_report_that_came_while_its_video_went_is_decided(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, *, is_purged: bool
) -> None:
    receipt = report(desk)
    for module in (purging, removal):
        monkeypatch.setattr(module, "note_removed", lambda *_: None)
    if is_purged:
        purging.purge_video(desk.services, 105)
    else:
        removal.remove_videos(desk.services, [105])
    monkeypatch.undo()
    answer = {"state": "removed", "note": " 已\u202e核实 "}
    decided = desk.rescont("POST", "/api/reports/1/decision", answer)["entry"]
    assert (decided["state"], decided["note"]) == ("removed", "已 核实")
    with desk.services.database.read() as connection:
        assert state_of(connection, desk.services.hashes, receipt).text == "已处理：视频已下架"


def test_what_was_decided_stays_decided(desk: Desk) -> None:
    report(desk)
    desk.rescont("POST", "/api/reports/1/decision", {"state": "dismissed"})
    for state in ("in_work", "removed"):
        refused = desk.request("POST", "/api/reports/1/decision", {"state": state})
        assert (refused.status_code, refused.json()["msg"]) == (422, "举报 1 已经处理过")
    assert desk.request("GET", "/api/reports/7").status_code == 404


def test_a_report_leads_to_its_video(desk: Desk) -> None:
    report(desk)
    with desk.services.database.write() as connection:
        set_texts(connection, {"url": "https://video.example"})
    detail = desk.rescont("GET", "/api/reports/1")
    assert (detail["video"]["id"], detail["video"]["state"]) == (105, "shown")
    assert detail["page"] == "https://video.example/playVideo?id=105"
    removal.remove_videos(desk.services, [105])
    detail = desk.rescont("GET", "/api/reports/1")
    assert (detail["video"]["state"], detail["page"]) == ("removed", None)
    purging.purge_video(desk.services, 105)
    detail = desk.rescont("GET", "/api/reports/1")
    assert (detail["video"], detail["page"]) == (None, None)


def test_a_viewer_reads_no_contact_and_decides_nothing(desk: Desk) -> None:
    say(desk, 1)
    report(desk)
    desk.log_in(Role.VIEWER, "看客")
    listed = desk.request("GET", "/api/reports")
    assert (listed.json()["rescont"]["total"], "a@example.com" in listed.text) == (1, False)
    for path in ("/api/reports/1", "/api/feedback"):
        refused = desk.request("GET", path)
        assert (refused.status_code, "第" in refused.text) == (403, False)
    for path, body in (
        ("/api/feedback/1/state", {"state": "done"}),
        ("/api/reports/1/decision", {"state": "removed"}),
    ):
        assert desk.request("POST", path, body).status_code == 403
