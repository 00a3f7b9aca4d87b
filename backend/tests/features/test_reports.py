"""Reports of videos: their rules, the calls, and what the operator decides."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from liuying.cli.app import app
from liuying.features.reports.rules import (
    RECEIPT_SIGNS,
    checked_text,
    new_salt,
    read_receipt,
    receipt_of,
)
from liuying.features.reports.schemas import NewReport
from liuying.features.reports.service import store
from liuying.features.reports.tables import report, report_mark, reported_video
from liuying.http.housekeeping import Housekeeping
from liuying.kit.caller import Caller
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import DAY_MS
from liuying.kit.errors import InvalidInputError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.repeated_writes import REPEATED_WITHIN_MS
from liuying.workflows.editing import set_hidden
from liuying.workflows.purging import purge_video
from liuying.workflows.removal import remove_videos, restore_videos
from tests.catalogue_factory import NOW
from tests.conftest import Client

PATH, STATE = "/api/report", "/api/report/state"
VIDEO = 105


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def send(client: Client, video_id: int = VIDEO, **fields: object) -> dict[str, str]:
    values = {"video_id": video_id, "reason": "侵犯版权"} | fields
    answer = client.request("POST", PATH, json=values)
    assert answer.status_code == 200, answer.text
    found: dict[str, str] = answer.json()["rescont"]
    return found


def state(client: Client, receipt: str) -> tuple[int, str]:
    answer = client.request("POST", STATE, json={"receipt": receipt})
    body = answer.json()
    return answer.status_code, body["rescont"]["text"] if answer.is_success else body["msg"]


@given(st.text(RECEIPT_SIGNS, min_size=12, max_size=12))
def test_a_receipt_is_read_however_it_is_typed(receipt: str) -> None:
    spelled = f" {receipt[:4].lower()}-{receipt[4:8]} {receipt[8:]} "
    assert read_receipt(spelled) == receipt
    assert read_receipt(spelled.replace("1", "l").replace("0", "o")) == receipt


@pytest.mark.parametrize(
    "text", ["", "ABCD-EFGH", "ABCD-EFGH-JKM!", "A" * 13, "１２３４５６７８９０１２"]
)
def test_what_is_no_receipt(text: str) -> None:
    assert read_receipt(text) is None


def test_receipts_differ_and_use_every_sign() -> None:
    hashes = KeyedHashes(bytes(32))
    receipts = {receipt_of(hashes, new_salt(), "203.0.113.7", VIDEO) for _ in range(200)}
    assert len(receipts) == 200
    assert set("".join(receipts)) == set(RECEIPT_SIGNS)
    assert all(read_receipt(one) == one for one in receipts)


def test_a_receipt_needs_all_that_it_is_made_of() -> None:
    made = {
        receipt_of(hashes, salt, network)
        for hashes in (KeyedHashes(bytes(32)), KeyedHashes(b"1" * 32))
        for salt in ("0" * 32, "1" * 32)
        for network in ("203.0.113.7", "203.0.113.8")
    }
    assert len(made) == 8


def test_texts() -> None:
    assert checked_text("  盗录 ", "侵犯版权") == "盗录"
    assert checked_text("", "侵犯版权") == ""
    assert checked_text("字" * 500, "其他") == "字" * 500
    for wrong, reason in (("字" * 501, "侵犯版权"), (" \n", "其他")):
        with pytest.raises(InvalidInputError):
            checked_text(wrong, reason)


def test_one_entry_a_video_with_a_receipt_for_each_report(client: Client) -> None:
    first = send(client, content="第一行\n第二行\u202e", contact="a@example.com")["receipt"]
    second = send(client, reason="违法违规")["receipt"]
    assert first != second
    for receipt in (first, second, f"{first[:4]}-{first[4:8]}-{first[8:]}".lower()):
        assert state(client, receipt) == (200, "已收到，等待处理")
    with client.services.database.read() as connection:
        (entry,) = connection.execute(sa.select(reported_video)).all()
        reports = connection.execute(sa.select(report).order_by(report.c.id)).all()
    assert (entry.video_id, entry.reports, entry.title) == (VIDEO, 1, "视频 105")
    assert (reports[0].content, reports[0].contact) == ("第一行\n第二行", "a@example.com")
    assert first not in str(reports)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"video_id": 9999}, 404),
        ({"video_id": 0}, 422),
        ({"reason": "不好看"}, 422),
        ({"reason": "其他"}, 422),
        ({"content": "字" * 501}, 422),
        ({"contact": "字" * 101}, 422),
        ({"content": "\x00"}, 422),
    ],
)
def test_wrong_reports(client: Client, fields: dict[str, object], status: int) -> None:
    values = {"video_id": VIDEO, "reason": "侵犯版权"} | fields
    answer = client.request("POST", PATH, json=values)
    assert answer.status_code == status
    with client.services.database.read() as connection:
        assert not connection.execute(sa.select(reported_video)).all()


def test_a_hidden_video_cannot_be_told_from_none(client: Client) -> None:
    set_hidden(client.services, [VIDEO], is_hidden=True)
    answers = [
        client.request("POST", PATH, json={"video_id": one, "reason": "其他", "content": "为什么"})
        for one in (VIDEO, 9999)
    ]
    assert [one.status_code for one in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()


def test_limits(client: Client) -> None:
    for _ in range(3):  # What is refused for its form does not count.
        assert (
            client.request("POST", PATH, json={"video_id": 1, "reason": "其他"}).status_code == 422
        )
    for _ in range(5):
        send(client)
    answer = client.request("POST", PATH, json={"video_id": VIDEO, "reason": "侵犯版权"})
    assert (answer.status_code, "retry-after" in answer.headers) == (429, True)
    found = [state(client, "0" * 12)[0] for _ in range(21)]
    assert found == [404] * 20 + [429]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["report", *arguments])


def run_on(client: Client, *arguments: str) -> Result:
    settings = client.services.settings
    environment = {
        "LIUYING_DATA_DIR": str(settings.data_dir),
        "LIUYING_DATABASE_URL": settings.database_url,
    }
    return CliRunner().invoke(app, ["report", *arguments], env=environment)


def test_what_the_operator_decides(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = client.services.settings
    monkeypatch.setenv("LIUYING_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("LIUYING_DATABASE_URL", settings.database_url)
    receipt = send(client, content="盗录\x1b")["receipt"]
    assert "1 次  视频 105" in run("list").stdout
    assert "盗录" in run("show", "1").stdout
    assert run("work", "1").exit_code == 0
    assert state(client, receipt) == (200, "正在处理")
    assert run("dismiss", "1", "--note", "已核实").exit_code == 0
    assert state(client, receipt) == (200, "已处理：没有发现违规")
    assert "已经处理过" in run("dismiss", "1").stderr
    assert "没有编号为 7 的举报" in run("show", "7").stderr
    assert "已经处理过" in run("remove", "1").stderr
    assert client.get(f"/api/videoplay/{VIDEO}").status_code == 200
    assert "共 0 个视频" in run("list").stdout
    again = send(client)["receipt"]
    assert run("remove", "2").exit_code == 0
    client.application.look_for_changes()
    assert client.get(f"/api/videoplay/{VIDEO}").status_code == 404
    assert state(client, again) == (200, "已处理：视频已下架")
    assert state(client, receipt) == (200, "已处理：没有发现违规")


def counted(client: Client) -> list[int]:
    with client.services.database.read() as connection:
        statement = sa.select(reported_video.c.reports).order_by(reported_video.c.id)
        return list(connection.execute(statement).scalars())


def test_a_network_counts_once_a_day_for_a_video(client: Client) -> None:
    """However often it reports; each report is kept and has its receipt."""
    services = client.services

    def report_from(
        network: str, moment: int = NOW, video_id: int = VIDEO, content: str = ""
    ) -> str:
        with services.database.write() as connection:
            given = NewReport(video_id, "侵犯版权", content)
            caller = Caller(None, ClientNetwork(network))
            return store(connection, services.hashes, given, caller, moment)

    receipts = {report_from("203.0.113.7", content=str(one)) for one in range(5)}
    assert (len(receipts), counted(client)) == (5, [1])
    report_from("203.0.113.8")
    report_from("203.0.113.7", video_id=106)
    assert counted(client) == [2, 1]
    report_from("203.0.113.7", NOW + DAY_MS)
    assert counted(client) == [3, 1]
    with services.database.read() as connection:
        marks = connection.execute(sa.select(report_mark)).all()
    assert "203.0.113" not in str(marks)
    later = msgspec.structs.replace(services, clock=lambda: NOW + 2 * DAY_MS)
    Housekeeping(later).prune()
    with services.database.read() as connection:
        assert not connection.execute(sa.select(report_mark)).all()
    # What was decided does not swallow the next one.
    assert run_on(client, "dismiss", "1").exit_code == 0
    report_from("203.0.113.7", NOW + DAY_MS, content="还在")
    assert counted(client) == [3, 1, 1]


def test_a_repeated_report_is_the_same_one(client: Client) -> None:
    """A visitor who was told 503 sends it again: one report, one receipt."""
    said: dict[str, Any] = {"content": "盗录", "contact": "a@example.com"}
    first = send(client, **said)
    assert send(client, **(said | {"content": " 盗录 "})) == first
    for other in ({"video_id": 106, "reason": "违法违规"}, {"content": "盗用"}):
        assert send(client, **(said | other)) != first
    client.address = "203.0.113.9"
    assert send(client, **said) != first
    with client.services.database.read() as connection:
        assert len(connection.execute(sa.select(report)).all()) == 4
    client.address = "127.0.0.1"
    # Also where the video has gone meanwhile: it was reported when it was there.
    remove_videos(client.services, [VIDEO])
    assert send(client, **said) == first
    assert state(client, first["receipt"]) == (200, "已处理：视频已下架")


def test_neighbours_with_codes_report_on_their_own(client: Client) -> None:
    """And a code is the same visitor in every network."""
    codes = [{"x-visitor-code": f"annaanna000{one}"} for one in (1, 2)]
    body = {"video_id": VIDEO, "reason": "侵犯版权"}

    def receipt(headers: dict[str, str]) -> str:
        answer = client.request("POST", PATH, headers, json=body)
        return str(answer.json()["rescont"]["receipt"])

    first, second = map(receipt, codes)
    assert first != second
    client.address = "203.0.113.9"
    assert receipt(codes[0]) == first
    with client.services.database.read() as connection:
        assert len(connection.execute(sa.select(report)).all()) == 2
    assert counted(client) == [1]


def test_the_same_report_later_is_another_one(client: Client) -> None:
    services = client.services

    def report_at(moment: int) -> str:
        with services.database.write() as connection:
            given = NewReport(VIDEO, "侵犯版权")
            caller = Caller(None, ClientNetwork("unknown"))
            return store(connection, services.hashes, given, caller, moment)

    receipts = [
        report_at(NOW + waited) for waited in (0, REPEATED_WITHIN_MS - 1, REPEATED_WITHIN_MS)
    ]
    assert receipts[0] == receipts[1] != receipts[2]
    assert {state(client, one)[0] for one in receipts} == {200}


def test_a_receipt_tells_that_the_video_is_back(client: Client) -> None:
    receipt = send(client)["receipt"]
    remove_videos(client.services, [VIDEO])
    assert state(client, receipt) == (200, "已处理：视频已下架")
    restore_videos(client.services, [VIDEO])
    assert state(client, receipt) == (200, "已处理：视频曾经下架，复核后已恢复")
    remove_videos(client.services, [VIDEO])
    assert state(client, receipt) == (200, "已处理：视频已下架")


def test_a_takedown_decides_what_was_reported(client: Client) -> None:
    receipt = send(client)["receipt"]
    purge_video(client.services, VIDEO, "版权投诉")
    assert state(client, receipt) == (200, "已处理：视频已下架")
