"""The built web application: documents with inlined data, files, and the addresses of screens."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser

import msgspec
import pytest

from liuying.core.catalogue.tables import video
from liuying.features.ads.tables import banner_tag
from liuying.http.first_pictures import MAX_BYTES
from liuying.http.web_files import inline_source
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.object_keys import picture_key
from tests.catalogue_factory import COVER
from tests.conftest import Client

THEME = "let theme;"
STYLE = "body { margin: 0 }"
LIST_STYLE = ".list-body { margin: 0 }"
FIRST_PAINT = f"<script>{THEME}</script><style>{STYLE}</style>"
NAME = COVER["url"].rpartition("/")[2].removesuffix(".bin")
SCRIPT = "console.log('流影');" * 100


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    folder = filled.settings.web_dir
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(
        "<!doctype html><html><head><!--head--><title>家</title><!--/head--></head>"
        "<body>预渲染 {{site.name}}</body></html>"
    )
    (folder / "shell.html").write_text(
        "<!doctype html><html><head><!--head--><title>家</title><!--/head-->"
        f"{FIRST_PAINT}</head><body></body></html>"
    )
    (folder / "list.html").write_text(
        "<!doctype html><html><head><!--head--><title>家</title><!--/head-->"
        f"{FIRST_PAINT}<style>{LIST_STYLE}</style></head><body>列表的框</body></html>"
    )
    (folder / "preloads.json").write_text(
        '{"/list":{"scripts":["/assets/list-abc.js"],"styles":["/assets/list-abc.css"]}}'
    )
    (folder / "assets" / "index-abc.js").write_text(SCRIPT)
    (folder / "service-worker.js").write_text(SCRIPT)
    opened = Client(filled)
    # What was built later does not mix with what is served.
    (folder / "assets" / "index-abc.js").unlink()
    yield opened
    opened.close()


class Scripts(HTMLParser):
    """Collects what stands inside scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts.append(data)


def boot_of(document: str) -> dict[str, object]:
    parser = Scripts()
    parser.feed(document)
    boot: dict[str, object] = msgspec.json.decode(parser.texts[-1])
    return boot


@pytest.mark.parametrize("path", ["/", "/home"])
def test_home_has_its_data_inlined(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    boot = boot_of(answer.text)
    home = boot["home"]
    assert isinstance(home, dict)
    assert home["blocks"] == client.rescont("/api/videoindex")
    assert home["recommendation"] == client.rescont("/api/videorecommand")
    assert home["categories"] == client.rescont("/api/videosort")
    assert home["banners"] == client.rescont(
        f"/api/adinfo/BANNER/{client.rescont('/api/adsort')[0]['id']}"
    )
    assert boot["config"] == client.rescont("/api/config")
    assert f'href="{COVER["url"]}"' in answer.text


@pytest.mark.parametrize("suffix", ["", "&ad_show=no"])
def test_the_players_document_has_its_answers(client: Client, suffix: str) -> None:
    answer = client.get(f"/playVideo?id=129{suffix}")
    asked = ["/api/videoplay/129?uuid=1", "/api/videomaylike?id=129&page=1"]
    if not suffix:
        asked += ["/api/adinfo/PLAYBEFORE", "/api/adinfo/PLAYINFO"]
    boot = boot_of(answer.text)
    info = client.rescont(asked[0])
    assert boot["answers"] == {address: client.rescont(address) for address in asked}
    assert boot["pictures"] == [info["poster"]]
    assert f'href="{info["poster"]["url"]}"' in answer.text
    assert f"<title>{info['title']} - 流影</title>" in answer.text
    assert f'<meta property="og:title" content="{info["title"]}">' in answer.text


@pytest.mark.parametrize("target", ["/home", "/playVideo?id=129", "/list?typeId=1&orderby=new"])
@pytest.mark.parametrize(("size", "is_inside"), [(0, False), (3000, True), (MAX_BYTES + 1, False)])
def test_the_first_picture_is_inside_the_document_where_it_is_small(
    client: Client, filled: Services, target: str, size: int, is_inside: bool
) -> None:
    sealed = b"C" * size
    if sealed:
        filled.objects.put_if_absent(picture_key(NAME), sealed)
    answer = client.get(target)
    assert boot_of(answer.text)["sealed"] == (b64encode(sealed).decode() if is_inside else "")
    # What is inside is not fetched beside it; on home and in the list the same picture is the cover
    # of other tiles, too, and is asked for once.
    links = answer.text.count(
        f'rel="preload" as="fetch" crossorigin="anonymous" href="{COVER["url"]}"'
    )
    assert links == (1 - is_inside if target.startswith("/playVideo") else 1)


def test_home_without_tags_draws_no_banner_of_its_own(client: Client, filled: Services) -> None:
    # Its place would be another than that of the box before it.
    filled.objects.put_if_absent(picture_key(NAME), b"C" * 3000)
    with filled.database.write() as connection:
        connection.execute(banner_tag.delete())
        record_change(connection, CacheTopic.ADS)
    client.application.look_for_changes()
    assert boot_of(client.get("/home").text)["sealed"] == ""


@pytest.mark.parametrize(
    ("target", "is_list"),
    [
        ("/list?typeId=1&orderby=new", True),
        # Without answers: the application may lead the visitor to another screen.
        ("/list?typeId=1", False),
        ("/mine", False),
    ],
)
def test_a_lists_document_shows_its_boxes(client: Client, target: str, is_list: bool) -> None:
    answer = client.get(target)
    assert ("列表的框" in answer.text) is is_list
    # Its styles are inside; their hash is allowed.
    assert (f"<style>{LIST_STYLE}</style>" in answer.text) is is_list
    assert inline_source(LIST_STYLE) in answer.headers["content-security-policy"]
    if is_list:
        assert '<link rel="modulepreload" crossorigin href="/assets/list-abc.js">' in answer.text
        assert "list-abc.css" not in answer.text


@pytest.mark.parametrize("orderby", ["new", "hot"])
def test_a_lists_document_has_its_first_page(client: Client, orderby: str) -> None:
    answer = client.get(f"/list?typeId=1&orderby={orderby}")
    asked = [f"/api/videosort/1?orderby={orderby}&page=1", "/api/videosort"]
    boot = boot_of(answer.text)
    assert boot["answers"] == {address: client.rescont(address) for address in asked}
    covers = [item["coverbase64"] for item in client.rescont(asked[0])["data"][:4]]
    assert boot["pictures"] == covers
    assert all(f'href="{cover["url"]}"' in answer.text for cover in covers)


@pytest.mark.parametrize(
    ("number", "name"), [(0, "全部"), (1, "旅行"), (72, "短视频"), (73, "分享解锁")]
)
def test_a_lists_document_is_called_as_its_category(client: Client, number: int, name: str) -> None:
    assert f"<title>{name} - 流影</title>" in client.get(f"/list?typeId={number}&orderby=new").text


@pytest.mark.parametrize(
    "target",
    [
        "/playVideo?id=129&utm=x",
        "/playVideo?id=01",
        "/playVideo?id=129&id=2",
        "/list?orderby=new&typeId=1",
        "/list?typeId=1&orderby=old",
        "/list",
        "/mine",
    ],
)
def test_another_spelling_has_the_shell_alone(client: Client, target: str) -> None:
    assert boot_of(client.get(target).text)["answers"] == {}


def test_a_document_is_filled_anew_when_its_video_changes(client: Client) -> None:
    client.get("/playVideo?id=129")
    with client.services.database.write() as connection:
        connection.execute(video.update().where(video.c.id == 129).values(title='改过的"名字" <b>'))
        record_change(connection, CacheTopic.CATALOGUE)
    client.application.look_for_changes()
    document = client.get("/playVideo?id=129").text
    assert "<title>改过的&quot;名字&quot; &lt;b&gt; - 流影</title>" in document


def test_a_title_cannot_end_the_script(client: Client) -> None:
    title = "</script><script>alert(1)</script>"
    with client.services.database.write() as connection:
        connection.execute(video.update().where(video.c.id == 129).values(title=title))
        record_change(connection, CacheTopic.CATALOGUE)
    client.application.look_for_changes()
    answer = client.get("/home")
    assert "<script>alert" not in answer.text
    assert title in msgspec.json.encode(boot_of(answer.text)).decode()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/playVideo?id=129", 200),
        ("/playVideo?id=129&ad_show=no", 200),
        ("/playVideo?id=none", 200),
        ("/playVideo?id=99999", 404),
        ("/playVideo?id=9999999999", 404),
        ("/list?typeId=99999&orderby=new", 200),
        ("/collectVideo?type=history", 200),
        ("/playVideoShare?id=abc", 200),
        ("/find/rank", 200),
        ("/nothing", 404),
        ("/home/", 200),
        ("/a/b", 404),
    ],
)
def test_screens_have_the_shell(client: Client, path: str, status: int) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (
        status,
        "text/html",
    )


def test_documents_forbid_what_they_do_not_need(client: Client) -> None:
    policy = client.get("/home").headers["content-security-policy"]
    assert re.search(r"script-src 'self'( 'sha256-[^ ']+')*;", policy)
    assert "unsafe" not in policy
    assert "frame-ancestors 'self'" in policy
    assert client.get("/home").headers["referrer-policy"] == "same-origin"
    assert client.get("/home").headers["cache-control"].startswith("public, max-age=0")


def test_the_builds_own_texts_are_allowed_by_their_hash(client: Client) -> None:
    answer = client.get("/mine")
    policy = dict(
        part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ")
    )
    for name, texts in (("script-src", [THEME]), ("style-src", [LIST_STYLE, STYLE])):
        digests = [b64encode(sha256(text.encode()).digest()).decode() for text in texts]
        assert policy[name] == " ".join(["'self'", *(f"'sha256-{one}'" for one in digests)])
    for text in (THEME, STYLE):
        assert f">{text}</" in answer.text


def test_hashed_files_are_immutable_and_compressed(client: Client) -> None:
    answer = client.get("/assets/index-abc.js", {"accept-encoding": "br"})
    assert (answer.text, answer.headers["content-encoding"]) == (SCRIPT, "br")
    assert "immutable" in answer.headers["cache-control"]
    again = client.get(
        "/assets/index-abc.js", {"accept-encoding": "br", "if-none-match": answer.headers["etag"]}
    )
    assert again.status_code == 304


def test_the_service_worker_is_asked_for_again(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer.headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert answer.headers["content-type"] == "text/javascript"
    assert client.request("POST", "/service-worker.js").status_code == 405


@pytest.mark.parametrize(
    "path",
    ["/index.html", "/list.html", "/shell.html", "/assets/none.js", "/assets/../secrets.json"],
)
def test_other_files_are_not_there(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_screens_document_announces_its_code(client: Client) -> None:
    document = client.get("/list").text
    assert '<link rel="modulepreload" crossorigin href="/assets/list-abc.js">' in document
    assert '<link rel="preload" as="style" crossorigin href="/assets/list-abc.css">' in document
    assert "list-abc" not in client.get("/find").text
    assert client.get("/preloads.json").status_code == 404
