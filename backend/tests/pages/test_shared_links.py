"""What messengers and search engines are told: heads, cards, robots.txt, sitemaps."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from xml.etree import ElementTree as ET

import msgspec
import pytest
import sqlalchemy as sa
from PIL import Image

from liuying.core.catalogue.tables import artist, video
from liuying.features.topics.service import set_topic
from liuying.http import page_routes
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.encryption import encrypted_url
from tests.conftest import Client

ORIGIN = "https://liuying.example"
Opened = Callable[..., Client]


@pytest.fixture
def opened(filled: Services) -> Iterator[Opened]:
    """Opens the installation with some settings."""
    folder = filled.settings.web_dir
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("index.html", "shell.html"):
        (folder / name).write_text(
            "<html><head><!--head--><title>家</title><!--/head--></head><body></body></html>"
        )
    clients: list[Client] = []

    def open_with(**settings: object) -> Client:
        changed = msgspec.structs.replace(filled.settings, **settings)
        clients.append(Client(msgspec.structs.replace(filled, settings=changed)))
        return clients[-1]

    yield open_with
    for one in clients:
        one.close()


def head_of(client: Client, target: str) -> dict[str, str]:
    """What a document says by name, its title and canonical address among it."""
    document = client.get(target).text
    found = dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"', document))
    found["title"] = re.findall("<title>([^<]*)</title>", document)[0]
    found["canonical"] = "".join(re.findall('rel="canonical" href="([^"]*)"', document))
    return found


def card(client: Client, address: str) -> Image.Image:
    answer = client.get(address.removeprefix(ORIGIN))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
    assert len(answer.content) <= 300_000
    return Image.open(io.BytesIO(answer.content))


def test_an_open_video_is_shown_by_its_title(opened: Opened) -> None:
    client = opened(site_url=ORIGIN)
    head = head_of(client, "/playVideo?id=129")
    assert head["title"] == "视频 129 - 流影"
    assert head["og:title"] == head["twitter:title"] == "视频 129"
    assert head["og:description"].startswith("音乐 · 06:31。")
    assert head["description"] == head["og:description"]
    assert head["canonical"] == head["og:url"] == f"{ORIGIN}/playVideo?id=129"
    assert (head["og:type"], head["og:site_name"]) == ("video.other", "流影")
    assert head["og:image"] == head["twitter:image"] == f"{ORIGIN}/cards/video-129.jpg"
    assert head["twitter:card"] == "summary_large_image"
    assert "robots" not in head
    assert card(client, head["og:image"]).size == (1200, 630)


@pytest.mark.parametrize("covers", [False, True])
def test_a_locked_videos_card_gives_nothing_away(opened: Opened, covers: bool) -> None:
    client = opened(site_url=ORIGIN, plain_covers=covers)
    shared = client.rescont("/api/videoshare")["data"][0]
    heads = [
        head_of(client, f"/playVideoShare?id={shared['share_id']}"),
        head_of(client, f"/playVideo?id={shared['id']}"),
    ]
    for head in heads:
        assert head == heads[0]
        assert shared["title"] not in "".join(head.values())
        assert head["og:image"] == f"{ORIGIN}/cards/unlock.jpg"
        assert (head["robots"], head["canonical"]) == ("noindex", "")
        # A messenger opens this address in place of the link: a friend's visit would be lost.
        assert "og:url" not in head
    card(client, heads[0]["og:image"])
    assert client.get(f"/cards/video-{shared['id']}.jpg").status_code == 404


def test_lists_topics_artists_and_screens_have_their_own_heads(opened: Opened) -> None:
    client = opened(site_url=ORIGIN)
    with client.services.database.write() as connection:
        topic_id = set_topic(connection, '雪"山', "看雪 <3", [100, 101], 1)
        artist_id = connection.scalar(sa.select(artist.c.id).where(artist.c.name == "作者1"))
    client.application.look_for_changes()
    expected = {
        "/home": ("流影 - 看见流动的光", "site"),
        "/list?typeId=1&orderby=hot": ("旅行 - 流影", "category-1"),
        f"/topic?id={topic_id}": ("雪&quot;山 - 流影", f"topic-{topic_id}"),
        f"/artist-details?id={artist_id}": ("作者1 - 流影", f"artist-{artist_id}"),
        "/rank": ("排行榜 - 流影", "site"),
    }
    for target, (title, name) in expected.items():
        head = head_of(client, target)
        assert (head["title"], head["og:image"]) == (title, f"{ORIGIN}/cards/{name}.jpg"), target
        assert "robots" not in head
        card(client, head["og:image"])
    assert head_of(client, f"/topic?id={topic_id}")["description"] == "看雪 &lt;3"
    assert head_of(client, "/list?typeId=1&orderby=hot")["canonical"].endswith("&amp;orderby=new")


HOME_TITLE = "流影 - 看见流动的光"
# Address → title and canonical address; empty where the page has none.
TITLES = {
    "/vendor": ("从合作网站进入", "/vendor"),
    "/vendor?logout=logout": ("从合作网站进入", "/vendor"),
    "/rank": ("排行榜", "/rank"),
    "/find": ("发现", "/find"),
    "/find/artist": ("发现女优", "/find/artist"),
    "/find/rank": ("发现排行", "/find/rank"),
    "/find/tags": ("发现分类", "/find/tags"),
    "/artist-details": ("作者", ""),
    "/artist-details?id=1": ("作者0", "/artist-details?id=1"),
    "/artist-details?id=999": ("作者", ""),
    "/topic": ("专题", ""),
    "/topic?id=999": ("专题", ""),
    "/miin": ("短视频", "/miin"),
    "/favorites": ("看看", "/favorites"),
    "/mine": ("我的", "/mine"),
    "/search": ("搜索", "/search"),
    "/list": ("视频列表", ""),
    "/list?typeId=0&orderby=new": ("全部", "/list?typeId=0&amp;orderby=new"),
    "/searchList": ("搜索", "/search"),
    "/searchList?search=%E9%9B%AA+a%26b": ("雪 a&amp;b", "/searchList?search=%E9%9B%AA+a%26b"),
    "/playVideo": ("播放视频", ""),
    "/playVideo?id=129&ad_show=no": ("视频 129", "/playVideo?id=129"),
    "/playVideo?id=999": ("视频不存在或已下架", ""),
    "/playVideoShare": ("邀请你解锁一个视频", ""),
    "/playLink": ("播放视频", ""),
    "/collectVideo": ("观看历史", "/collectVideo?type=history"),
    "/collectVideo?type=history": ("观看历史", "/collectVideo?type=history"),
    "/collectVideo?type=favorite": ("我喜欢的", "/collectVideo?type=favorite"),
    "/nothing": ("找不到页面", ""),
}


def test_every_document_has_its_own_title_description_and_address(opened: Opened) -> None:
    client = opened(site_url=ORIGIN)
    routed = {one for route in page_routes.ROUTES for one in route.paths} | page_routes.SCREENS
    named = {one.partition("?")[0] for one in TITLES}
    assert routed - {"/", "/home", "/{screen:path}"} == named - {"/nothing"}
    assert head_of(client, "/home")["title"] == HOME_TITLE
    # Twice: the second document comes from the cache.
    for target, (title, address) in [*TITLES.items(), *TITLES.items()]:
        head = head_of(client, target)
        assert head["title"] == f"{title} - 流影", target
        assert head["canonical"] == (f"{ORIGIN}{address}" if address else ""), target
        assert head["description"], target


@pytest.mark.parametrize("kind", ["topic", "artist-details", "playVideo"])
def test_a_document_of_what_does_not_exist_is_404(opened: Opened, kind: str) -> None:
    assert opened().get(f"/{kind}?id=999").status_code == 404
    # Where a session is required, the status tells no more than the head.
    assert opened(auth_required=True).get(f"/{kind}?id=999").status_code == 200


@pytest.mark.parametrize(
    "target", ["/mine", "/search", "/searchList?search=x", "/vendor", "/nothing", "/topic?id=999"]
)
def test_private_and_missing_pages_are_not_listed(opened: Opened, target: str) -> None:
    head = head_of(opened(site_url=ORIGIN), target)
    assert (head["robots"], head["og:image"]) == ("noindex", f"{ORIGIN}/cards/site.jpg")


def test_a_list_of_no_category_has_a_name_and_is_not_listed(opened: Opened) -> None:
    head = head_of(opened(), "/list?typeId=998&orderby=new")
    assert (head["title"], head["robots"]) == ("视频 - 流影", "noindex")
    assert head["canonical"] == ""


def test_a_searched_term_is_escaped_cut_and_never_cached(opened: Opened) -> None:
    client = opened(site_url=ORIGIN)
    document = client.get("/searchList?search=%3C/title%3E%3Cscript%3E%22%27%00%E2%80%AEx").text
    assert "<title>&lt;/title&gt;&lt;script&gt;&quot;&#x27; x - 流影</title>" in document
    assert '<script>"' not in document
    long = head_of(client, f"/searchList?search={'%E9%9B%AA' * 200}&search=other")
    assert long["title"] == f"{'雪' * 64} - 流影"
    assert long["canonical"] == f"{ORIGIN}/searchList?search={'%E9%9B%AA' * 64}"
    cache = client.application.response_cache
    assert cache.find(b"/searchList?search=other") is None
    assert head_of(client, "/searchList?search=%ff%zz")["title"] == "\ufffd%zz - 流影"
    hidden = opened(auth_required=True).get("/searchList?search=evil").text
    assert "evil" not in hidden


def test_a_card_follows_its_video(opened: Opened) -> None:
    client = opened()
    before = client.get("/cards/video-129.jpg").content
    assert client.get("/cards/video-129.jpg").content == before
    with client.services.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == 129).values(title="另一个"))
        record_change(connection, CacheTopic.CATALOGUE)
    client.application.look_for_changes()
    assert client.get("/cards/video-129.jpg").content != before


def test_the_real_cover_is_shown_where_the_operator_says_so(opened: Opened) -> None:
    client = opened(plain_covers=True)
    picture = io.BytesIO()
    Image.new("RGB", (640, 360), (30, 220, 40)).save(picture, "JPEG")
    services = client.services
    name = services.encryptor.store_image(services.objects, picture.getvalue())
    with services.database.write() as connection:
        cover = {"url": encrypted_url(name), "type": "image/jpeg;kid=1"}
        connection.execute(sa.update(video).where(video.c.id == 129).values(cover=cover))
        record_change(connection, CacheTopic.CATALOGUE)
    client.application.look_for_changes()
    red, green, blue = card(client, "/cards/video-129.jpg").convert("RGB").getpixel((600, 40))  # type: ignore[misc]
    assert green > 180 > max(red, blue)
    # A cover that cannot be read leaves the drawn card.
    card(client, "/cards/video-128.jpg")


@pytest.mark.parametrize(
    "name", ["video-0", "video-999", "video-9999999999", "topic-9", "x", "../site", "site.png"]
)
def test_other_cards_are_not_there(opened: Opened, name: str) -> None:
    assert opened().get(f"/cards/{name}.jpg").status_code == 404


def test_cards_that_are_not_cached_are_limited(opened: Opened) -> None:
    client = opened()
    codes = [client.get(f"/cards/video-{9000 + n}.jpg").status_code for n in range(121)]
    assert set(codes[:120]) == {404}
    assert codes[120] == 429


def locations(client: Client, path: str) -> list[str]:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/xml")
    root = ET.fromstring(answer.text)  # noqa: S314  # of our own making
    return [one.text or "" for one in root.iter() if one.tag.endswith("}loc")]


def test_sitemaps_list_what_is_open_and_nothing_else(opened: Opened) -> None:
    client = opened(site_url=ORIGIN)
    assert f"Sitemap: {ORIGIN}/sitemap.xml" in client.get("/robots.txt").text
    parts = [one.removeprefix(ORIGIN) for one in locations(client, "/sitemap.xml")]
    assert parts == ["/sitemaps/pages.xml", "/sitemaps/videos-1.xml"]
    pages, videos = (locations(client, one) for one in parts)
    assert f"{ORIGIN}/home" in pages
    assert f"{ORIGIN}/list?typeId=3&orderby=new" in pages
    # Thirty videos; shorts, locked and withheld ones are no pages of their own there.
    assert len(videos) == 30
    assert videos[0] == f"{ORIGIN}/playVideo?id=129"
    assert not {f"{ORIGIN}/playVideo?id={one}" for one in (200, 300, 400)} & set(videos)
    for path in ("/sitemaps/videos-2.xml", "/sitemaps/videos-0.xml", "/sitemaps/x.xml"):
        assert client.get(path).status_code == 404


def test_without_an_address_of_its_own_the_site_has_no_sitemap(opened: Opened) -> None:
    client = opened()
    assert client.get("/sitemap.xml").status_code == 404
    assert "Sitemap" not in client.get("/robots.txt").text
    # A relative one would be a mistake to search engines.
    assert head_of(client, "/playVideo?id=129")["canonical"] == ""


def test_a_site_for_sessions_alone_says_nothing(opened: Opened) -> None:
    client = opened(site_url=ORIGIN, auth_required=True)
    assert client.get("/robots.txt").text == "User-agent: *\nDisallow: /\n"
    assert client.get("/sitemap.xml").status_code == 404
    head = head_of(client, "/playVideo?id=129")
    assert (head["title"], head["robots"]) == ("流影 - 看见流动的光", "noindex")
    site, video_card = (client.get(f"/cards/{one}.jpg").content for one in ("site", "video-129"))
    assert site == video_card
