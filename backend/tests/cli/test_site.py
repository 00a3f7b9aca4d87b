"""`liuying site`: what the operator sets reaches documents, manifest, cards and the client."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from liuying.cli.app import app
from liuying.features.site.rules import SiteIdentity
from liuying.installation.services import Services
from tests.conftest import Client

Run = Callable[..., Result]
HOME = (
    "<html><head><!--head--><title>家</title><!--/head--></head><body><h1>{{site.name}}</h1>"
    '<svg class="home-emblem" viewBox="9 4 36 40" aria-hidden="true"><g></g></svg>'
    '<svg class="home-wordmark" viewBox="0 0 51.5 24.5" fill="none"><path></path></svg>'
    "</body></html>"
)


@pytest.fixture
def run(filled: Services, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(filled.data_dir))
    monkeypatch.setenv("LIUYING_DATABASE_URL", filled.settings.database_url)

    def call(*arguments: str, code: int | None = 0) -> Result:
        result = CliRunner().invoke(app, ["site", *arguments])
        assert code is None or result.exit_code == code, result.output
        return result

    return call


@pytest.fixture
def client(filled: Services) -> Iterator[Client]:
    folder = filled.settings.web_dir
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("index.html", "shell.html"):
        (folder / name).write_text(HOME)
    opened = Client(filled)
    yield opened
    opened.close()


@pytest.fixture
def icon(tmp_path: Path) -> Path:
    Image.new("RGBA", (400, 300), (20, 200, 60, 255)).save(tmp_path / "icon.png")
    return tmp_path / "icon.png"


def picture(client: Client, address: str) -> Image.Image:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    return Image.open(io.BytesIO(answer.content))


def test_the_defaults_are_in_one_place(run: Run, client: Client) -> None:
    standard = SiteIdentity()
    home = client.get("/home").text
    assert f"<title>{standard.name} - {standard.slogan}</title>" in home
    assert f"<h1>{standard.name}</h1>" in home
    assert '<svg class="home-emblem"' in home
    assert client.rescont("/api/config")["site"] == {
        "name": standard.name,
        "slogan": standard.slogan,
        "footer": f"{standard.name} · {standard.slogan}",
        "contact": "",
        "logo": "",
        "icon": "",
    }
    assert client.get("/manifest.webmanifest").json()["short_name"] == standard.name


def test_a_name_and_texts_are_the_operators_own(run: Run, client: Client) -> None:
    card = client.get("/cards/site.jpg").content
    run("set", "--name", "山<海", "--slogan", "", "--short-name", "山", "--footer", "页脚")
    run("set", "--contact", "me@example.com", "--theme-dark", "#102030")
    run("set", "--url", "https://Shanhai.example/", "--share-text", "来看")
    client.application.look_for_changes()
    home = client.get("/home").text
    assert "<title>山&lt;海</title>" in home
    assert "<h1>山&lt;海</h1>" in home
    assert '<b class="home-wordmark site-name">山&lt;海</b>' in home
    assert 'content="#102030" media="(prefers-color-scheme: dark)"' in home
    assert "流影" not in home.partition('id="boot"')[0]
    video = client.get("/playVideo?id=129").text
    assert "<title>视频 129 - 山&lt;海</title>" in video
    assert 'href="https://shanhai.example/playVideo?id=129"' in video
    assert "。来看" in video
    site = client.rescont("/api/config")["site"]
    assert (site["name"], site["footer"], site["contact"]) == ("山<海", "页脚", "me@example.com")
    assert client.rescont("/api/config")["site_url"] == "https://shanhai.example"
    manifest = client.get("/manifest.webmanifest").json()
    assert (manifest["name"], manifest["short_name"]) == ("山<海", "山")
    assert manifest["theme_color"] == "#102030"
    assert client.get("/cards/site.jpg").content != card
    assert "Sitemap: https://shanhai.example/" in client.get("/robots.txt").text


def test_logo_and_icon_take_the_place_of_the_drawings(run: Run, client: Client, icon: Path) -> None:
    run("set", "--icon", str(icon), "--logo", str(icon))
    client.application.look_for_changes()
    site = client.rescont("/api/config")["site"]
    home = client.get("/home").text
    assert f'<img class="home-emblem" src="{site["icon"]}" alt="">' in home
    assert f'<img class="home-wordmark" src="{site["logo"]}" alt="">' in home
    assert picture(client, site["logo"]).size == (213, 160)
    assert picture(client, site["icon"]).size == (192, 192)
    icons = client.get("/manifest.webmanifest").json()["icons"]
    sizes = {one["purpose"]: picture(client, one["src"]).size for one in icons[1:]}
    assert sizes == {"any": (512, 512), "maskable": (512, 512)}
    maskable = picture(client, icons[2]["src"]).convert("RGB")
    # The ground around, the picture in the middle.
    assert maskable.getpixel((4, 4)) == (15, 16, 20)
    assert maskable.getpixel((256, 256)) == (20, 200, 60)
    assert 'rel="apple-touch-icon" href="/site/apple-touch-icon.png?v=' in home
    assert 'rel="icon" href="/site/favicon.png?v=' in home

    run("reset", "icon", "logo")
    client.application.look_for_changes()
    assert '<svg class="home-emblem"' in client.get("/home").text
    assert client.get(site["icon"]).status_code == 404


def test_reset_takes_everything_back(run: Run, client: Client) -> None:
    run("set", "--name", "山海", "--contact", "x")
    run("reset", "all")
    client.application.look_for_changes()
    assert client.rescont("/api/config")["site"]["name"] == SiteIdentity().name
    assert client.rescont("/api/config")["site"]["contact"] == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["set"], "请写要设置的项目"),
        (["set", "--name", " "], "站名不能是空白"),
        (["set", "--name", "长" * 21], "站名最多 20 个字"),
        (["set", "--theme-dark", "red"], "深色主题色应写成 #rrggbb"),
        (["set", "--url", "https://a.example/path"], "站点地址应为"),
        (["reset", "colour"], "没有项目「colour」"),
    ],
)
def test_bad_values_are_refused_with_one_line(
    run: Run, client: Client, arguments: list[str], message: str
) -> None:
    result = run(*arguments, code=None)
    assert result.exit_code != 0
    assert message in result.output
    assert client.rescont("/api/config")["site"]["name"] == SiteIdentity().name


def test_a_small_icon_is_refused_and_nothing_is_written(
    run: Run, client: Client, tmp_path: Path
) -> None:
    Image.new("RGB", (100, 100)).save(tmp_path / "small.png")
    result = run("set", "--name", "山海", "--icon", str(tmp_path / "small.png"), code=None)
    assert result.exit_code != 0
    assert "图标至少 192 × 192 像素" in result.output
    client.application.look_for_changes()
    assert client.rescont("/api/config")["site"]["name"] == SiteIdentity().name
