"""What the command line says when something is typed wrongly, or the world is not as it
should be.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from liuying.cli.app import app
from liuying.cli.help_page import fold


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("vido",), "没有命令 vido，是不是 vendor 或 video？"),
        (("video", "lst"), "没有命令 lst，是不是 list？"),
        (("video", "list", "--limt", "3"), "没有选项 --limt，是不是 --limit？"),
        (("video", "list", "--limit"), "选项 --limit 后面要写值"),
        (("video", "list", "--limit", "many"), "--limit 的值不对：应为整数"),
        (("video", "list", "--limit", "0"), "--limit 的值不对：不能小于 1"),
        (("stats", "--days", "31"), "--days 的值不对：不能大于 30"),
        (("import", "--rest", "x"), "--rest 的值不对：应为数字"),
        (("video", "list", "a", "b"), "多写了 a b"),
        (("notice", "add"), "缺少 标题"),
        (("vendor", "add", "acme"), "缺少 --name"),
        (
            ("jobs", "list", "--state", "nope"),
            "应为 waiting、running、done、failed、cancelled 之一",
        ),
    ],
)
def test_wrong_usage_is_one_chinese_line(arguments: tuple[str, ...], sentence: str) -> None:
    result = CliRunner().invoke(app, list(arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_help_is_chinese_and_fits_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (["--help"], ["import", "--help"], ["jobs", "list", "--help"], ["video"]):
        page = CliRunner().invoke(app, arguments).output
        assert page.startswith("用法：")
        assert "显示这段说明。" in page
        for word in ("Usage", "Options", "Show this", "required", "default", "<int", "<str"):
            assert word not in page
        assert max(cell_len(line) for line in page.splitlines()) <= 80


def test_lines_break_between_chinese_signs_and_never_before_a_comma() -> None:
    assert fold("旅行旅行旅行，abc def", 10) == ["旅行旅行旅", "行，abc", "def"]
    assert fold("旅行旅行旅，行", 10) == ["旅行旅行", "旅，行"]
    assert fold("", 10) == [""]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("{}", "已损坏，请从备份恢复"), ("no json", "已损坏，请从备份恢复")],
)
def test_broken_secrets_are_named(empty: Path, content: str, sentence: str) -> None:
    empty.mkdir()
    (empty / "secrets.json").write_text(content)
    result = CliRunner().invoke(app, ["video", "list"])
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_data_folder_that_is_a_file_is_named(empty: Path) -> None:
    empty.write_text("")
    result = CliRunner().invoke(app, ["video", "list"])
    assert result.exit_code == 1
    assert result.stderr == f"系统错误：已存在同名的文件（{empty}）\n"


def test_a_broken_database_is_named(empty: Path) -> None:
    empty.mkdir()
    (empty / "liuying.db").write_text("this is no database" * 100)
    result = CliRunner().invoke(app, ["video", "list"])
    assert (result.exit_code, result.stderr) == (1, "数据库无法使用：文件不是数据库\n")


def test_a_database_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIUYING_DATABASE_URL", "postgresql+psycopg://somebody:hidden@127.0.0.1:1/x")
    result = CliRunner().invoke(app, ["video", "list"])
    assert result.exit_code == 1
    assert result.stderr.startswith("数据库无法使用：")
    assert "hidden" not in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "command",
    [
        ("video", "show", "{}"),
        ("video", "hide", "1", "{}"),
        ("video", "remove", "{}", "--yes"),
        ("video", "subtitles", "{}", "--remove", "--language", "en"),
        ("notice", "remove", "{}", "--yes"),
        ("ad", "remove", "{}", "--yes"),
        ("link", "edit", "{}", "--title", "x"),
        ("jobs", "show", "{}"),
        ("feedback", "show", "{}"),
        ("topic", "set", "雪山", "{}"),
        ("category", "add", "旅行", "--position", "{}"),
        ("banner", "add", "春天", "--position", "{}"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("number", [2**31, 2**63])
def test_a_number_that_no_database_holds_is_wrong_usage(
    command: tuple[str, ...], number: int
) -> None:
    result = CliRunner().invoke(app, [part.format(number) for part in command])
    assert result.exit_code == 2
    assert "不能大于 2147483647" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_what_is_not_confirmed_is_not_done() -> None:
    result = CliRunner().invoke(app, ["notice", "remove", "1"])
    assert (result.exit_code, result.stderr) == (2, "将删除公告 1。请加 --yes 确认\n")


def test_ctrl_c_is_said_and_has_a_code_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("liuying.cli.videos.existing_installation", interrupt)
    result = CliRunner().invoke(app, ["video", "list"])
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "已中断\n")


def test_an_example_over_two_lines_keeps_the_blank_before_an_option() -> None:
    result = CliRunner().invoke(app, ["setup", "--help"])
    assert "--category 旅行 --ads no" in " ".join(result.stdout.split())
