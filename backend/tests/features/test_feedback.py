"""Feedback: its rules, the call, and what the operator reads of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from liuying.cli.app import app
from liuying.features.feedback.rules import checked_content, defused
from liuying.features.feedback.tables import feedback
from liuying.kit.errors import InvalidInputError
from tests.conftest import Client

PATH = "/api/syssuggest"
CONTENT = "画面一直停在开头，声音正常"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "详情描述不能为空"),
        (" \n\t　", "详情描述不能为空"),
        ("一二三四五六七", "详情描述仅能介于 8 ~ 180 个字符"),
        ("  一二三四五六七  ", "详情描述仅能介于 8 ~ 180 个字符"),
        ("字" * 181, "详情描述仅能介于 8 ~ 180 个字符"),
        ("👨‍👩‍👧" * 37, "详情描述仅能介于 8 ~ 180 个字符"),  # 5 code points each
    ],
)
def test_wrong_descriptions(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        checked_content(text)
    assert caught.value.message == message


@pytest.mark.parametrize(
    "text", ["一二三四五六七八", "字" * 180, "𠮷" * 180, "  一二三四五六七八  ", "一二三\n四五六七"]
)
def test_right_descriptions(text: str) -> None:
    assert checked_content(text) == text.strip()


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_a_formula_is_defused(sign: str) -> None:
    assert defused(f"{sign}1+1") == f"'{sign}1+1"
    assert defused(f" \u3000{sign}1+1") == f"' \u3000{sign}1+1"


@given(st.text())
def test_no_cell_is_a_formula(text: str) -> None:
    cell = defused(text)
    assert cell.endswith(text)
    assert not cell.startswith(tuple("=+-@\t\r＝＋－＠"))


def send(client: Client, **values: object) -> tuple[int, str]:
    response = client.request("POST", PATH, json={"device": 2, "content": CONTENT, **values})
    answer = response.json()
    assert answer["code"] == response.status_code
    return response.status_code, answer["msg"]


def run(client: Client, *arguments: str) -> tuple[int, str, str]:
    """The command on the client's installation: exit code, standard output, standard error."""
    settings = client.services.settings
    environment = {
        "LIUYING_DATA_DIR": str(settings.data_dir),
        "LIUYING_DATABASE_URL": settings.database_url,
    }
    result = CliRunner().invoke(app, ["feedback", *arguments], env=environment)
    return result.exit_code, result.stdout, result.stderr


def test_a_report_reaches_the_operator(client: Client) -> None:
    body = {
        "device": 2,
        "title": "播放卡顿",
        "video_id": 105,
        "content": f"  {CONTENT}  ",
        "uuid": "annaanna0001",
        "diagnostics": {"error": "MEDIA_ERR_DECODE", "heights": [360]},
    }
    response = client.request("POST", PATH, json=body)
    assert response.headers["cache-control"] == "no-store"
    answer = response.json()
    assert (answer["code"], answer["msg"]) == (200, "提交成功，感谢您的反馈！")
    number = answer["rescont"]["id"]
    code, output, _ = run(client, "show", str(number), "--json")
    shown = json.loads(output)
    assert (code, shown["title"], shown["content"], shown["video_id"]) == (
        0,
        "播放卡顿",
        CONTENT,
        105,
    )
    assert shown["diagnostics"] == body["diagnostics"]
    assert len(shown["visitor"]) == 8
    assert "annaanna" not in output
    assert CONTENT in run(client, "list", "--unread")[1]
    assert run(client, "done", str(number))[0] == 0
    assert run(client, "list", "--unread")[1] == "共 0 条\n"
    assert json.loads(run(client, "list", "--json")[1])[0]["is_read"] is True


def test_what_may_be_left_out(client: Client) -> None:
    assert send(client, video_id="", title="")[0] == 200
    shown = json.loads(run(client, "show", "1", "--json")[1])
    assert (shown["title"], shown["video_id"], shown["visitor"], shown["diagnostics"]) == (
        "无法播放",
        None,
        "",
        None,
    )


def test_wrong_reports_are_refused_and_do_not_count(client: Client) -> None:
    wrong: list[dict[str, object]] = [
        {"device": 1},
        {"device": "2"},
        {"title": "字" * 41},
        {"title": 5},
        {"video_id": -1},
        {"video_id": "105x"},
        {"video_id": "１０５"},
        {"video_id": 2**31},
        {"title": "画质太差"},
        {"title": " 播放卡顿"},
        {"content": 5},
        {"content": "x\0" * 8},
        {"uuid": "SHORT"},
        {"uuid": 5},
        {"diagnostics": []},
        {"diagnostics": {"a": "x" * 8192}},
    ]
    for values in wrong:
        assert send(client, **values)[0] == 422, values
    assert send(client, content="")[1] == "详情描述不能为空"
    assert send(client, content="短")[1] == "详情描述仅能介于 8 ~ 180 个字符"
    sent = [send(client, content=f"{CONTENT}{one}")[0] for one in range(6)]
    assert sent == [200] * 5 + [429]
    assert run(client, "list")[1].endswith("共 5 条\n")


@pytest.mark.parametrize(
    ("body", "message", "field"),
    [
        ({"device": 2}, "详情描述不能为空", "content"),
        ({"content": None}, "详情描述不能为空", "content"),
        (None, "详情描述不能为空", "content"),
        ({"content": "短"}, "详情描述仅能介于 8 ~ 180 个字符", "content"),
        ({"content": 5}, "请求参数有误", "content"),
        ({"content": CONTENT, "title": "画质太差"}, "请求参数有误", "title"),
        ({"content": CONTENT, "uuid": "SHORT"}, "请输入正确的资料识别码", "uuid"),
        ({"content": CONTENT, "diagnostics": {"a": "x" * 8192}}, "诊断信息过大", "diagnostics"),
    ],
)
def test_a_refusal_says_what_and_where(
    client: Client, body: object, message: str, field: str
) -> None:
    response = client.request("POST", PATH, json=body)
    answer = response.json()
    assert (response.status_code, answer["msg"]) == (422, message)
    assert [one["field"] for one in answer["rescont"]] == [field]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("28", None),
        (28, None),
        ("9999999999", None),
        ("105", 105),
        (105, 105),
        ("0105", 105),
        (0, None),
    ],
)
def test_a_video_that_is_not_there_leaves_no_link(client: Client, said: object, kept: int) -> None:
    assert send(client, video_id=said)[0] == 200
    assert json.loads(run(client, "show", "1", "--json")[1])["video_id"] == kept


def test_too_often(client: Client) -> None:
    for _ in range(5):
        send(client)
    response = client.request(
        "POST", PATH, {"x-forwarded-for": "198.51.100.1"}, json={"content": CONTENT}
    )
    assert response.status_code == 429
    assert 50 <= int(response.headers["retry-after"]) <= 60
    client.address = "203.0.113.9"
    assert send(client)[0] == 200


def numbered(client: Client, headers: dict[str, str] | None = None, **values: object) -> int:
    response = client.request("POST", PATH, headers, json={"content": CONTENT, **values})
    assert response.status_code == 200
    return int(response.json()["rescont"]["id"])


def test_a_repeated_message_is_the_same_one(client: Client) -> None:
    """A visitor who was told 503 sends it again, with what the player says by now."""
    first = numbered(client)
    assert numbered(client, diagnostics={"heights": [360]}) == first
    assert numbered(client, content=f" {CONTENT}\n") == first
    client.address = "203.0.113.9"
    assert numbered(client) > first
    for other in ({"title": "播放卡顿"}, {"video_id": 105}, {"uuid": "annaanna0001"}):
        assert numbered(client, **other) > first
    # A code is the same visitor in every network.
    code = {"x-visitor-code": "annaanna0002"}
    own = numbered(client, code)
    client.address = "203.0.113.10"
    assert numbered(client, code) == own
    assert run(client, "list")[1].endswith("共 6 条\n")


def test_a_repeated_message_counts_as_a_use(client: Client) -> None:
    """The limit is one of requests: it stays exact, whatever they say."""
    assert [send(client)[0] for _ in range(6)] == [200] * 5 + [429]
    assert run(client, "list")[1].endswith("共 1 条\n")


def test_nothing_steers_the_terminal_or_a_table(client: Client, tmp_path: Path) -> None:
    hostile = "=HYPERLINK(1)\x1b[2J\x07\u202e 画面停住"
    body = {"content": hostile, "diagnostics": {"\x1b[31m": "\x9b1m"}}
    assert client.request("POST", PATH, json=body).status_code == 200
    # As an earlier version took any type of issue.
    with client.services.database.write() as connection:
        connection.execute(sa.update(feedback).values(title="+\x1b]0;x\x07"))
    for arguments in (("list",), ("show", "1"), ("show", "1", "--json"), ("list", "--json")):
        code, output, _ = run(client, *arguments)
        assert code == 0
        assert all(sign.isprintable() or sign == "\n" for sign in output), arguments
    assert json.loads(run(client, "show", "1", "--json")[1])["content"] == hostile
    table = tmp_path / "reports.csv"
    assert run(client, "export", str(table))[0] == 0
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert (rows[0]["content"], rows[0]["title"][:2]) == (f"'{hostile}", "'+")
    lines = tmp_path / "reports.jsonl"
    assert run(client, "export", str(lines))[0] == 0
    assert json.loads(lines.read_text(encoding="utf-8"))["content"] == hostile
    assert table.stat().st_mode & 0o077 == 0
    assert sorted(one.suffix for one in tmp_path.iterdir() if one.is_file()) == [".csv", ".jsonl"]


def test_wrong_commands_end_with_one_line(client: Client, tmp_path: Path) -> None:
    (tmp_path / "there.csv").touch()
    for arguments, expected in (
        (("show", "9"), 1),
        (("done", "9"), 1),
        (("export", str(tmp_path / "a.txt")), 2),
        (("export", str(tmp_path / "there.csv")), 2),
        (("export", str(tmp_path / "nowhere" / "a.csv")), 1),
    ):
        code, output, error = run(client, *arguments)
        assert (code, output, error.count("\n")) == (expected, "", 1), arguments
    assert run(client, "show", "x")[0] == 2
    assert run(client, "list", "--limit", "0")[0] == 2
