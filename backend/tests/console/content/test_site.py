"""What the site calls itself, changed on the console and seen by visitors."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from liuying.features.operators.rules import Role
from tests.conftest import Client
from tests.console.content.conftest import refused
from tests.console.content.pictures import BAD, picture
from tests.console.desk import Desk


@pytest.fixture
def owner(desk: Desk) -> Desk:
    desk.log_in(Role.OWNER)
    return desk


def body(desk: Desk, texts: dict[str, str], **changed: Any) -> dict[str, Any]:
    """The form as it was opened, with something changed."""
    state = desk.rescont("GET", "/api/site")
    return {"texts": state["texts"] | texts, "revision": state["revision"]} | changed


def test_the_site_gets_a_name_and_texts_and_goes_back(owner: Desk, client: Client) -> None:
    state = owner.rescont("GET", "/api/site")
    assert (state["texts"], state["logo"], state["icon"]) == (state["defaults"], "", "")
    given = body(owner, {"name": "山海", "slogan": "", "theme_dark": "#102030"})
    changed = owner.rescont("PUT", "/api/site", given)
    assert changed["texts"]["name"] == "山海"
    assert changed["revision"] != given["revision"]
    client.application.look_for_changes()
    manifest = client.get("/manifest.webmanifest").json()
    assert (manifest["name"], manifest["theme_color"]) == ("山海", "#102030")
    entry = owner.rescont("GET", "/api/audit")["data"][0]
    assert (entry["action"], entry["before"]["name"], entry["after"]) == (
        "site.set",
        state["defaults"]["name"],
        {"name": "山海", "slogan": "", "theme_dark": "#102030"},
    )
    again = owner.rescont("PUT", "/api/site", body(owner, state["defaults"]))
    assert again["texts"] == state["defaults"]


def test_a_logo_and_an_icon_are_drawn_shown_and_taken_away(owner: Desk, client: Client) -> None:
    given = body(owner, {}, logo=picture("PNG", 900, 200), icon=picture("PNG", 400, 300))
    state = owner.rescont("PUT", "/api/site", given)
    sizes = {}
    for name in ("logo", "icon"):
        answer = owner.request("GET", state[name])
        assert answer.headers["content-type"] == "image/png"
        sizes[name] = Image.open(io.BytesIO(answer.content)).size
    assert sizes == {"logo": (640, 142), "icon": (192, 192)}
    client.application.look_for_changes()
    assert client.get("/site/icon-512.png").status_code == 200
    without = owner.rescont("PUT", "/api/site", body(owner, {}, removes_icon=True))
    assert (without["icon"], without["logo"]) == ("", state["logo"])
    client.application.look_for_changes()
    assert client.get("/site/icon-512.png").status_code == 404
    assert owner.request("GET", state["icon"]).status_code == 404


@pytest.mark.parametrize(
    ("texts", "pictures", "field"),
    [
        ({"name": ""}, {}, "name"),
        ({"name": "字" * 21}, {}, "name"),
        ({"theme_light": "red"}, {}, "theme_light"),
        ({"theme_dark": "#12345g"}, {"icon": picture("PNG", 400, 300)}, "theme_dark"),
        ({"url": "javascript:alert(1)"}, {}, "url"),
        ({"url": "https://example.com/path"}, {}, "url"),
        ({}, {"icon": picture("PNG", 100, 100)}, "icon"),
        *[({}, {"logo": BAD[kind]}, "logo") for kind in ("nothing", "SVG", "a bomb", "PDF")],
    ],
)
def test_what_cannot_be_is_said_of_its_field_and_changes_nothing(
    owner: Desk, texts: dict[str, str], pictures: dict[str, str], field: str
) -> None:
    before = owner.rescont("GET", "/api/site")
    given = body(owner, {"slogan": "不应保存"} | texts, **pictures)
    assert refused(owner, "PUT", "/api/site", given) == (422, field)
    assert owner.rescont("GET", "/api/site") == before


def test_the_second_of_two_owners_is_told(owner: Desk) -> None:
    given = body(owner, {"name": "第一"})
    owner.rescont("PUT", "/api/site", given)
    assert owner.request("PUT", "/api/site", given).status_code == 409


def test_only_an_owner_may(desk: Desk) -> None:
    for role in (Role.VIEWER, Role.EDITOR):
        desk.log_in(role)
        assert desk.request("GET", "/api/site").status_code == 403
        assert desk.request("PUT", "/api/site", {}).status_code in {403, 422}
    assert desk.request("GET", "/api/site/pictures/secrets.json").status_code == 404
