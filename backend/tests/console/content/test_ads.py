"""Advertisements and the carousel on the console."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from liuying.kit.clock import DAY_MS, to_iso
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.console.content.conftest import last_entry, refused
from tests.console.content.pictures import BAD, encoded, picture
from tests.console.desk import Desk


def body(**changed: Any) -> dict[str, Any]:
    values = {
        "slot": "USER",
        "title": "春游",
        "text": "去看海",
        "url": "https://example.com/spring",
        "weight": 1,
        "image": picture(),
    }
    return values | changed


def ads(desk: Desk, slot: str) -> list[dict[str, Any]]:
    return [one for one in desk.rescont("GET", "/api/ads")["ads"] if one["slot"] == slot]


def kept(ad: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """An advertisement's form, unchanged but for some values."""
    names = ("slot", "title", "text", "url", "weight", "tag", "starts_at", "ends_at", "revision")
    return {name: ad[name] for name in names} | changed


def test_what_is_added_is_seen_ended_and_gone(desk: Desk, client: Client) -> None:
    def seen() -> list[str]:
        client.application.look_for_changes()
        return [one["title"] for one in client.rescont("/api/adinfo/USER")]

    added = desk.rescont("POST", "/api/ads", body())
    assert added["state"] == "running"
    assert ads(desk, "USER")[-1]["id"] == added["id"]
    assert "春游" in seen()
    entry = last_entry(desk)
    assert (entry["action"], entry["before"], entry["after"]["title"]) == ("ad.add", None, "春游")
    desk.time.now = NOW
    ended = desk.rescont("POST", f"/api/ads/{added['id']}/end")
    assert ended["state"] == "ended"
    assert "春游" not in seen()
    assert refused(desk, "POST", f"/api/ads/{added['id']}/end") == (422, "ends_at")
    # Runs again once its end is taken away.
    again = desk.rescont("PUT", f"/api/ads/{added['id']}", kept(ended, ends_at=None))
    assert (again["state"], again["picture"]) == ("running", added["picture"])
    assert "春游" in seen()
    desk.rescont("DELETE", f"/api/ads/{added['id']}")
    assert "春游" not in seen()
    assert last_entry(desk)["before"]["title"] == "春游"
    for method, path in (("DELETE", ""), ("POST", "/end")):
        assert desk.request(method, f"/api/ads/{added['id']}{path}").status_code == 404
    assert desk.request("PUT", f"/api/ads/{added['id']}", kept(ended)).status_code == 404


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_pictures_are_shown_as_they_were_given(desk: Desk, kind: str) -> None:
    added = desk.rescont("POST", "/api/ads", body(image=picture(kind, 128, 56, tone=200)))
    assert (added["picture"]["width"], added["picture"]["height"]) == (128, 56)
    answer = desk.request("GET", added["picture"]["url"])
    assert answer.headers["content-type"] == ("image/webp" if kind == "GIF" else "image/avif")
    shown = Image.open(io.BytesIO(answer.content)).convert("RGB")
    assert shown.size == (128, 56)
    red, green, blue = shown.getpixel((60, 20))  # type: ignore[misc]  # of an RGB picture
    assert abs(red - 200) < 20
    assert abs(green - 40) < 20
    assert abs(blue - 160) < 20


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_picture_is_refused(desk: Desk, name: str) -> None:
    before = desk.rescont("GET", "/api/ads")
    assert refused(desk, "POST", "/api/ads", body(image=BAD[name])) == (422, "image")
    assert desk.rescont("GET", "/api/ads") == before


def test_a_picture_has_a_largest_size(desk: Desk) -> None:
    large = encoded(b"\xff\xd8\xff" + bytes(8 * 2**20))
    assert refused(desk, "POST", "/api/ads", body(image=large)) == (422, "image")
    huge = encoded(bytes(9 * 2**20))
    assert desk.request("POST", "/api/ads", body(image=huge)).status_code == 413


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"slot": "TOP"}, "slot"),
        ({"title": "\u200b"}, "title"),
        ({"title": "字" * 81}, "title"),
        ({"text": "字" * 121}, "text"),
        ({"url": "javascript:alert(1)"}, "url"),
        ({"url": "//evil.example"}, "url"),
        ({"weight": 0}, "weight"),
        ({"image": None}, "image"),
        ({"slot": "BANNER"}, "tag"),
        ({"slot": "BANNER", "tag": "没有的"}, "tag"),
        ({"starts_at": "morgen"}, "starts_at"),
        ({"starts_at": to_iso(NOW + DAY_MS), "ends_at": to_iso(NOW)}, "ends_at"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_wrong_value_is_named(desk: Desk, change: dict[str, Any], field: str) -> None:
    code, named = refused(desk, "POST", "/api/ads", body(**change))
    assert code == 422
    assert named == ("" if field == "unknown" else field)


def test_of_two_who_change_one_the_second_is_told(desk: Desk) -> None:
    added = desk.rescont("POST", "/api/ads", body())
    path = f"/api/ads/{added['id']}"
    changed = desk.rescont("PUT", path, kept(added, title="夏天"))
    second = desk.request("PUT", path, kept(added, title="秋天"))
    assert (second.status_code, "别人" in second.json()["msg"]) == (409, True)
    assert ads(desk, "USER")[-1]["title"] == "夏天"
    assert last_entry(desk)["after"] == {"title": "夏天"}
    # Counts and places are no changes.
    desk.rescont("PUT", path, kept(changed, title="秋天"))


def test_one_that_waits_begins_at_its_time(desk: Desk) -> None:
    times = {"starts_at": to_iso(NOW + DAY_MS), "ends_at": to_iso(NOW + 2 * DAY_MS)}
    added = desk.rescont("POST", "/api/ads", body(**times))
    assert added["state"] == "waiting"
    assert {name: added[name] for name in times} == times
    assert refused(desk, "POST", f"/api/ads/{added['id']}/end") == (422, "ends_at")
    desk.time.now = NOW + DAY_MS
    desk.log_in()
    assert ads(desk, "USER")[-1]["state"] == "running"
    desk.time.now = NOW + 2 * DAY_MS
    desk.log_in()
    assert ads(desk, "USER")[-1]["state"] == "ended"


def test_banners_are_put_in_order_within_their_chip(desk: Desk) -> None:
    desk.rescont("POST", "/api/banner-tags", {"name": "春天"})
    numbers = [
        desk.rescont("POST", "/api/ads", body(slot="BANNER", tag="春天", title=title))["id"]
        for title in ("甲", "乙", "丙")
    ]
    order = {"slot": "BANNER", "tag": "春天", "ids": numbers[::-1]}
    desk.rescont("POST", "/api/ads/order", order)
    banners = [one for one in ads(desk, "BANNER") if one["tag"] == "春天"]
    assert [one["title"] for one in banners] == ["丙", "乙", "甲"]
    for wrong in (numbers[:2], [*numbers, numbers[0]], [*numbers[:2], 987_654]):
        assert desk.request("POST", "/api/ads/order", order | {"ids": wrong}).status_code == 409
    assert last_entry(desk)["action"] == "ad.order"


def test_chips_are_named_ordered_and_removed(desk: Desk) -> None:
    first, second = (
        desk.rescont("POST", "/api/banner-tags", {"name": name}) for name in ("春天", "夏天")
    )
    there = [one["id"] for one in desk.rescont("GET", "/api/ads")["tags"]]
    assert there[-2:] == [first["id"], second["id"]]
    desk.rescont("POST", "/api/banner-tags/order", {"ids": there[::-1]})
    assert [one["id"] for one in desk.rescont("GET", "/api/ads")["tags"]] == there[::-1]
    path = f"/api/banner-tags/{first['id']}"
    named = {"name": "春游", "revision": first["revision"]}
    assert desk.rescont("PUT", path, named)["name"] == "春游"
    assert refused(desk, "PUT", path, named)[0] == 409
    assert refused(desk, "POST", "/api/banner-tags", {"name": "夏天"}) == (422, "name")
    desk.rescont("POST", "/api/ads", body(slot="BANNER", tag="夏天", title="海"))
    desk.rescont("DELETE", f"/api/banner-tags/{second['id']}")
    assert "海" not in [one["title"] for one in ads(desk, "BANNER")]


def test_a_picture_that_is_not_there_is_not_found(desk: Desk) -> None:
    assert desk.request("GET", "/api/pictures/" + "0" * 32).status_code == 404
    for name in ("x", "..%2Fsecrets", "0" * 31, "G" * 32):
        assert desk.request("GET", f"/api/pictures/{name}").status_code in {404, 422}
