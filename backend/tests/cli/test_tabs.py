"""`liuying tab`: what the operator changes of the bar, visitors see without a restart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner, Result

from liuying.cli.app import app
from liuying.installation.services import Services
from tests.conftest import Client

Run = Callable[..., Result]


@pytest.fixture
def run(filled: Services, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(filled.data_dir))
    monkeypatch.setenv("LIUYING_DATABASE_URL", filled.settings.database_url)

    def call(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["tab", *arguments])

    return call


def shown(client: Client) -> list[dict[str, Any]]:
    client.application.look_for_changes()
    tabs: list[dict[str, Any]] = client.rescont("/api/config")["tabs"]
    return tabs


def test_the_bar_begins_with_the_sites_own(client: Client) -> None:
    assert [(one["key"], one["name"], one["url"]) for one in shown(client)] == [
        ("home", "首页", "/home"),
        ("rank", "排行", "/rank"),
        ("find", "发现", "/find"),
        ("miin", "miin", "/miin"),
        ("favorites", "看看", "/favorites"),
        ("mine", "我的", "/mine"),
    ]
    assert shown(client)[2]["routes"] == ["find", "rank", "artist", "tags"]


def test_names_icons_and_places_change_at_once(run: Run, client: Client) -> None:
    shown(client)
    assert (
        run("edit", "miin", "--name", "短视频", "--icon", "eye", "--position", "0").exit_code == 0
    )
    first, second, *_ = shown(client)
    assert (first["key"], second["key"]) == ("home", "miin")
    assert (second["name"], second["image"], second["image_gray"]) == (
        "短视频",
        "eye",
        "eye-outline",
    )


def test_an_entry_leads_out_of_the_site_and_goes_again(run: Run, client: Client) -> None:
    assert run("hide", "favorites").stdout == "已隐藏入口 favorites\n"
    assert (
        run("add", "商城", "https://shop.example/", "--position", "4").stdout
        == "已新建入口 link1\n"
    )
    assert [one["key"] for one in shown(client)] == [
        "home",
        "rank",
        "find",
        "miin",
        "link1",
        "mine",
    ]
    made = shown(client)[4]
    assert (made["open_type"], made["url"], made["routes"]) == ("link", "https://shop.example/", [])
    assert run("edit", "link1", "--url", "https://new.example/").exit_code == 0
    assert shown(client)[4]["url"] == "https://new.example/"
    assert run("remove", "link1", "--yes").exit_code == 0
    assert run("unhide", "favorites").exit_code == 0
    assert len(shown(client)) == 6
    rows = msgspec.json.decode(run("list", "--json").stdout)
    assert [row["key"] for row in rows] == ["home", "rank", "find", "miin", "favorites", "mine"]


@pytest.mark.parametrize(
    ("arguments", "sentence", "code"),
    [
        (("hide", "home"), "不能隐藏", 1),
        (("hide", "nowhere"), "没有代号为 nowhere 的入口", 1),
        (("remove", "rank", "--yes"), "不能删除", 1),
        (("remove", "rank"), "请加 --yes 确认", 2),
        (("edit", "rank", "--url", "https://a.example/"), "不能改链接", 1),
        (("edit", "rank", "--name", "九个字的名称太长了啊"), "名称", 1),
        (("edit", "rank", "--icon", "sun"), "图标应为 home、", 1),
        (("edit", "rank", "--position", "1001"), "0 到 1000", 1),
        (("edit", "rank"), "没有要修改的内容", 2),
        (("add", "商城", "https://shop.example/"), "最多显示 6 个入口", 1),
        (("add", "商城", "javascript:alert(1)"), "http://", 1),
    ],
)
def test_wrong_entries_are_refused(
    run: Run, client: Client, arguments: tuple[str, ...], sentence: str, code: int
) -> None:
    before = shown(client)
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert shown(client) == before
