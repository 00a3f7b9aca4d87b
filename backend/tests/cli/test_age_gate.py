"""`liuying age-gate`, `liuying category gate` and `liuying removals`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from liuying.cli.app import app
from liuying.core.catalogue.age_gate import DEFAULT_TITLE
from liuying.installation.services import Services
from liuying.workflows.removal import remove_videos
from liuying.workflows.taking_down import begin_take_down
from tests.conftest import Client

Run = Callable[..., Result]


@pytest.fixture
def run(filled: Services, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(filled.data_dir))
    monkeypatch.setenv("LIUYING_DATABASE_URL", filled.settings.database_url)

    def call(*arguments: str, code: int = 0) -> Result:
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == code, result.output
        return result

    return call


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    opened = Client(filled)
    yield opened
    opened.close()


def told(run: Run, *arguments: str) -> Any:
    return json.loads(run(*arguments, "--json").output)


def gated(client: Client) -> set[int]:
    client.application.look_for_changes()
    items = client.rescont("/api/videosort/0?orderby=new&page=1")["data"]
    return {one["type_id"] for one in items if one.get("isGated")}


def test_a_category_is_gated_and_opened(run: Run, client: Client) -> None:
    assert told(run, "category", "gate", "美食")["is_gated"] is True
    assert gated(client) == {2}
    assert told(run, "age-gate", "show")[0]["categories"] == ["美食"]
    assert "美食" in run("age-gate", "show").output
    assert told(run, "category", "ungate", "2")["is_gated"] is False
    assert gated(client) == set()
    assert "没有编号或名称为「不存在」的分类" in run("category", "gate", "不存在", code=1).output


def test_the_whole_site(run: Run, client: Client) -> None:
    assert "整个网站先确认年龄" in run("age-gate", "on").output
    assert gated(client) == {1, 2, 3}
    values = told(run, "age-gate", "text", "--title", "成年了吗", "--text", "说明")
    assert (values["title"], values["text"], values["covers_site"]) == ("成年了吗", "说明", True)
    client.application.look_for_changes()
    assert client.rescont("/api/config")["age_gate"]["title"] == "成年了吗"
    assert told(run, "age-gate", "text", "--title", "")["title"] == DEFAULT_TITLE
    assert told(run, "age-gate", "off")["covers_site"] is False
    assert gated(client) == set()


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (("text",), "请写要设置的文案", 2),
        (("text", "--title", "长" * 41), "标题最多 40 个字", 1),
        (("text", "--text", "长" * 301), "说明最多 300 个字", 1),
    ],
)
def test_what_is_refused(run: Run, arguments: tuple[str, ...], said: str, code: int) -> None:
    assert said in run("age-gate", *arguments, code=code).output


def test_what_was_taken_down_is_told_or_not(run: Run, client: Client, filled: Services) -> None:
    begin_take_down(filled, 101, "版权方要求下架")
    client.application.look_for_changes()
    unknown = client.get("/no-such-page")
    for path in ("/api/removals", "/removals"):
        assert client.get(path).status_code == 404
    assert "has_removals" not in client.rescont("/api/config")
    assert client.get("/removals").text.replace("/removals", "") == unknown.text.replace(
        "/no-such-page", ""
    )

    assert told(run, "removals", "on") == {"is_shown": True, "shows_titles": False}
    client.application.look_for_changes()
    (seen,) = client.rescont("/api/removals")["data"]
    assert (seen["reason"], seen["title"]) == ("版权方要求下架", None)
    assert client.rescont("/api/config")["has_removals"] is True
    page = client.get("/removals")
    assert (page.status_code, "下架公示" in page.text) == (200, True)

    assert told(run, "removals", "on", "--titles")["shows_titles"] is True
    client.application.look_for_changes()
    assert client.rescont("/api/removals")["data"][0]["title"] == "视频 101"
    assert client.rescont("/api/removals?page=2")["data"] == []
    assert "视频 101" in run("removals", "show").output
    assert told(run, "removals", "show")[0]["removals"][0]["reason"] == "版权方要求下架"

    run("removals", "off")
    client.application.look_for_changes()
    assert client.get("/api/removals").status_code == 404
    assert client.get("/removals").status_code == 404


def test_what_is_only_in_the_bin_is_not_told(run: Run, client: Client, filled: Services) -> None:
    remove_videos(filled, [100], "有人举报")
    run("removals", "on", "--titles")
    client.application.look_for_changes()
    assert client.rescont("/api/removals")["data"] == []
