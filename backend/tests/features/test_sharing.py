"""Share-to-unlock through the whole application, and the media that it opens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.playback.signed_urls import sign_prefix
from liuying.core.playback.tables import asset, subtitle
from liuying.features.sharing import rules
from liuying.installation.services import Services
from liuying.kit.limits import MINUTE, Limit, Rule
from liuying.kit.object_keys import MediaPlace
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.workflows.published import publish_file

CODE = {"x-visitor-code": "sharer000001"}
FILES = (
    "v1.m3u8",
    "360/index.m3u8",
    "360/iframes.m3u8",
    "360/init.mp4",
    "360/s00001.m4s",
    "play.mp4",
    "storyboard.vtt",
    "sub.vtt",
    "b.jpg",
)
LOCKED = "解锁后才能观看"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    """Locked videos 300 and 301 with files behind the lock; requests may say their network, as from
    a proxy.
    """
    for video_id in (300, 301):
        key = f"asset{video_id:08}"
        for name in FILES:
            publish_file(
                filled, f"/media/{key}/{name}", f"{key}/{name}".encode(), MediaPlace.PROTECTED
            )
        paths = {
            "progressive": f"/media/{key}/play.mp4",
            "storyboard": f"/media/{key}/storyboard.vtt",
        }
        with filled.database.write() as connection:
            connection.execute(
                sa.update(asset).where(asset.c.key == key).values(is_protected=True, **paths)
            )
            row = {"asset_key": key, "lang": "zh", "label": "中文", "path": f"/media/{key}/sub.vtt"}
            connection.execute(sa.insert(subtitle).values(row))
    settings = msgspec.structs.replace(filled.settings, trusted_proxies="127.0.0.1")
    opened = Client(msgspec.structs.replace(filled, settings=settings))
    yield opened
    opened.close()


def link_of(client: Client, video_id: int = 300, network: str = "192.0.2.1") -> dict[str, Any]:
    headers = CODE | {"x-forwarded-for": network}
    answer = client.request("POST", "/api/share/link", headers, {"id": video_id})
    assert answer.status_code == 200, answer.text
    link: dict[str, Any] = answer.json()["rescont"]
    return link


def visit(client: Client, encoded: str, network: str, code: str = "") -> int:
    headers = {"x-forwarded-for": network} | ({"x-visitor-code": code} if code else {})
    answer = client.request("POST", "/api/share/visit", headers, {"id": encoded})
    assert answer.status_code == 200, answer.text
    return int(answer.json()["rescont"]["ip_count"])


def unlock(client: Client, video_id: int = 300) -> dict[str, Any]:
    encoded = link_of(client, video_id)["id"]
    visit(client, encoded, "198.51.100.1")
    visit(client, encoded, "198.51.100.2")
    answer = client.get(f"/api/share/play?id={video_id}", CODE)
    assert answer.status_code == 200, answer.text
    played: dict[str, Any] = answer.json()["rescont"]
    return played


def test_two_visits_unlock(client: Client) -> None:
    link = link_of(client)
    assert (len(link["id"]), link["url"]) == (27, f"/playVideoShare?id={link['id']}")
    assert (link["ip_count"], link["is_unlocked"]) == (0, False)
    refused = client.get("/api/share/play?id=300", CODE)
    assert (refused.status_code, refused.json()["msg"]) == (403, LOCKED)
    assert visit(client, link["id"], "192.0.2.1") == 0
    assert visit(client, link["id"], "198.51.100.1") == 1
    assert visit(client, link["id"], "198.51.100.1, 127.0.0.1") == 1
    assert visit(client, link["id"], "2001:db8:1:2::5") == 2
    assert visit(client, link["id"], "2001:db8:1:2:ffff::9") == 2
    assert client.get(f"/api/share/check?id={link['id']}").json()["rescont"] == {
        "ip_count": 2,
        "video_id": 300,
    }
    assert link_of(client)["is_unlocked"] is True
    unlocked = client.get("/api/share/unlocked", CODE)
    assert unlocked.json()["rescont"] == {"ids": [300], "counts": {"300": 2}}
    assert unlocked.headers["cache-control"] == "no-store"
    # Unlocked for this visitor alone.
    assert (
        client.get("/api/share/play?id=300", {"x-visitor-code": "another00001"}).status_code == 403
    )
    assert client.get("/api/share/play?id=301", CODE).status_code == 403


def test_the_own_code_does_not_count_anywhere(client: Client) -> None:
    encoded = link_of(client)["id"]
    assert visit(client, encoded, "198.51.100.1", CODE["x-visitor-code"]) == 0
    assert visit(client, encoded, "198.51.100.1") == 0
    assert visit(client, encoded, "198.51.100.2", "another00001") == 1


def test_only_locked_videos_are_shared(client: Client) -> None:
    assert client.get("/api/share/play?id=100", CODE).status_code == 404
    for video_id in (100, 999):
        answer = client.request("POST", "/api/share/link", CODE, {"id": video_id})
        assert answer.status_code == 404


def test_an_address_makes_no_link(client: Client) -> None:
    """What a page of somebody else can have a visitor fetch changes nothing."""
    answer = client.get("/api/share/link?id=300", CODE)
    assert (answer.status_code, answer.json()["code"]) == (405, 405)
    counts = client.get("/api/share/unlocked", CODE).json()["rescont"]["counts"]
    assert counts == {}
    link_of(client)
    counts = client.get("/api/share/unlocked", CODE).json()["rescont"]["counts"]
    assert counts == {"300": 0}


def test_links_are_limited_by_network(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "LINKS", Limit("share link", (Rule(2, MINUTE),)))
    answers = [
        client.request("POST", "/api/share/link", CODE, {"id": number})
        for number in (300, 301, 302)
    ]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert 0 < int(answers[2].headers["retry-after"]) <= 60


@pytest.mark.parametrize("path", ["link", "play?id=300", "unlocked"])
@pytest.mark.parametrize(
    "code", [{}, {"x-visitor-code": "Ab"}, {"x-visitor-code": "1234567890123"}]
)
def test_a_code_is_needed(client: Client, path: str, code: dict[str, str]) -> None:
    method, body = ("POST", {"id": 300}) if path == "link" else ("GET", None)
    answer = client.request(method, f"/api/share/{path}", code, body)
    assert (answer.status_code, answer.json()["msg"]) == (422, "请输入正确的资料识别码")


def test_the_tiles_of_locked_videos_carry_one_id_for_everybody(client: Client) -> None:
    lists = ("/api/videoshare", "/api/videosort/73", "/api/videosort/1")
    shared, category, opened = (client.get(path).json()["rescont"]["data"] for path in lists)
    assert [video["share_id"] for video in shared] == [video["share_id"] for video in category]
    assert {video["share_id"] for video in opened} == {None}
    by_id = {video["id"]: video["share_id"] for video in shared}
    assert len(set(by_id.values())) == len(by_id) == 5
    encoded = by_id[300]
    # A cached list: the sharer's own link is another one.
    assert encoded != link_of(client)["id"]
    state = {"ip_count": 0, "video_id": 300}
    assert client.get(f"/api/share/check?id={encoded}").json()["rescont"] == state
    for network in ("198.51.100.1", "198.51.100.2", "198.51.100.3"):
        assert visit(client, encoded, network) == 0
    assert client.get(f"/api/share/check?id={encoded}").json()["rescont"] == state
    assert link_of(client)["ip_count"] == 0
    altered = encoded[:-1] + ("A" if encoded[-1] != "A" else "B")
    assert client.get(f"/api/share/check?id={altered}").status_code == 404
    assert client.request("POST", "/api/share/visit", None, {"id": altered}).status_code == 404


def test_altered_links_lead_nowhere(client: Client) -> None:
    encoded = link_of(client)["id"]
    for place in range(len(encoded)):
        changed = encoded[:place] + ("A" if encoded[place] != "A" else "B") + encoded[place + 1 :]
        assert client.get(f"/api/share/check?id={changed}").status_code == 404
    assert (
        client.request("POST", "/api/share/visit", None, {"id": encoded + "A"}).status_code == 404
    )
    assert client.request("POST", "/api/share/visit", None, {"id": 3}).status_code == 422
    assert client.get("/api/share/check?id=" + "9" * 65).status_code == 422


def test_unlocked_addresses_answer_and_others_do_not(client: Client) -> None:
    played = unlock(client)
    assert played["expires_at"] > "2026"
    addresses = [played["videopath"], played["storyboard"], played["subtitles"][0]["url"]]
    addresses += [source["url"] for source in played["sources"]]
    assert len(played["sources"]) == 4
    assert all(one.startswith("/media/r/") for one in addresses)
    prefix = played["videopath"].removesuffix("v1.m3u8")
    for name in FILES:
        answer = client.get(prefix + name)
        assert (answer.status_code, answer.text) == (200, f"asset00000300/{name}")
        assert answer.headers["cache-control"].startswith("private, ")
        assert ("no-store" in answer.headers["cache-control"]) is name.endswith(".m3u8")
        for path in (
            f"/media/asset00000300/{name}",
            f"/media/r/asset00000300/{name}",
            (prefix + name).replace("asset00000300", "asset00000301"),
            f"/media/r/{'A' * 27}/asset00000300/{name}",
        ):
            refused = client.get(path)
            assert refused.status_code in {403, 404}
            assert refused.text.find("asset") == -1
        assert client.get(f"/media/asset00000300/{name}").json()["msg"] == LOCKED
    assert client.get(prefix + "360/s00001.m4s", {"range": "bytes=0-4"}).text == "asset"
    assert client.get(prefix + "nothing.m4s").status_code == 404


def test_every_altered_sign_of_the_right_is_refused(client: Client) -> None:
    path = unlock(client)["videopath"]
    start = len("/media/r/")
    for place in range(start, start + 27):
        changed = path[:place] + ("A" if path[place] != "A" else "B") + path[place + 1 :]
        assert client.get(changed).status_code == 403


def test_a_right_that_is_over_is_refused(client: Client) -> None:
    old = sign_prefix(client.services.hashes, "asset00000300", NOW - 6 * 3600_000)
    assert client.get(f"/media/r/{old.text}/asset00000300/v1.m3u8").status_code == 403
    fresh = sign_prefix(client.services.hashes, "asset00000300", NOW)
    assert client.get(f"/media/r/{fresh.text}/asset00000300/v1.m3u8").status_code == 200


def test_open_media_below_the_prefix_of_rights(client: Client) -> None:
    """In the data folder nothing of theirs is there. In a bucket they lie where they always do, and
    whoever has a right may read them as everybody may, but nobody keeps them for others.
    """
    publish_file(client.services, "/media/asset00000100/v1.m3u8", b"#EXTM3U\n")
    signed_prefix = sign_prefix(client.services.hashes, "asset00000100", NOW)
    assert client.get("/media/asset00000100/v1.m3u8").status_code == 200
    answer = client.get(f"/media/r/{signed_prefix.text}/asset00000100/v1.m3u8")
    if client.services.objects.media.is_split:
        assert answer.status_code == 404
    else:
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "private, no-store"
