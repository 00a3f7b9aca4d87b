"""Every call of the catalogue through the whole application: shapes, texts and numbers of the
specification.
"""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.features.topics.service import set_topic
from liuying.kit.changes import CacheTopic, record_change
from liuying.workflows.indexing import reindex_video
from tests.catalogue_factory import COVER, NOW, add_ad
from tests.conftest import Client


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    """Every call answers the same on both databases (docs/product.md#deployment)."""
    return str(request.param)


def ids(rescont: list[dict[str, object]]) -> list[object]:
    return [item["id"] for item in rescont]


def test_categories_leave_out_short_and_share(client: Client) -> None:
    categories = client.rescont("/api/videosort")
    assert [(one["id"], one["name"]) for one in categories] == [
        (1, "旅行"),
        (2, "美食"),
        (3, "音乐"),
    ]
    assert categories[0]["icobase64"]["url"] == categories[0]["icopath"]
    assert categories[0]["type_id"] == 1


def test_all_is_newest_first_by_pages_without_overlap(client: Client) -> None:
    seen: list[object] = []
    path: str | None = "/api/videosort/0?orderby=new&page=1"
    while path is not None:
        page = client.rescont(path)
        assert (page["total"], page["per_page"]) == (30, 8)
        seen += ids(page["data"])
        path = page["next_page_url"]
    assert seen == list(range(129, 99, -1))


def test_hot_is_by_views(client: Client) -> None:
    with client.services.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == 103).values(pageviews=999_999))
        record_change(connection, CacheTopic.CATALOGUE)
    assert client.rescont("/api/videosort/1?orderby=hot")["data"][0]["id"] == 103


def test_list_items_have_the_specified_fields(client: Client) -> None:
    item = client.rescont("/api/videosort/0")["data"][0]
    assert item["playtimes"] == "06:31"
    assert item["duration"] == 391.0
    assert item["videopath"] == "/media/asset00000129/v1.m3u8"
    assert [one["name"] for one in item["labls"]] == ["标签4", "共有"]
    assert item["isLock"] is False
    assert item["is_ad"] is False
    assert set(item["coverbase64"]) == {"url", "type"}


@pytest.mark.parametrize(("type_id", "total"), [(72, 4), (73, 5)])
def test_lists_of_excluded_categories_are_served(client: Client, type_id: int, total: int) -> None:
    assert client.rescont(f"/api/videosort/{type_id}")["total"] == total


def test_locked_videos_name_no_path(client: Client) -> None:
    shared = client.rescont("/api/videoshare?type=73&orderby=new&page=1")
    assert ids(shared["data"]) == [304, 303, 302, 301, 300]
    assert {item["videopath"] for item in shared["data"]} == {""}
    info = client.rescont("/api/videoplay/300?uuid=1")
    assert (info["is_lock"], info["sources"], info["videopath"]) == (True, [], "")


def test_starred_titles_are_left_out_but_play(client: Client) -> None:
    assert 400 not in ids(client.rescont("/api/videosort/1")["data"])
    assert client.rescont("/api/videoSearch?serach=站务")["total"] == 0
    assert client.rescont("/api/videoplay/400?uuid=1")["title"] == "★ 站务置顶"


def test_page_past_the_end_is_empty(client: Client) -> None:
    page = client.rescont("/api/videosort/0?page=1000000")
    assert (page["data"], page["next_page_url"], page["total"]) == ([], None, 30)


@pytest.mark.parametrize(
    "page", ["0", "-1", "1000001", "1.5", "x", "", "１", "1e3", "9" * 400, "1&page=2"]
)
def test_bad_pages_are_refused(client: Client, page: str) -> None:
    response = client.get(f"/api/videosort/0?page={page}")
    assert (response.status_code, response.json()["code"]) == (422, 422)
    assert response.json()["msg"] == "请求参数有误"
    assert response.json()["rescont"][0]["field"] == "page"


@pytest.mark.parametrize(
    "path", ["/api/videoplay/999", "/api/nothing", "/api/videosort/abc", "/api/videoplay/-1"]
)
def test_what_is_not_there(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code in {404, 422}
    assert response.json()["code"] == response.status_code


@pytest.mark.parametrize("number", ["%D9%A1", "+1", "%201", "1%20", "01", "-0", "1_0"])
def test_numbers_in_paths_are_plain_digits(client: Client, number: str) -> None:
    assert client.get(f"/api/videosort/{number}").status_code in {404, 422}


def test_control_characters_find_nothing(client: Client) -> None:
    assert client.rescont("/api/videoSearch?serach=%00")["total"] == 0
    assert client.rescont("/api/videoSearch?serach=105%00%1b")["total"] == 1


def test_hidden_video_is_gone_at_once(client: Client) -> None:
    assert client.get("/api/videoplay/129").status_code == 200
    with client.services.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == 129).values(is_hidden=True))
        record_change(connection, CacheTopic.CATALOGUE)
    client.application.look_for_changes()
    assert client.get("/api/videoplay/129").status_code == 404
    assert client.rescont("/api/videosort/0")["total"] == 29


def test_no_video_stands_twice_on_home(client: Client) -> None:
    blocks = client.rescont("/api/videoindex")
    shown = [item["id"] for block in blocks for item in block["list"] if not item["is_ad"]]
    assert [block["name"] for block in blocks] == ["旅行", "美食", "音乐"]
    assert all(sum(not item["is_ad"] for item in block["list"]) == 4 for block in blocks)
    for seed in (0, 1):
        pool = ids(client.rescont(f"/api/videorecommand?seed={seed}")["data"])
        assert len(pool) == 12
        assert len({*pool, *shown}) == len(pool) + len(shown)


def hide_up_to(client: Client, last: int) -> None:
    """Hide the videos from 100 on."""
    with client.services.database.write() as connection:
        for number in range(100, last + 1):
            connection.execute(sa.update(video).where(video.c.id == number).values(is_hidden=True))
            reindex_video(connection, number)
        record_change(connection, CacheTopic.CATALOGUE)
    client.application.look_for_changes()


def test_a_small_sites_blocks_fill_the_pool_and_keep_two_each(client: Client) -> None:
    hide_up_to(client, 114)
    # Fifteen videos in three categories: three are free, nine come from the blocks' tails, of
    # which two stay in each.
    blocks = client.rescont("/api/videoindex")
    shown = [item["id"] for block in blocks for item in block["list"] if not item["is_ad"]]
    assert [sum(not item["is_ad"] for item in block["list"]) for block in blocks] == [2, 2, 2]
    assert shown == [129 - 2, 129 - 5, 129 - 1, 129 - 4, 129, 129 - 3]
    before: set[object] = set()
    for seed in range(6):
        pool = ids(client.rescont(f"/api/videorecommand?seed={seed}")["data"])
        assert len({*pool, *shown}) == len(pool) + len(shown) == 15
        for start in (0, 4):
            batch = set(pool[start : start + 4])
            assert len(batch) == 4
            assert not batch & before
            before = batch


def test_the_last_blocks_give_first_and_whole_rows(client: Client) -> None:
    hide_up_to(client, 107)
    # 22 videos: ten are free.
    blocks = client.rescont("/api/videoindex")
    assert [sum(not item["is_ad"] for item in block["list"]) for block in blocks] == [4, 4, 2]
    assert len(client.rescont("/api/videorecommand")["data"]) == 12


def test_topics_show_a_cover_that_nobody_must_unlock(client: Client) -> None:
    other = COVER | {"url": "/enc/fedcba9876543210fedcba9876543210.bin"}
    with client.services.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == 105).values(cover=other))
        reindex_video(connection, 105)
        set_topic(connection, "先锁后开", "看雪", [301, 105, 106], 2)
        set_topic(connection, "全要解锁", None, [300, 301], 1)
        set_topic(connection, "还没有视频", None, None, 0)
    client.application.look_for_changes()
    locked, mixed = client.rescont("/api/topics")
    assert (locked["title"], locked["video_count"]) == ("全要解锁", 2)
    assert locked["coverbase64"].get("url", "") == ""
    assert (mixed["title"], mixed["intro"], mixed["video_count"]) == ("先锁后开", "看雪", 3)
    assert mixed["coverbase64"]["url"] == other["url"]
    page = client.rescont(f"/api/videotopic/{mixed['id']}")
    assert ids(page["data"]) == [301, 105, 106]


def test_second_block_begins_with_an_ad(client: Client) -> None:
    second = client.rescont("/api/videoindex")[1]["list"]
    assert second[0]["is_ad"] is True
    assert second[0]["imgpath"] == second[0]["imgbase64"]["url"]


def test_pools_differ_by_seed_and_repeat(client: Client) -> None:
    first = client.rescont("/api/videorecommand")
    assert (first["seed"], first["next_seed"]) == (0, 1)
    second = client.rescont("/api/videorecommand?seed=1")
    assert ids(first["data"]) != ids(second["data"])
    assert client.rescont("/api/videorecommand?seed=0") == first


def test_play_info_offers_every_source(client: Client) -> None:
    info = client.rescont("/api/videoplay/105?uuid=1")
    assert [source["label"] for source in info["sources"]] == ["自动", "360P", "720P"]
    assert info["sources"][1]["height"] == 360
    assert [one["name"] for one in info["artists"]] == ["作者1"]
    assert info["category"] == {"id": 3, "name": "音乐"}
    assert (info["width"], info["height"], info["subtitles"]) == (1280, 720, [])


def test_similar_videos_share_something_and_never_repeat(client: Client) -> None:
    page = client.rescont("/api/videomaylike?id=105&page=1")
    assert 105 not in ids(page["data"])
    assert len(page["data"]) == 12
    following = client.rescont(page["next_page_url"])
    assert not set(ids(page["data"])) & set(ids(following["data"]))
    assert page["data"][0]["type_id"] == 3


def test_search_needs_every_word_and_folds(client: Client) -> None:
    assert client.rescont("/api/videoSearch?serach=視頻 105&page=1")["data"][0]["id"] == 105
    assert client.rescont("/api/videoSearch?serach=作者1 标签0")["total"] == 2
    assert client.rescont("/api/videoSearch?serach=%25")["total"] == 0
    assert client.rescont("/api/videoSearch?serach=")["total"] == 0
    assert client.get(f"/api/videoSearch?serach={'字' * 65}").status_code == 422


def test_hot_words(client: Client) -> None:
    assert client.rescont("/api/videoSearchHot") == [{"title": "热搜", "lists": ["标签", "视频"]}]


def test_notices_are_newest_first(client: Client) -> None:
    notices = client.rescont("/api/sysnotice")
    assert [one["title"] for one in notices["data"]] == ["新公告", "旧公告"]
    assert notices["data"][0]["updated_at"].endswith("Z")


@pytest.mark.parametrize(
    "slot", ["USER", "PLAYINFO", "PLAYBEFORE", "SHORT_VIDEO", "LIST", "EXPLODE/0", "BANNER/1"]
)
def test_every_slot_answers(client: Client, slot: str) -> None:
    ads = client.rescont(f"/api/adinfo/{slot}")
    assert len(ads) == 1
    assert ads[0]["seconds"] == (5 if slot == "PLAYBEFORE" else 0)


def test_ads_keep_their_time_window(client: Client) -> None:
    with client.services.database.write() as connection:
        add_ad(connection, 50, "USER", starts_at=NOW + 1)
        add_ad(connection, 51, "USER", ends_at=NOW)
        add_ad(connection, 52, "USER", starts_at=NOW, ends_at=NOW + 1)
    assert ids(client.rescont("/api/adinfo/USER")) == [2, 52]


def test_unknown_slots_and_tags(client: Client) -> None:
    assert client.get("/api/adinfo/NOTHING").status_code == 422
    assert client.rescont("/api/adinfo/BANNER/99") == []
    assert ids(client.rescont("/api/adinfo/BANNER/0")) == [1, 60]


def test_links_and_tags(client: Client) -> None:
    assert client.rescont("/api/applink/checkin")[0]["title"] == "checkin"
    assert client.rescont("/api/adsort") == [{"id": 1, "name": "精选"}, {"id": 2, "name": "周末"}]
    assert client.get("/api/applink/other").status_code == 422


def test_configuration(client: Client) -> None:
    config = client.rescont("/api/config")
    assert [tab["name"] for tab in config["tabs"]] == [
        "首页",
        "排行",
        "发现",
        "miin",
        "看看",
        "我的",
    ]
    assert config["tabs"][2]["routes"] == ["find", "rank", "artist", "tags"]
    assert config["isShowAd"] is True
    assert list(config["cover_keys"]) == ["1"]
    assert config["community"]["title"] == "community"


def test_artists_and_tags(client: Client) -> None:
    artists = client.rescont("/api/artist")
    assert {one["name"]: one["video_count"] for one in artists} == {
        "作者0": 8,
        "作者1": 8,
        "作者2": 7,
        "作者3": 7,
    }
    assert client.rescont(f"/api/artist/{artists[0]['id']}")["total"] == 8
    # No such artist, as with videos and topics; a page past the end of a known one is empty.
    assert client.get("/api/artist/999").status_code == 404
    assert client.rescont(f"/api/artist/{artists[0]['id']}?page=99")["data"] == []
    assert client.rescont("/api/tags")[0] == {"id": 2, "name": "共有", "video_count": 30}
