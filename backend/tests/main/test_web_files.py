"""The built web application: documents with inlined data, files, and the addresses of screens."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

import msgspec
import pytest

from liuying.domains.catalogue.tables import video
from liuying.kit.changes import Topic, record_change
from liuying.main.services import Services
from tests.catalogue_factory import COVER
from tests.conftest import Client

SCRIPT = "console.log('流影');" * 100


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    folder = filled.settings.web_dir
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><html><head><title>家</title></head><body>预渲染</body></html>")
    (folder / "shell.html").write_text("<!doctype html><html><head></head><body></body></html>")
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
    assert len(parser.texts) == 1
    boot: dict[str, object] = msgspec.json.decode(parser.texts[0])
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
    assert home["banners"] == client.rescont(f"/api/adinfo/BANNER/{client.rescont('/api/adsort')[0]['id']}")
    assert boot["config"] == client.rescont("/api/config")
    assert f'href="{COVER["url"]}"' in answer.text


def test_a_title_cannot_end_the_script(client: Client) -> None:
    title = "</script><script>alert(1)</script>"
    with client.services.database.write() as connection:
        connection.execute(video.update().where(video.c.id == 129).values(title=title))
        record_change(connection, Topic.CATALOGUE)
    client.application.look_for_changes()
    answer = client.get("/home")
    assert "<script>alert" not in answer.text
    assert title in msgspec.json.encode(boot_of(answer.text)).decode()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/playVideo?id=1", 200),
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
    assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (status, "text/html")


def test_documents_forbid_what_they_do_not_need(client: Client) -> None:
    policy = client.get("/home").headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'self'" in policy
    assert client.get("/home").headers["referrer-policy"] == "same-origin"
    assert client.get("/home").headers["cache-control"].startswith("public, max-age=0")


def test_hashed_files_are_immutable_and_compressed(client: Client) -> None:
    answer = client.get("/assets/index-abc.js", {"accept-encoding": "br"})
    assert (answer.text, answer.headers["content-encoding"]) == (SCRIPT, "br")
    assert "immutable" in answer.headers["cache-control"]
    again = client.get("/assets/index-abc.js", {"accept-encoding": "br", "if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


def test_the_service_worker_is_asked_for_again(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer.headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert answer.headers["content-type"] == "text/javascript"
    assert client.request("POST", "/service-worker.js").status_code == 405


@pytest.mark.parametrize("path", ["/index.html", "/shell.html", "/assets/none.js", "/assets/../secrets.json"])
def test_other_files_are_not_there(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_screens_document_announces_its_code(client: Client) -> None:
    document = client.get("/list?typeId=0").text
    assert '<link rel="modulepreload" crossorigin href="/assets/list-abc.js">' in document
    assert '<link rel="stylesheet" crossorigin href="/assets/list-abc.css">' in document
    assert '<script src="/early.js" data-ads></script>' in document
    assert "list-abc" not in client.get("/find").text
    assert client.get("/preloads.json").status_code == 404
