"""The age gate: what everybody gets says that a video is gated and nothing that shows it; the calls
of the gate give the rest to who has said his age.
"""

from __future__ import annotations

import base64
import io
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from PIL import Image

from liuying.core.catalogue.age_gate import AgeGate, read_gate, set_category_gated, set_gate
from liuying.core.catalogue.tables import video
from liuying.core.playback.tables import asset, subtitle
from liuying.core.visitors.service import ensure_visitor
from liuying.features.favourites.service import add as add_favourite
from liuying.features.topics.service import set_topic
from liuying.installation.services import Services
from liuying.kit.encryption import ImageEncryptor
from liuying.kit.object_keys import MediaPlace
from liuying.kit.visitor_code import parse_code
from liuying.media.cover import encode_picture
from liuying.pages.ranks import aggregate_views
from liuying.workflows.pictures import FRESH_S
from liuying.workflows.sealing import settle_gates
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.workflows.aging import aging
from tests.workflows.published import publish_file

AGE = {"x-age-confirmed": "1"}
CODE = {"x-visitor-code": "visitor00001"}
GATED_CATEGORY = 2
LOCKED = range(300, 400)
FILES = ("v1.m3u8", "360/s00001.m4s", "storyboard.vtt", "zh.vtt")
# Every call and page that shows videos.
EVERYWHERE = (
    "/api/videosort/0?orderby=new",
    "/api/videosort/0?orderby=hot",
    "/api/videosort/2?orderby=new",
    "/api/videosort/72",
    "/api/videoshare",
    "/api/videoindex",
    "/api/videorecommand",
    "/api/videorecommand?type=2",
    "/api/videomaylike?id=101",
    "/api/videomaylike?id=100",
    "/api/videoplay/101?uuid=1",
    "/api/videoplay/200?uuid=1",
    "/api/videoplay/300?uuid=1",
    "/api/videoSearch?serach=%E5%85%B1%E6%9C%89",
    "/api/videosuggest?q=%E8%A7%86%E9%A2%91",
    "/api/artist/1",
    "/api/artist",
    "/api/topics",
    "/api/videotopic/1",
    "/api/rank",
    "/api/rank?type=new&period=all",
    "/api/rank/pageviews/all",
    "/api/config",
    "/api/tags",
    "/home",
    "/playVideo?id=101",
    "/playVideo?id=200",
    "/list?typeId=2&orderby=new",
    "/list?typeId=0&orderby=new",
    "/topic?id=1",
    "/sitemap.xml",
    "/sitemaps/pages.xml",
    "/sitemaps/videos-1.xml",
)
PERSONAL = ("/api/favorites?site=sg", "/api/favorites?site=sg&page=1")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    """Every video with a cover and files of its own."""
    with filled.database.read() as connection:
        rows = connection.execute(sa.select(video.c.id, video.c.asset_key)).all()
    covers = {}
    for row in rows:
        noise = random.Random(row.id).randbytes(32 * 18 * 3)  # noqa: S311  # distinct pictures
        picture = Image.frombytes("RGB", (32, 18), noise)
        cover = encode_picture(picture, filled.encryptor, filled.objects)
        covers[row.id] = msgspec.to_builtins(cover)
        for name in FILES:
            path = f"/media/{row.asset_key}/{name}"
            place = MediaPlace.of(is_protected=row.id in LOCKED, is_removed=False)
            publish_file(filled, path, f"{row.asset_key}/{name}".encode(), place)
    with filled.database.write() as connection:
        set_topic(connection, "合集", "", [101, 100], None)
        visitor = ensure_visitor(connection, filled.hashes, parse_code("visitor00001"), NOW)
        for number in (101, 100, 200):
            add_favourite(connection, visitor, "sg", number, NOW, lambda *_: set())
        for row in rows:
            playlist = {"playlist": f"/media/{row.asset_key}/v1.m3u8"}
            connection.execute(
                sa.update(video)
                .where(video.c.id == row.id)
                .values(**playlist, cover=covers[row.id])
            )
            board = {"storyboard": f"/media/{row.asset_key}/storyboard.vtt"}
            connection.execute(
                sa.update(asset)
                .where(asset.c.key == row.asset_key)
                .values(**board, is_protected=row.id in LOCKED)
            )
            text = {"asset_key": row.asset_key, "lang": "zh", "label": "中文"}
            path = f"/media/{row.asset_key}/zh.vtt"
            connection.execute(sa.insert(subtitle).values(**text, path=path))
    aggregate_views(filled.database, NOW)
    settings = msgspec.structs.replace(filled.settings, site_url="https://site.example")
    opened = Client(msgspec.structs.replace(filled, settings=settings))
    yield opened
    opened.close()


def gate(client: Client, *, is_gated: bool = True, settles: bool = True) -> None:
    services = client.services
    with services.database.write() as connection:
        set_category_gated(connection, GATED_CATEGORY, is_gated=is_gated)
    if settles:
        settle_gates(services)
    client.application.look_for_changes()


def gate_site(client: Client, *, covers_site: bool) -> None:
    with client.services.database.write() as connection:
        set_gate(connection, AgeGate(covers_site=covers_site))
    settle_gates(client.services)
    client.application.look_for_changes()


def answers(client: Client) -> dict[str, str]:
    found = {path: client.get(path) for path in EVERYWHERE}
    found |= {path: client.get(path, CODE) for path in PERSONAL}
    assert {path: one.status_code for path, one in found.items() if one.status_code != 200} == {}
    return {path: one.text for path, one in found.items()}


def secrets_of(client: Client, ids: list[int]) -> dict[int, list[str]]:
    """What leads to each video's files and pictures, or shows them blurred."""
    with client.services.database.read() as connection:
        rows = connection.execute(
            sa.select(video.c.id, video.c.asset_key, video.c.cover).where(video.c.id.in_(ids))
        ).all()
    return {
        row.id: [
            row.asset_key,
            row.cover["url"].removeprefix("/enc/"),
            row.cover["jpeg"].removeprefix("/enc/"),
        ]
        for row in rows
    }


def ids_of(client: Client, *categories: int) -> list[int]:
    with client.services.database.read() as connection:
        statement = sa.select(video.c.id)
        if categories:
            statement = statement.where(video.c.category_id.in_(categories))
        return list(connection.execute(statement.order_by(video.c.id)).scalars())


def leaks(client: Client, ids: list[int]) -> set[tuple[int, str]]:
    told = answers(client)
    return {
        (number, path)
        for number, words in secrets_of(client, ids).items()
        for path, text in told.items()
        if any(word in text for word in words)
    }


def test_a_site_without_a_gate_says_nothing_of_it(client: Client) -> None:
    for text in answers(client).values():
        assert "isGated" not in text
        assert "age_gate" not in text
    assert leaks(client, [101]) != set()  # The looking itself works.


@pytest.mark.parametrize("settles", [True, False])
def test_nothing_that_everybody_gets_shows_a_gated_video(client: Client, settles: bool) -> None:
    before = secrets_of(client, ids_of(client, GATED_CATEGORY))
    gate(client, settles=settles)
    gated = ids_of(client, GATED_CATEGORY)
    assert leaks(client, gated) == set()
    told = answers(client)
    former = [word for words in before.values() for word in words]
    assert [path for path, text in told.items() if any(word in text for word in former)] == []
    # The others stay as they are.
    assert leaks(client, ids_of(client, 1)) != set()
    items = client.rescont("/api/videosort/2?orderby=new")["data"]
    assert [(one["isGated"], one["videopath"], one["coverbase64"]) for one in items] == [
        (True, "", {})
    ] * len(items)
    assert all(one["title"].startswith("视频 1") for one in items)


def test_the_whole_site(client: Client) -> None:
    gate_site(client, covers_site=True)
    assert leaks(client, ids_of(client)) == set()
    told = client.rescont("/api/config")
    assert told["age_gate"]["covers_site"] is True
    assert "255" not in told["cover_keys"]
    # No sitemap of videos, but the others'.
    assert "videos-1" not in client.get("/sitemap.xml").text


def test_lists_are_the_same_for_everybody(client: Client) -> None:
    gate(client)
    for path in EVERYWHERE:
        plain, told = client.get(path), client.get(path, AGE)
        assert (plain.content, plain.headers.get("etag")) == (
            told.content,
            told.headers.get("etag"),
        )


def test_on_and_off_again_is_byte_equal(client: Client) -> None:
    before = answers(client)
    files = sorted(one.key for one in client.services.objects.objects("media/"))
    gate(client)
    assert answers(client) != before
    gate(client, is_gated=False)
    assert answers(client) == before
    assert sorted(one.key for one in client.services.objects.objects("media/")) == files


def test_the_gates_calls_want_the_answer(client: Client) -> None:
    gate(client)
    for path in ("/api/gated/videos?ids=101", "/api/gated/videoplay/101"):
        for headers in ({}, {"x-age-confirmed": "0"}, {"x-age-confirmed": ""}, CODE):
            refused = client.get(path, headers)
            assert (refused.status_code, refused.json()["msg"]) == (403, "请先确认年龄")
        told = client.get(path, AGE)
        assert told.status_code == 200
        assert told.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "ids", ["", "0", "-1", "1,", ",1", "1 2", "a", "1,,2", "9999999999", ",".join(["7"] * 101)]
)
def test_wrong_numbers_are_refused(client: Client, ids: str) -> None:
    assert client.get(f"/api/gated/videos?ids={ids}", AGE).status_code == 422


def opened_cover(client: Client, cover: dict[str, Any], keys: dict[str, str]) -> Image.Image:
    encrypted = client.get(cover["url"]).content
    known = {int(number): base64.b64decode(key) for number, key in keys.items()}
    plain = ImageEncryptor(known, next(iter(known))).open(encrypted)
    return Image.open(io.BytesIO(plain))


def test_the_gates_calls_give_key_and_paths(client: Client) -> None:
    gate(client)
    told = client.get("/api/gated/videos?ids=101,100,999,104,101", AGE).json()["rescont"]
    # Neither what is open anyway, nor what is not there, nor anything twice.
    assert [one["id"] for one in told["data"]] == [101, 104]
    first = told["data"][0]
    assert first["coverbase64"]["type"] == "image/avif;kid=255"
    assert opened_cover(client, first["coverbase64"], told["cover_keys"]).size == (32, 18)
    assert re.fullmatch(r"/media/r/[\w-]{27}/asset00000101/v1\.m3u8", first["videopath"])
    assert client.get(first["videopath"]).content == b"asset00000101/v1.m3u8"
    play = client.get("/api/gated/videoplay/101", AGE).json()["rescont"]["play"]
    plain = client.rescont("/api/videoplay/101?uuid=1")
    assert plain["sources"] == plain["subtitles"] == plain["chapters"] == []
    assert (plain["storyboard"], plain["poster"], plain["isGated"]) == (None, {}, True)
    addresses = [play["storyboard"], play["subtitles"][0]["url"], play["sources"][0]["url"]]
    assert all(one.startswith("/media/r/") for one in addresses)
    assert client.get(play["subtitles"][0]["url"]).content == b"asset00000101/zh.vtt"
    same = {"title", "labls", "artists", "duration", "description", "isGated"}
    assert {name: play[name] for name in same} == {name: plain[name] for name in same}


def test_old_addresses_open_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither files, behind their former addresses, nor covers, whose key everybody has."""
    cover = client.rescont("/api/videoplay/101?uuid=1")["coverbase64"]
    assert client.get(cover["url"]).status_code == 200
    assert client.get("/media/asset00000101/v1.m3u8").status_code == 200
    aging(client.services, monkeypatch)(FRESH_S + 1)
    gate(client)
    assert client.get(cover["url"]).status_code == 404
    assert client.get(cover["jpeg"]).status_code == 404
    assert client.get("/media/asset00000101/v1.m3u8").status_code == 403
    assert client.get("/media/asset00000100/v1.m3u8").status_code == 200


def test_a_locked_video_stays_locked(client: Client) -> None:
    gate_site(client, covers_site=True)
    play = client.get("/api/gated/videoplay/300", AGE).json()["rescont"]["play"]
    assert (play["sources"], play["videopath"], play["is_lock"]) == ([], "", True)
    assert play["poster"]["url"] != ""
    told = client.get("/api/gated/videos?ids=300", AGE).json()["rescont"]["data"]
    assert told[0]["videopath"] == ""
    code = {"x-visitor-code": "sharer000001"}
    link = client.request("POST", "/api/share/link", code, {"id": 300}).json()["rescont"]["id"]
    for address in ("198.51.100.1", "198.51.100.2"):
        client.address = address
        client.request("POST", "/api/share/visit", {}, {"id": link})
    assert client.get("/api/share/play?id=300", code).status_code == 403
    unlocked = client.get("/api/share/play?id=300", code | AGE)
    assert unlocked.json()["rescont"]["videopath"].startswith("/media/r/")
    # Opened again, it is still locked.
    gate_site(client, covers_site=False)
    assert client.get("/media/asset00000300/v1.m3u8").status_code == 403
    assert client.rescont("/api/videoplay/300?uuid=1")["sources"] == []


def test_cards_and_heads_say_nothing(client: Client) -> None:
    gate(client)
    page = client.get("/playVideo?id=101").text
    head = page.partition('id="boot"')[0]
    assert "视频 101" not in head
    assert "确认年龄后观看" in head
    assert 'name="robots" content="noindex' in head
    assert client.get("/cards/video-101.jpg").status_code == 404
    assert "id=101<" not in client.get("/sitemaps/videos-1.xml").text
    assert "id=100<" in client.get("/sitemaps/videos-1.xml").text
    assert "typeId=2" not in client.get("/sitemaps/pages.xml").text


@pytest.mark.parametrize("path", ["/home", "/list?typeId=0&orderby=new", "/playVideo?id=101"])
def test_documents_announce_no_picture_that_is_not_there(client: Client, path: str) -> None:
    """An empty address would make every browser fetch the document again."""
    gate_site(client, covers_site=True)
    page = client.get(path).text
    boot = page.partition('id="boot">')[2].partition("</script>")[0]
    told = msgspec.json.decode(boot)
    assert [one for one in told["pictures"] if not one.get("url")] == []
    assert not told.get("sealed")  # The first picture itself, in the document.
    assert 'rel="preload" as="image" href=""' not in page


def test_a_topic_shows_a_cover_that_is_open(client: Client) -> None:
    before = client.rescont("/api/topics")[0]["coverbase64"]
    gate(client)
    after = client.rescont("/api/topics")[0]["coverbase64"]
    assert before == client.rescont("/api/videoplay/101?uuid=1")["coverbase64"] or before != after
    assert after == client.rescont("/api/videoplay/100?uuid=1")["coverbase64"]


def test_the_question_is_the_operators(client: Client) -> None:
    with client.services.database.write() as connection:
        set_gate(connection, AgeGate(title=" 你成年了吗 ", text="说明"))
        assert read_gate(connection) == AgeGate(title="你成年了吗", text="说明")
    client.application.look_for_changes()
    assert "age_gate" not in client.rescont("/api/config")  # Nothing is gated.
    gate(client)
    told = client.rescont("/api/config")["age_gate"]
    assert told == {"covers_site": False, "title": "你成年了吗", "text": "说明"}
    gate(client, is_gated=False)
    assert "age_gate" not in client.rescont("/api/config")
