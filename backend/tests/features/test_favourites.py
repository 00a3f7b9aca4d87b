"""The favourites of visitors through the whole application (specification §3, §7)."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.visitors.tables import visitor
from liuying.features.favourites import rules, service
from liuying.features.favourites.tables import favourite, favourite_activity
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.limits import MINUTE, Limit, Rule
from tests.catalogue_factory import NOW
from tests.conftest import BASE, Client
from tests.visitor import Visitor

ASKED: list[tuple[object, list[int]]] = [
    (105, [105]),
    ([106, 105, 999, 105], [105]),
    ("105,106", [105]),
    ("", []),
    ([], []),
]
WRONG_BODIES: list[object] = [
    {},
    {"id": "105"},
    {"id": True},
    {"id": 0},
    {"id": -1},
    {"id": 2**31},
    {"id": 10**30},
    {"id": None},
    {"id": [105]},
    {"id": 105, "title": 5},
    {"id": 105, "title": "字" * 401},
    {"id": 105, "path": "x" * 2049},
    {"id": 105, "imgUrl": {}},
    {"id": 105, "created_at": []},
    {"id": 105, "title": "a\0b"},
    [],
    None,
    "105",
]


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def anna(client: Client) -> Visitor:
    return Visitor(client, "annaanna0001")


@pytest.fixture
def bert(client: Client) -> Visitor:
    return Visitor(client, "bertbert0002")


def change_video(client: Client, video_id: int, **values: Any) -> None:
    with client.services.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == video_id).values(**values))
        record_change(connection, CacheTopic.CATALOGUE)
    client.application.look_for_changes()


def test_adding_twice_is_adding_once(anna: Visitor) -> None:
    first = anna.add(105)
    assert first == anna.add(105)
    assert (first["id"], first["site"], first["title"]) == (105, "sg", "视频 105")
    assert (first["imgUrl"], first["imgType"]) == (
        "/enc/0123456789abcdef0123456789abcdef.bin",
        "image/avif;kid=1",
    )
    assert first["path"] == first["video"]["videopath"] == "/media/asset00000105/v1.m3u8"
    assert first["created_at"].endswith("Z")
    assert len(first["uuid"]) == 8
    assert anna.code not in str(first)
    assert anna.ids() == [105]


def test_what_the_caller_says_of_a_video_is_not_believed(anna: Visitor) -> None:
    body = {
        "id": 105,
        "title": "别的",
        "path": "/x",
        "imgUrl": "//evil",
        "imgType": "",
        "created_at": "1999-01-01",
    }
    stored = anna.rescont("POST", "/api/favorites", body | {"site": "sg"})
    assert (stored["title"], stored["path"]) == ("视频 105", "/media/asset00000105/v1.m3u8")
    assert not stored["created_at"].startswith("1999")


def test_newest_first_by_pages(client: Client, anna: Visitor) -> None:
    for video_id in range(100, 120):
        anna.add(video_id)
    with client.services.database.write() as connection:
        connection.execute(sa.update(favourite).values(created_at=favourite.c.video_id % 7))
    assert anna.ids() == sorted(range(100, 120), key=lambda one: (-(one % 7), -one))
    page = anna.rescont("GET", "/api/favorites?page=2")
    assert (page["per_page"], page["total"], len(page["data"])) == (8, 20, 8)
    assert anna.rescont("GET", "/api/favorites?page=9") == {
        "data": [],
        "total": 20,
        "per_page": 8,
        "next_page_url": None,
    }


def test_removing_twice_is_fine(anna: Visitor) -> None:
    anna.add(105)
    assert anna.remove(105) == {"id": 105}
    assert anna.remove(105) == {"id": 105}
    assert (anna.ids(), anna.total()) == ([], 0)


def test_removal_by_query(anna: Visitor) -> None:
    anna.add(105)
    assert anna.rescont("DELETE", "/api/favorites?id=105&site=sg") == {"id": 105}
    assert anna.total() == 0
    assert anna.call("DELETE", "/api/favorites").status_code == 422
    assert anna.call("DELETE", "/api/favorites?id=1.0").status_code == 422


def test_which_are_favourites(anna: Visitor) -> None:
    anna.add(105)
    for asked, found in ASKED:
        assert anna.rescont("POST", "/api/favorites/ids", {"id": asked, "site": "sg"}) == {
            "ids": found
        }


def test_wrong_questions_for_ids(anna: Visitor) -> None:
    wrong: list[object] = [[*range(1, 102)], "1,,2", "a", [0], [True], 1.5, None, {}, "1,2,", ["1"]]
    for asked in wrong:
        assert anna.call("POST", "/api/favorites/ids", {"id": asked}).status_code == 422, asked


def test_nobody_touches_the_favourites_of_another(anna: Visitor, bert: Visitor) -> None:
    anna.add(105)
    assert bert.ids() == []
    bert.remove(105)
    assert bert.rescont("POST", "/api/favorites/ids", {"id": 105}) == {"ids": []}
    assert anna.ids() == [105]


def test_unknown_videos_are_not_there(anna: Visitor) -> None:
    for video_id in (999, 2**31 - 1):
        response = anna.call("POST", "/api/favorites", {"id": video_id})
        assert (response.status_code, response.json()["code"]) == (404, 404)


def test_hidden_videos_leave_and_come_back(client: Client, anna: Visitor) -> None:
    for video_id in (105, 106):
        anna.add(video_id)
    change_video(client, 105, is_hidden=True)
    assert (anna.ids(), anna.total()) == ([106], 1)
    assert anna.rescont("POST", "/api/favorites/ids", {"id": [105, 106]}) == {"ids": [106]}
    assert anna.call("POST", "/api/favorites", {"id": 105}).status_code == 404
    change_video(client, 105, is_hidden=False)
    assert (anna.ids(), anna.total()) == ([106, 105], 2)
    change_video(client, 105, is_hidden=True)
    anna.remove(105)
    change_video(client, 105, is_hidden=False)
    assert anna.ids() == [106]


def test_starred_titles_are_in_no_list(anna: Visitor) -> None:
    assert anna.add(400)["title"] == "★ 站务置顶"
    assert (anna.ids(), anna.total()) == ([], 0)
    assert anna.rescont("POST", "/api/favorites/ids", {"id": 400}) == {"ids": [400]}


def test_removed_videos_are_gone(client: Client, anna: Visitor) -> None:
    anna.add(105)
    with client.services.database.write() as connection:
        connection.execute(sa.delete(video).where(video.c.id == 105))
    assert (anna.ids(), anna.total()) == ([], 0)


def test_locked_videos_want_two_visits(anna: Visitor, bert: Visitor) -> None:
    for visits in (0, 1):
        anna.share_row(300, visits)
        refused = anna.call("POST", "/api/favorites", {"id": 300})
        assert (refused.status_code, refused.json()["msg"]) == (403, "解锁后才能收藏")
    anna.share_row(300, 2)
    # As in lists: the player alone is told where it is, with a right that ends.
    assert anna.add(300)["path"] == ""
    assert bert.call("POST", "/api/favorites", {"id": 300}).status_code == 403
    assert anna.call("POST", "/api/favorites", {"id": 301}).status_code == 403
    assert "asset00000300" not in anna.call("GET", "/api/favorites").text
    anna.share_row(300, 1)
    assert (anna.favourites()[0]["path"], anna.favourites()[0]["video"]["videopath"]) == ("", "")
    anna.share_row(300, 1, settled=1)  # a visit whose row was pruned still counts
    assert anna.add(300)["path"] == ""


def test_others_see_aliases_only(client: Client, anna: Visitor, bert: Visitor) -> None:
    for video_id in (105, 300):
        anna.share_row(300, 2)
        anna.add(video_id)
    bert.add(106)
    with client.services.database.write() as connection:
        earlier = sa.select(favourite.c.visitor_id).where(favourite.c.video_id == 106)
        connection.execute(
            sa.update(favourite_activity)
            .where(favourite_activity.c.visitor_id.in_(earlier))
            .values(active_at=1)
        )
    found = client.request("GET", "/api/favorites/user?site=sg")
    assert found.headers["cache-control"] == "no-store"
    users = found.json()["rescont"]["list"]
    assert [one["total"] for one in users] == [2, 1]
    assert all(one.code not in found.text for one in (anna, bert))
    assert users[0]["uuid"] == anna.favourites()[0]["uuid"]
    seen = client.rescont(f"/api/favorites/userVideos?id={users[0]['id']}")
    assert sorted((one["id"], one["videopath"]) for one in seen["data"]) == [
        (105, "/media/asset00000105/v1.m3u8"),
        (300, ""),  # unlocked by its sharer, not by whoever looks
    ]
    assert [one["total"] for one in anna.rescont("GET", "/api/favorites/user")["list"]] == [1]
    with client.services.database.read() as connection:
        stored = connection.execute(sa.select(visitor)).all()
    assert anna.code not in str(stored)


def test_users_come_by_twenty(client: Client) -> None:
    for number in range(23):
        Visitor(client, f"visitor{number:04}").add(105)
    first = client.rescont("/api/favorites/user")
    assert len(first["list"]) == 20
    second = client.rescont(first["next_page_url"])
    assert (len(second["list"]), second["next_page_url"]) == (3, None)
    assert len({one["id"] for one in first["list"] + second["list"]}) == 23


def test_users_follow_what_they_add_and_take_out(
    client: Client, anna: Visitor, bert: Visitor
) -> None:
    anna.add(105)
    bert.add(106)
    names = [one.favourites()[0]["uuid"] for one in (anna, bert)]
    with client.services.database.write() as connection:
        connection.execute(sa.update(favourite_activity).values(active_at=NOW - 1))
    anna.add(105)  # a favourite already: nothing that others see changes
    assert [one["uuid"] for one in client.rescont("/api/favorites/user")["list"]] == names[::-1]
    anna.add(107)
    assert [
        (one["uuid"], one["total"]) for one in client.rescont("/api/favorites/user")["list"]
    ] == [
        (names[0], 2),
        (names[1], 1),
    ]
    bert.remove(105)
    bert.remove(106)
    assert [one["uuid"] for one in client.rescont("/api/favorites/user")["list"]] == names[:1]
    with client.services.database.read() as connection:
        assert (
            connection.execute(sa.select(sa.func.count()).select_from(favourite_activity)).scalar()
            == 1
        )


def test_pages_of_users_end(client: Client, anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "USER_PAGES", 1)
    for number in range(23):
        Visitor(client, f"visitor{number:04}").add(105)
    first = client.rescont("/api/favorites/user")
    assert (len(first["list"]), first["next_page_url"]) == (20, None)
    assert client.rescont("/api/favorites/user?page=2") == {"list": [], "next_page_url": None}


def test_a_list_that_is_full_takes_no_more(anna: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_FAVOURITES", 2)
    anna.add(105)
    anna.add(106)
    anna.add(105)
    refused = anna.call("POST", "/api/favorites", {"id": 107})
    assert (refused.status_code, refused.json()["msg"]) == (403, "收藏最多 10000 个，请先移除一些")
    assert anna.ids() == [106, 105]
    anna.remove(105)
    anna.add(107)


def test_writes_have_a_limit_that_an_import_fits_into(
    client: Client, anna: Visitor, bert: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The web sends up to 1,000 (`BACKUP_FAVOURITES`); the rest of the minute is the
    neighbours'.
    """
    assert rules.CHANGES.rules[0].most >= 1000 + 100
    monkeypatch.setattr(rules, "CHANGES", Limit("favourite", (Rule(4, MINUTE),)))
    anna.add(105)
    anna.remove(105)
    bert.add(105)
    assert anna.call("POST", "/api/favorites", {"id": 999}).status_code == 404
    for method in ("POST", "DELETE"):
        refused = anna.call(method, "/api/favorites", {"id": 105})
        assert (refused.status_code, refused.json()["code"]) == (429, 429)
        assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert (anna.ids(), bert.ids()) == ([], [105])  # reading has no part in it
    client.address = "203.0.113.9"
    anna.add(105)


def test_hidden_favourites_make_no_user(client: Client, anna: Visitor) -> None:
    anna.add(105)
    change_video(client, 105, is_hidden=True)
    assert client.rescont("/api/favorites/user")["list"] == []


def test_unknown_rows_are_empty(client: Client) -> None:
    for row_id in ("0" * 16, "%00", "1", "a'--", "x" * 64):
        page = client.rescont(f"/api/favorites/userVideos?id={row_id}")
        assert (page["data"], page["total"], page["next_page_url"]) == ([], 0, None)


def test_wrong_codes_are_refused(client: Client) -> None:
    for code in ("", "short", "UPPERCASE", "toolongtoolong", "abc-def", "abcdef-", "\xe9abcdef"):
        for path in ("/api/favorites", "/api/favorites/total"):
            for response in (
                client.request("GET", path, {"x-visitor-code": code} if code.isascii() else {}),
                client.request("GET", str(httpx.URL(path, params={"uuid": code}))),
            ):
                assert (response.status_code, response.json()["msg"]) == (
                    422,
                    "请输入正确的资料识别码",
                ), code


def test_other_sites_are_refused(anna: Visitor) -> None:
    for site in ("", "xx", "SG", "sg,sg"):
        assert anna.call("GET", f"/api/favorites?site={site}").status_code == 422
        assert anna.call("POST", "/api/favorites", {"id": 105, "site": site}).status_code == 422


def test_wrong_bodies_are_refused(anna: Visitor) -> None:
    for body in WRONG_BODIES:
        response = anna.call("POST", "/api/favorites", body)
        assert (response.status_code, response.json()["code"]) == (422, 422), body


def test_the_code_may_stand_in_query_and_body(client: Client, anna: Visitor) -> None:
    client.request("POST", "/api/favorites", json={"id": 105, "uuid": anna.code, "site": "sg"})
    assert client.rescont(f"/api/favorites/total?uuid={anna.code}&site=sg") == {"total": 1}
    assert (
        client.request("DELETE", "/api/favorites", json={"id": 105, "uuid": anna.code}).status_code
        == 200
    )
    assert anna.total() == 0


def test_two_at_once_get_their_own_answers(client: Client, anna: Visitor, bert: Visitor) -> None:
    """The same address at the same time, two callers: the answers differ."""
    anna.add(105)
    bert.add(106)
    transport = httpx.ASGITransport(app=client.application)  # type: ignore[arg-type]  # its own names for the same

    async def ask(code: str) -> list[int]:
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as opened:
            response = await opened.get("/api/favorites?page=1", headers={"x-visitor-code": code})
            return [one["id"] for one in response.json()["rescont"]["data"]]

    async def ask_all() -> list[list[int]]:
        return list(await asyncio.gather(*(ask(one.code) for one in [anna, bert] * 5)))

    assert asyncio.run(ask_all()) == [[105], [106]] * 5


def test_reading_makes_no_rows(client: Client, anna: Visitor) -> None:
    anna.favourites()
    anna.total()
    anna.remove(105)
    assert anna.call("POST", "/api/favorites", {"id": 999}).status_code == 404
    with client.services.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(visitor)).scalar() == 0
