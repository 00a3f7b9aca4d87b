"""Notices, hot words, categories, the bar, topics, links, artists, labels and partners."""

from __future__ import annotations

import base64
from typing import Any

import pytest
import sqlalchemy as sa

from liuying.features.embedding.queries import active_origins
from liuying.features.embedding.service import get_signing_key
from liuying.features.operators.rules import Role
from liuying.features.search.tables import search_mark
from liuying.kit.clock import DAY_MS, hour_of, to_iso
from liuying.workflows.indexing import check_index
from liuying.workflows.queries.pictures import shown_addresses
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.console.content.conftest import last_entry, refused
from tests.console.content.pictures import BAD, picture
from tests.console.content.test_site import body as site_body
from tests.console.desk import Desk


def shown(client: Client, path: str) -> Any:
    """What visitors are answered now."""
    client.application.look_for_changes()
    return client.rescont(path)


def notice(**changed: Any) -> dict[str, Any]:
    return {"title": "维护", "content": "<p>今晚</p>"} | changed


def titles(client: Client) -> list[str]:
    return [one["title"] for one in shown(client, "/api/sysnotice")["data"]]


def test_a_notice_is_shown_with_its_picture_until_it_is_ended(desk: Desk, client: Client) -> None:
    added = desk.rescont("POST", "/api/notices", notice(image=picture()))
    (seen,) = [one for one in shown(client, "/api/sysnotice")["data"] if one["id"] == added["id"]]
    name = added["picture"]["url"].rpartition("/")[2]
    assert name in seen["imgbase64"]["url"]
    with desk.services.database.read() as connection:
        assert any(name in address for address in shown_addresses(connection))
    ended = desk.rescont("POST", f"/api/notices/{added['id']}/end")
    assert ended["state"] == "ended"
    assert "维护" not in titles(client)
    assert refused(desk, "POST", f"/api/notices/{added['id']}/end") == (422, "ends_at")
    again = notice(revision=ended["revision"], removes_image=True)
    changed = desk.rescont("PUT", f"/api/notices/{added['id']}", again)
    assert (changed["picture"], changed["state"]) == (None, "running")
    assert "维护" in titles(client)
    assert desk.request("PUT", f"/api/notices/{added['id']}", again).status_code == 409
    assert last_entry(desk)["after"] == {"ends_at": None, "image": None}
    desk.rescont("DELETE", f"/api/notices/{added['id']}")
    assert "维护" not in titles(client)
    assert desk.request("DELETE", f"/api/notices/{added['id']}").status_code == 404


def test_a_notice_waits_for_its_time_and_is_new_then(desk: Desk, client: Client) -> None:
    before = titles(client)
    waiting = notice(title="明天", starts_at=to_iso(NOW + DAY_MS))
    assert desk.rescont("POST", "/api/notices", waiting)["state"] == "waiting"
    assert titles(client) == before
    past = notice(title="已经", starts_at=to_iso(NOW - DAY_MS), ends_at=to_iso(NOW + DAY_MS))
    desk.rescont("POST", "/api/notices", past)
    assert titles(client)[0] == "已经"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": "字" * 121}, "title"),
        ({"content": "<script>alert(1)</script>"}, "content"),
        ({"content": '<img src="https://example.com/a.png">'}, "content"),
        ({"starts_at": "x"}, "starts_at"),
        ({"starts_at": to_iso(NOW), "ends_at": to_iso(NOW - 1000)}, "ends_at"),
        ({"image": BAD["SVG"]}, "image"),
        ({"image": BAD["a bomb"]}, "image"),
    ],
)
def test_a_wrong_notice_is_refused(desk: Desk, change: dict[str, Any], field: str) -> None:
    before = desk.rescont("GET", "/api/notices")
    assert refused(desk, "POST", "/api/notices", notice(**change)) == (422, field)
    assert desk.rescont("GET", "/api/notices") == before


def test_a_notice_is_previewed_as_it_will_be(desk: Desk) -> None:
    content = "<p onclick=x()>好<script>alert(1)</script><a href='javascript:x'>看</a></p>"
    told = desk.rescont("POST", "/api/notices/preview", {"content": content})["content"]
    assert told == '<p>好<a rel="noopener noreferrer">看</a></p>'


def test_hot_words_are_pinned_renamed_ordered_and_blocked(desk: Desk, client: Client) -> None:
    def pinned() -> list[str]:
        return [one["title"] for one in desk.rescont("GET", "/api/hot-words")["groups"]]

    there = pinned()
    for title in ("甲", "乙"):
        desk.rescont("POST", "/api/hot-words/groups", {"title": title, "words": ["海边", "夜景"]})
    assert pinned() == [*there, "甲", "乙"]
    group = desk.rescont("GET", "/api/hot-words")["groups"][-2]
    change = {"title": "丙", "words": ["极光"], "was": "甲", "revision": group["revision"]}
    desk.rescont("POST", "/api/hot-words/groups", change)
    assert pinned() == [*there, "丙", "乙"]
    assert desk.request("POST", "/api/hot-words/groups", change).status_code == 409
    taken = {"title": "乙", "words": ["极光"]}
    assert refused(desk, "POST", "/api/hot-words/groups", taken) == (422, "title")
    order = {"titles": ["乙", *there, "丙"]}
    desk.rescont("POST", "/api/hot-words/groups/order", order)
    assert pinned() == order["titles"]
    assert shown(client, "/api/videoSearchHot")[0]["title"] == "乙"
    assert desk.request("POST", "/api/hot-words/groups/order", {"titles": []}).status_code == 409
    desk.rescont("POST", "/api/hot-words/block", {"word": "极光"})
    assert "极光" in desk.rescont("GET", "/api/hot-words")["blocked"]
    assert last_entry(desk)["subject"] == "极光"
    desk.rescont("POST", "/api/hot-words/unblock", {"word": "极光"})
    assert desk.request("POST", "/api/hot-words/unblock", {"word": "极光"}).status_code == 404
    desk.rescont("POST", "/api/hot-words/groups/remove", {"title": "丙"})
    assert "丙" not in pinned()


def test_searched_terms_tell_what_they_find(desk: Desk) -> None:
    rows = [("没有这样的片子", 7), ("少有人搜", 4)]
    with desk.services.database.write() as connection:
        for term, networks in rows:
            for number in range(networks):
                mark = {"term": term, "network_hash": f"{number}", "hour": hour_of(NOW)}
                connection.execute(sa.insert(search_mark).values(**mark))
    searched = desk.rescont("GET", "/api/hot-words")["searched"]
    assert searched == [{"term": "没有这样的片子", "networks": 7, "results": 0}]


def test_categories_are_added_hidden_ordered_and_removed(desk: Desk, client: Client) -> None:
    def seen() -> list[str]:
        return [one["name"] for one in shown(client, "/api/videosort")]

    added = desk.rescont("POST", "/api/categories", {"name": "登山", "image": picture("PNG")})
    assert seen()[-1] == "登山"
    path = f"/api/categories/{added['id']}"
    hidden = {"name": "登山", "is_hidden": True, "revision": added["revision"]}
    changed = desk.rescont("PUT", path, hidden)
    assert "登山" not in seen()
    assert changed["picture"] == added["picture"]
    assert last_entry(desk)["after"] == {"is_hidden": True}
    assert desk.request("PUT", path, hidden).status_code == 409
    desk.rescont("PUT", path, {"name": "徒步", "revision": changed["revision"]})
    ids = [one["id"] for one in desk.rescont("GET", "/api/categories")]
    desk.rescont("POST", "/api/categories/order", {"ids": [added["id"], *ids[:-1]]})
    assert seen()[0] == "徒步"
    assert desk.request("POST", "/api/categories/order", {"ids": ids[:-1]}).status_code == 409
    full = next(one for one in desk.rescont("GET", "/api/categories") if one["videos"])
    assert refused(desk, "DELETE", f"/api/categories/{full['id']}")[0] == 422
    assert refused(desk, "POST", "/api/categories", {"name": full["name"]}) == (422, "name")
    desk.rescont("DELETE", path)
    assert "徒步" not in seen()


def test_the_bar_is_renamed_hidden_and_ordered(desk: Desk, client: Client) -> None:
    tabs = desk.rescont("GET", "/api/tabs")["tabs"]
    rank = next(one for one in tabs if one["key"] == "rank")
    body = {"name": "榜单", "icon": rank["icon"], "is_hidden": True, "revision": rank["revision"]}
    changed = desk.rescont("PUT", "/api/tabs/rank", body)
    assert (changed["name"], changed["is_hidden"], changed["url"]) == ("榜单", True, "/rank")
    assert desk.request("PUT", "/api/tabs/rank", body).status_code == 409
    link = {"name": "商城", "icon": "eye", "url": "https://shop.example/"}
    added = desk.rescont("POST", "/api/tabs", link)
    keys = [one["key"] for one in desk.rescont("GET", "/api/tabs")["tabs"]]
    desk.rescont("POST", "/api/tabs/order", {"keys": [added["key"], *keys[:-1]]})
    assert desk.rescont("GET", "/api/tabs")["tabs"][0]["name"] == "商城"
    full = desk.request("POST", "/api/tabs", link | {"name": "又一个"})
    assert (full.status_code, "最多显示" in full.json()["msg"]) == (422, True)
    home = next(one for one in tabs if one["key"] == "home")
    lasting = {"name": "首页", "icon": "home", "is_hidden": True, "revision": home["revision"]}
    assert refused(desk, "PUT", "/api/tabs/home", lasting)[0] == 422
    assert refused(desk, "POST", "/api/tabs", link | {"url": "javascript:x"}) == (422, "url")
    assert refused(desk, "POST", "/api/tabs", link | {"icon": "x"}) == (422, "icon")
    assert refused(desk, "DELETE", "/api/tabs/home")[0] == 422
    desk.rescont("DELETE", f"/api/tabs/{added['key']}")
    assert desk.request("DELETE", f"/api/tabs/{added['key']}").status_code == 404


def test_a_topic_has_its_videos_its_picture_and_its_place(desk: Desk, client: Client) -> None:
    rows = desk.rescont("GET", "/api/videos?state=shown")["data"]
    ids = [row["id"] for row in rows if row["category"] < 70][:3]
    body = {"title": "夜里看", "intro": "三部", "videos": ids, "image": picture()}
    added = desk.rescont("POST", "/api/topics", body)
    assert [one["id"] for one in added["videos"]] == ids
    (seen,) = [one for one in shown(client, "/api/topics") if one["title"] == "夜里看"]
    assert added["picture"]["url"].rpartition("/")[2] in seen["coverbase64"]["url"]
    path = f"/api/topics/{added['id']}"
    change = {
        "title": "夜里再看",
        "intro": "",
        "videos": ids[::-1],
        "removes_image": True,
        "revision": added["revision"],
    }
    changed = desk.rescont("PUT", path, change)
    assert ([one["id"] for one in changed["videos"]], changed["picture"]) == (ids[::-1], None)
    assert desk.request("PUT", path, change).status_code == 409
    assert refused(desk, "POST", "/api/topics", body | {"title": "夜里再看"}) == (422, "title")
    absent = body | {"title": "另一个", "videos": [987_654]}
    assert refused(desk, "POST", "/api/topics", absent) == (422, "videos")
    order = [one["id"] for one in desk.rescont("GET", "/api/topics")["topics"]]
    desk.rescont("POST", "/api/topics/order", {"ids": order[::-1]})
    found = [one["id"] for one in desk.rescont("GET", "/api/topics")["topics"]]
    assert found == order[::-1]
    desk.rescont("DELETE", path)
    assert last_entry(desk)["before"]["videos"] == ids[::-1]
    assert desk.request("DELETE", path).status_code == 404


def test_links_are_added_changed_ordered_and_removed(desk: Desk, client: Client) -> None:
    body = {"kind": "exchange", "title": "朋友", "text": "", "url": "https://friend.example/"}
    added = [desk.rescont("POST", "/api/links", body | {"title": one}) for one in ("甲", "乙")]
    there = [one for one in desk.rescont("GET", "/api/links") if one["kind"] == "exchange"]
    order = [one["id"] for one in there][::-1]
    desk.rescont("POST", "/api/links/order", {"kind": "exchange", "ids": order})
    seen = [one["title"] for one in shown(client, "/api/config")["exchange_links"]]
    assert seen[:2] == ["乙", "甲"]
    path = f"/api/links/{added[0]['id']}"
    change = body | {"title": "丙", "revision": added[0]["revision"]}
    assert desk.rescont("PUT", path, change)["title"] == "丙"
    assert desk.request("PUT", path, change).status_code == 409
    for wrong, field in (
        ({"url": "/mine"}, "url"),
        ({"kind": "x"}, "kind"),
        ({"title": ""}, "title"),
    ):
        assert refused(desk, "POST", "/api/links", body | wrong) == (422, field)
    desk.rescont("DELETE", path)
    assert desk.request("DELETE", path).status_code == 404


def test_artists_and_labels_are_renamed_and_merged_and_search_follows(desk: Desk) -> None:
    row = desk.rescont("GET", "/api/videos?state=shown")["data"][0]
    body = {"artists": ["山野", "沈白"], "labels": ["登山客", "徒步客"]}
    desk.rescont("PATCH", f"/api/videos/{row['id']}", body)
    for path, name, other, extra in (
        ("artists", "山野", "沈白", {"intro": "拍山的人"}),
        ("labels", "登山客", "徒步客", {}),
    ):
        found = desk.rescont("GET", f"/api/{path}?text={name}")
        (known,) = found["data"]
        assert (known["videos"], found["total"]) == (1, 1)
        change = {"name": f"新{name}", "revision": known["revision"], **extra}
        desk.rescont("PUT", f"/api/{path}/{known['id']}", change)
        assert desk.request("PUT", f"/api/{path}/{known['id']}", change).status_code == 409
        (second,) = desk.rescont("GET", f"/api/{path}?text={other}")["data"]
        taken = {
            "name": f"新{name}",
            "revision": second["revision"],
            **({"intro": ""} if extra else {}),
        }
        assert refused(desk, "PUT", f"/api/{path}/{second['id']}", taken) == (422, "name")
        merge = f"/api/{path}/{known['id']}/merge"
        assert refused(desk, "POST", merge, {"into": known["id"]}) == (422, "into")
        desk.rescont("POST", merge, {"into": second["id"]})
        assert desk.rescont("GET", f"/api/{path}?text=新{name}")["total"] == 0
        assert desk.request("POST", merge, {"into": second["id"]}).status_code == 404
        assert last_entry(desk)["after"] == {"into": other}
    detail = desk.rescont("GET", f"/api/videos/{row['id']}")
    assert (detail["artists"], detail["labels"]) == (["沈白"], ["徒步客"])
    (label,) = desk.rescont("GET", "/api/labels?text=徒步客")["data"]
    desk.rescont("DELETE", f"/api/labels/{label['id']}")
    assert desk.rescont("GET", f"/api/videos/{row['id']}")["labels"] == []
    for wild in ("%25", "_"):
        assert desk.rescont("GET", f"/api/artists?text={wild}")["total"] == 0
    with desk.services.database.read() as connection:
        assert check_index(connection).is_right


def test_a_partner_is_changed_and_its_key_stays(desk: Desk) -> None:
    assert desk.request("PUT", "/api/partners/acme", {}).status_code == 403
    desk.log_in()
    body = {"id": "acme", "name": "艾克米", "origin": "https://acme.example"}
    added = desk.rescont("POST", "/api/partners", body)["partner"]
    with desk.services.database.read() as connection:
        key = get_signing_key(connection, desk.services.hashes, "acme")
    change = {
        "name": "艾克米影视",
        "origin": "https://WWW.acme.example:443",
        "perks": {"ad": "https://acme.example/ad"},
        "revision": added["revision"],
    }
    changed = desk.rescont("PUT", "/api/partners/acme", change)
    assert (changed["name"], changed["origin"]) == ("艾克米影视", "https://www.acme.example")
    assert changed["perks"]["ad"] == "https://acme.example/ad"
    assert desk.rescont("GET", "/api/partners") == [changed]
    entry = last_entry(desk)
    assert (entry["action"], entry["before"]["name"]) == ("vendor.edit", "艾克米")
    with desk.services.database.read() as connection:
        assert get_signing_key(connection, desk.services.hashes, "acme") == key
        assert active_origins(connection) == ("https://www.acme.example",)
    desk.log_in()
    # Somebody who saw the first state is told.
    assert desk.request("PUT", "/api/partners/acme", change).status_code == 409
    fresh = change | {"revision": changed["revision"]}
    wrongs: list[tuple[dict[str, Any], str]] = [({"name": ""}, "name"), ({"origin": "x"}, "origin")]
    for wrong, field in wrongs:
        assert refused(desk, "PUT", "/api/partners/acme", fresh | wrong) == (422, field)
    for script in ({"ad": "javascript:alert(1)"}, {"ws_url": "https://acme.example"}):
        answer = desk.request("PUT", "/api/partners/acme", fresh | {"perks": script})
        assert answer.status_code == 422
    assert desk.request("PUT", "/api/partners/other", fresh).status_code == 404
    assert desk.rescont("GET", "/api/partners") == [changed]


def test_a_partners_key_is_told_once_and_is_in_no_log(desk: Desk) -> None:
    body = {"id": "acme", "name": "艾克米", "origin": "https://acme.example"}
    for method, path in (("GET", ""), ("POST", ""), ("POST", "/acme/key"), ("DELETE", "/acme")):
        answer = desk.request(method, f"/api/partners{path}", body if method == "POST" else None)
        assert answer.status_code == 403
    desk.log_in()
    first = desk.rescont("POST", "/api/partners", body)["key"]
    assert len(base64.b64decode(first)) == 32
    assert first not in desk.request("GET", "/api/partners").text
    second = desk.rescont("POST", "/api/partners/acme/key")["key"]
    assert second != first
    told = desk.rescont("POST", "/api/partners/acme/code")
    assert told["url"] == f"/vendor?code={told['code']}"
    desk.rescont("PUT", "/api/site", site_body(desk, {"url": "https://site.example"}))
    told = desk.rescont("POST", "/api/partners/acme/code")
    assert told["url"] == f"https://site.example/vendor?code={told['code']}"
    assert refused(desk, "POST", "/api/partners", body) == (422, "id")
    for wrong, field in (({"id": "A"}, "id"), ({"name": ""}, "name"), ({"origin": "x"}, "origin")):
        fresh = body | {"id": "other"} | wrong
        assert refused(desk, "POST", "/api/partners", fresh) == (422, field)
    desk.rescont("DELETE", "/api/partners/acme")
    for method, path in (("POST", "/acme/key"), ("POST", "/acme/code"), ("DELETE", "/acme")):
        assert desk.request(method, f"/api/partners{path}").status_code == 404
    log = desk.request("GET", "/api/audit/export").text
    assert first not in log
    assert second not in log
    assert told["code"] not in log
    assert "vendor.remove" in log


WRITES = [
    ("POST", "/api/ads"),
    ("PUT", "/api/ads/1"),
    ("POST", "/api/ads/1/end"),
    ("DELETE", "/api/ads/1"),
    ("POST", "/api/ads/order"),
    ("POST", "/api/banner-tags"),
    ("POST", "/api/notices"),
    ("POST", "/api/notices/1/end"),
    ("POST", "/api/hot-words/groups"),
    ("POST", "/api/hot-words/block"),
    ("POST", "/api/categories"),
    ("POST", "/api/categories/order"),
    ("POST", "/api/tabs"),
    ("PUT", "/api/tabs/rank"),
    ("POST", "/api/topics"),
    ("POST", "/api/links"),
    ("PUT", "/api/artists/1"),
    ("POST", "/api/labels/1/merge"),
]
READS = [
    "ads",
    "notices",
    "hot-words",
    "categories",
    "tabs",
    "topics",
    "links",
    "artists",
    "labels",
]


def test_a_viewer_reads_content_and_writes_none(desk: Desk) -> None:
    desk.log_in(Role.VIEWER, "看客")
    for name in READS:
        assert desk.request("GET", f"/api/{name}").status_code == 200
    for method, path in WRITES:
        assert desk.request(method, path).status_code == 403, path
    desk.forget_cookies()
    for name in [*READS, "partners"]:
        assert desk.request("GET", f"/api/{name}").status_code == 401
