"""Suggestions while typing, related words, and hot words of many networks, on both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.features.search.hot_words import block_words
from liuying.features.search.rules import SUGGESTIONS
from liuying.features.search.tables import search_mark
from liuying.features.search.terms import note_search, prune_searches, trending_rows
from liuying.kit.changes import CacheTopic
from tests.catalogue_factory import NOW, add_video
from tests.conftest import Client

HOUR = 3_600_000


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["from memory", "by statements"])
def typed(client: Client, request: pytest.FixtureRequest) -> Client:
    """The client of a catalogue with names that can be told apart."""
    with client.services.database.write() as connection:
        add_video(
            connection,
            500,
            1,
            title="茶元素的故事",
            labels=["茶道"],
            artists=["林小野"],
            pageviews=9,
        )
        add_video(
            connection,
            501,
            1,
            title="茶山行走",
            labels=["重庆"],
            artists=["Ann Lee"],
            pageviews=900_000,
        )
        add_video(
            connection, 502, 1, title="茶馆日常", is_hidden=True, labels=["茶壶"], artists=["茶客"]
        )
        add_video(connection, 503, 1, title="★茶园")
    if request.param == "from memory":
        client.application.texts.build()
        client.application.names.read_again()
    client.application.look_for_changes()
    return client


def texts(client: Client, typed: str, path: str = "/api/videosuggest") -> list[str]:
    return [one["text"] for one in client.rescont(f"{path}?q={typed}")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("茶", ["茶道", "茶山行走", "茶元素的故事"]),
        ("【茶元", ["茶元素的故事"]),
        ("chay", ["茶元素的故事"]),
        ("cha yuan", ["茶元素的故事"]),
        ("cy", ["茶元素的故事"]),
        ("chuyuansu", ["茶元素的故事"]),
        ("chayuanshu", ["茶元素的故事"]),
        ("chashigu", []),
        ("chu", []),
        ("ann", ["Ann Lee"]),
        ("lxy", ["林小野"]),
        ("小野", ["林小野"]),
        ("zhongq", ["重庆"]),
        ("cq", ["重庆"]),
        ("biao", ["标签0", "标签1", "标签2", "标签"]),
        ("", []),
        ("%00", []),
        ("！？", []),
    ],
)
def test_suggestions_begin_as_was_typed(typed: Client, text: str, found: list[str]) -> None:
    assert sorted(texts(typed, text)) == sorted(found)


def test_suggestions_say_what_they_are_and_are_ten_at_most(typed: Client) -> None:
    found = typed.rescont("/api/videosuggest?q=茶")
    assert found[0] == {"text": "茶道", "kind": "label"}
    assert found[1] == {"text": "茶山行走", "kind": "title"}
    assert typed.rescont("/api/videosuggest?q=视频")[0] == {"text": "视频", "kind": "hot"}
    assert len(typed.rescont("/api/videosuggest?q=视频")) == 10
    assert typed.get(f"/api/videosuggest?q={'字' * 65}").status_code == 422


def test_a_name_that_grows_when_it_is_folded_is_found(typed: Client) -> None:
    with typed.services.database.write() as connection:
        add_video(
            connection, 505, 1, title="长名", artists=["\ufdfa" * 80]
        )  # each is 18 characters
    typed.application.look_for_changes()
    assert texts(typed, "\ufdfa") == ["\ufdfa" * 80]


def test_a_hidden_video_is_suggested_no_longer(typed: Client) -> None:
    assert "视频 105" in texts(typed, "视频 105")
    with typed.services.database.write() as connection:
        add_video(connection, 504, 1, title="视频 105 续")
    typed.application.look_for_changes()
    assert "视频 105 续" in texts(typed, "视频 105")


def test_related_words_share_a_character_or_a_syllable(typed: Client) -> None:
    path = "/api/videosuggest/related"
    assert texts(typed, "喝茶去", path)[0] == "茶道"
    assert "茶壶" not in texts(typed, "喝茶去", path)
    assert texts(typed, "差异", path)[0] == "茶道"  # chà, chá
    assert texts(typed, "cy", path)[0] == "茶元素的故事", "two initials find nothing"
    assert texts(typed, "qqqqq", path) == ["标签", "视频"]
    assert texts(typed, "", path) == ["标签", "视频"]


def test_suggestions_are_limited_by_network_and_kept(client: Client) -> None:
    limit = SUGGESTIONS.rules[0].most
    for number in range(limit):
        assert client.get(f"/api/videosuggest?q={number}").status_code == 200
    assert client.get("/api/videosuggest?q=x").status_code == 429
    assert client.get("/api/videosuggest?q=1").status_code == 200  # kept
    client.address = "198.51.100.1"
    assert client.get("/api/videosuggest?q=x").status_code == 200


def report(client: Client, term: str) -> bool:
    response = client.request("POST", "/api/search/event", json={"term": term})
    assert response.status_code == 200, response.text
    return bool(response.json()["rescont"]["is_counted"])


def hot(client: Client) -> list[tuple[str, list[str]]]:
    client.application.response_cache.drop(frozenset({CacheTopic.SEARCH}))  # as after two minutes
    return [(group["title"], group["lists"]) for group in client.rescont("/api/videoSearchHot")]


def test_what_five_networks_search_is_hot(client: Client) -> None:
    pinned = ("热搜", ["标签", "视频"])
    for number in range(5):
        assert hot(client) == [pinned]
        client.address = f"203.0.113.{number}"
        for term in ("作者1", "作者1", "没有这个", "视频", "標籤3 "):
            assert report(client, term)
    assert hot(client) == [pinned, ("近期热搜", ["作者1", "标签3"])]
    client.address = "203.0.113.9"
    report(client, "标签3")
    assert hot(client) == [pinned, ("近期热搜", ["标签3", "作者1"])]
    with client.services.database.write() as connection:
        block_words(connection, ["標籤3", "标签"])
    client.application.look_for_changes()
    assert hot(client) == [("热搜", ["视频"]), ("近期热搜", ["作者1"])]


def test_one_network_makes_nothing_hot_and_is_limited(client: Client) -> None:
    counted = [report(client, f"作者1 {number}") for number in range(12)]
    assert (counted.count(True), counted[-1]) == (10, False)
    for term in ("", "字" * 65, "a\x00"):
        assert client.request("POST", "/api/search/event", json={"term": term}).status_code == 422


def test_searches_are_forgotten_after_a_day_and_counted_once(client: Client) -> None:
    services = client.services
    with services.database.write() as connection:
        for network in range(6):
            for hour in (0, 2, 4):
                note_search(
                    connection, services.hashes, "海边", f"203.0.113.{network}", NOW + hour * HOUR
                )
        rows = connection.execute(sa.select(search_mark.c.hour)).scalars().all()
        assert rows == [(NOW + 4 * HOUR) // HOUR] * 6
        assert [tuple(row) for row in trending_rows(connection, NOW + 27 * HOUR)] == [("海边", 6)]
        assert trending_rows(connection, NOW + 28 * HOUR) == []
        prune_searches(connection, NOW + 27 * HOUR)
        assert (
            connection.execute(sa.select(sa.func.count()).select_from(search_mark)).scalar_one()
            == 6
        )
        prune_searches(connection, NOW + 28 * HOUR)
        assert (
            connection.execute(sa.select(sa.func.count()).select_from(search_mark)).scalar_one()
            == 0
        )
