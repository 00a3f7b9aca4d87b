"""The age gate and the page of what was taken down, on the console."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from liuying.workflows.taking_down import begin_take_down
from tests.conftest import Client
from tests.console.content.conftest import last_entry, refused
from tests.console.desk import Desk


@pytest.fixture
def client(desk: Desk) -> Iterator[Client]:
    opened = Client(desk.services)
    yield opened
    opened.close()


def config(client: Client) -> Any:
    client.application.look_for_changes()
    return client.rescont("/api/config")


def test_a_category_is_gated_by_an_editor(desk: Desk, client: Client) -> None:
    known = {one["id"]: one for one in desk.rescont("GET", "/api/categories")}[2]
    assert known["is_gated"] is False
    body = {"name": "美食", "is_gated": True, "revision": known["revision"]}
    changed = desk.rescont("PUT", "/api/categories/2", body)
    assert changed["is_gated"] is True
    assert last_entry(desk)["after"] == {"is_gated": True}
    assert config(client)["age_gate"]["covers_site"] is False
    items = client.rescont("/api/videosort/2")["data"]
    assert all(one["isGated"] for one in items)
    assert desk.request("PUT", "/api/categories/2", body).status_code == 409
    added = desk.rescont("POST", "/api/categories", {"name": "夜场", "is_gated": True})
    assert added["is_gated"] is True


def test_the_whole_site_is_the_owners(desk: Desk, client: Client) -> None:
    for role in (Role.VIEWER, Role.EDITOR):
        desk.log_in(role)
        assert desk.request("GET", "/api/age-gate").status_code == 403
        assert desk.request("PUT", "/api/age-gate", {"covers_site": True}).status_code == 403
        assert desk.request("PUT", "/api/removals", {"is_shown": True}).status_code == 403
    desk.log_in()
    known = desk.rescont("GET", "/api/age-gate")
    assert (known["covers_site"], known["categories"], known["unsettled"]) == (False, [], 0)
    body = {"covers_site": True, "title": "成年了吗", "revision": known["revision"]}
    changed = desk.rescont("PUT", "/api/age-gate", body)
    assert (changed["covers_site"], changed["unsettled"] > 0) == (True, True)
    assert config(client)["age_gate"]["title"] == "成年了吗"
    entry = last_entry(desk)
    assert (entry["action"], entry["after"]) == (
        "age_gate.edit",
        {"covers_site": True, "title": "成年了吗"},
    )
    desk.log_in()
    assert desk.request("PUT", "/api/age-gate", body).status_code == 409
    again = {"covers_site": False, "text": "长" * 301, "revision": changed["revision"]}
    assert refused(desk, "PUT", "/api/age-gate", again) == (422, "text")


def test_what_was_taken_down_is_shown_by_the_owner(
    desk: Desk, client: Client, filled: Services
) -> None:
    begin_take_down(filled, 101, "版权方要求下架")
    desk.log_in()
    known = desk.rescont("GET", "/api/removals")
    assert (known["is_shown"], known["total"]) == (False, 1)
    assert known["latest"][0]["title"] == "视频 101"
    assert "has_removals" not in config(client)
    body = {"is_shown": True, "shows_titles": True, "revision": known["revision"]}
    desk.rescont("PUT", "/api/removals", body)
    assert config(client)["has_removals"] is True
    assert client.rescont("/api/removals")["data"][0]["title"] == "视频 101"
    assert last_entry(desk)["after"] == {"is_shown": True, "shows_titles": True}
    desk.log_in()
    assert desk.request("PUT", "/api/removals", body).status_code == 409
    off = {"is_shown": False, "shows_titles": True}
    revision = desk.rescont("GET", "/api/removals")["revision"]
    hidden = desk.rescont("PUT", "/api/removals", off | {"revision": revision})
    assert hidden["shows_titles"] is False
    client.application.look_for_changes()
    assert client.get("/api/removals").status_code == 404
