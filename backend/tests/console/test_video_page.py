"""A video's page on the console: its cover, its subtitles, and playing it, wherever its files are
stored.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from PIL import Image

from liuying.core.catalogue.tables import video
from liuying.features.operators.rules import Role
from liuying.features.site.service import set_texts
from liuying.installation.services import Services
from liuying.workflows.import_video import import_file
from liuying.workflows.removal import remove_videos
from liuying.workflows.video_meta import VideoMeta
from tests.conftest import Client
from tests.console.desk import Desk
from tests.made_once import made_once
from tests.media.clips import FAST, h264, make_clip, tone
from tests.workflows.published import row_of

pytestmark = pytest.mark.usefixtures("store")
COLOURS = ("red", "lime", "blue")
LINES = "1\n00:00:01,000 --> 00:00:02,000\n{}\n"


@pytest.fixture(params=["folder", "s3"], scope="session")
def store(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def coloured_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """640 × 360, 25 pictures a second: two seconds each of red, green and blue, with sound."""
    parts = [f"color=c={name}:s=640x360:r=25:d=2[{name}]" for name in COLOURS]
    joined = "".join(f"[{name}]" for name in COLOURS) + "concat=n=3:v=1:a=0"
    picture = ["-f", "lavfi", "-i", ";".join([*parts, joined])]
    return made_once(
        tmp_path_factory,
        "colours.mp4",
        lambda path: make_clip(path, *picture, *tone(6), *h264()),
    )


@pytest.fixture
def film(services: Services, coloured_clip: Path) -> int:
    """The number of an imported film."""
    meta = VideoMeta(title="三种颜色", category="旅行")
    return import_file(services, coloured_clip, meta, settings=FAST).video_id


@pytest.fixture
def desk(services: Services) -> Iterator[Desk]:
    opened = Desk(services)
    opened.log_in(Role.EDITOR)
    yield opened
    opened.close()


def colour_of(picture: Image.Image, place: tuple[float, float] = (0.5, 0.5)) -> str:
    """Which of the film's colours a picture has at a place."""
    point = (int(place[0] * (picture.width - 1)), int(place[1] * (picture.height - 1)))
    pixel = picture.convert("RGB").getpixel(point)
    assert isinstance(pixel, tuple)
    return COLOURS[pixel.index(max(pixel))]


def opened(answer: Any) -> Image.Image:
    assert answer.status_code == 200, answer.text
    return Image.open(io.BytesIO(answer.content))


def base64_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def file_of(picture: Image.Image, form: str = "PNG", **options: Any) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return base64_of(buffer.getvalue())


def actions(desk: Desk) -> list[dict[str, Any]]:
    owner = Desk(desk.services)
    owner.log_in()
    found = owner.rescont("GET", "/api/audit")["data"]
    owner.close()
    return [one for one in found if one["action"].startswith("video.")]


def test_a_frame_is_what_the_film_shows_at_the_moment(desk: Desk, film: int) -> None:
    for at, colour in ((0, "red"), (1900, "red"), (2100, "lime"), (5900, "blue")):
        picture = opened(desk.request("GET", f"/api/videos/{film}/frame?at={at}"))
        assert (colour_of(picture), picture.size) == (colour, (640, 360))
    # Beyond the end it is the last one.
    assert colour_of(opened(desk.request("GET", f"/api/videos/{film}/frame?at=3600000"))) == "blue"


def test_a_frame_becomes_the_cover(desk: Desk, film: int) -> None:
    before = row_of(desk.services, film).cover
    body = {"at": 2500, "crop": {"left": 0.25, "top": 0, "width": 0.5, "height": 1}}
    detail = desk.rescont("PUT", f"/api/videos/{film}/cover", body)
    assert detail["video"]["id"] == film
    cover = row_of(desk.services, film).cover
    assert (cover["width"], cover["height"]) == (320, 360)
    assert cover["url"] != before["url"]
    shown = opened(desk.request("GET", f"/api/videos/{film}/cover"))
    assert (colour_of(shown), shown.size) == ("lime", (320, 360))
    newest = actions(desk)[0]
    assert (newest["action"], newest["after"]) == ("video.edit", {"cover": "0:02.5 的画面"})


def test_a_given_picture_is_cut_as_it_is_seen(desk: Desk, film: int) -> None:
    """A camera held upright says so beside the pixels; browsers and the crop go by that."""
    picture = Image.new("RGB", (400, 200), "red")
    picture.paste("blue", (200, 0, 400, 200))
    exif = picture.getexif()
    exif[0x0112] = 6  # a quarter turn clockwise: red above, blue below
    body = {
        "image": file_of(picture, "JPEG", exif=exif, quality=95),
        "crop": {"left": 0, "top": 0.5, "width": 1, "height": 0.5},
    }
    desk.rescont("PUT", f"/api/videos/{film}/cover", body)
    shown = opened(desk.request("GET", f"/api/videos/{film}/cover"))
    assert shown.size == (200, 200)
    assert {colour_of(shown, place) for place in ((0.1, 0.1), (0.9, 0.1), (0.5, 0.9))} == {"blue"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "image"),
        ({"at": 1000, "image": "AAAA"}, "image"),
        ({"image": ""}, "image"),
        ({"image": "R0lGODlhAQABAAAAACw="}, "image"),
        ({"at": -1}, "at"),
        ({"at": 90_000_000}, "at"),
        ({"at": 6500}, "at"),
        ({"image": file_of(Image.new("RGB", (1, 1)))}, "image"),
        ({"at": 0, "crop": {"left": 0.6, "top": 0, "width": 0.6, "height": 1}}, "crop"),
        ({"at": 0, "crop": {"left": 0, "top": 0, "width": 0.01, "height": 0.01}}, "crop"),
        ({"at": 0, "crop": {"left": 0, "top": 0, "width": 0, "height": 1}}, "crop"),
        ({"at": 0, "more": 1}, ""),
    ],
)
def test_a_wrong_cover_is_refused_and_changes_nothing(
    desk: Desk, film: int, body: dict[str, Any], field: str
) -> None:
    before = row_of(desk.services, film).cover
    answer = desk.request("PUT", f"/api/videos/{film}/cover", body)
    assert answer.status_code == 422, answer.text
    if field:
        assert answer.json()["rescont"][0]["field"] == field
    assert row_of(desk.services, film).cover == before
    assert actions(desk) == []


def test_too_large_a_picture_is_refused_whole(desk: Desk, film: int) -> None:
    body = {"image": base64_of(bytes(8 * 2**20 + 1))}
    refused = desk.request("PUT", f"/api/videos/{film}/cover", body)
    assert (refused.status_code, "8 MB" in refused.text) == (422, True)
    body = {"image": base64_of(bytes(9 * 2**20))}
    assert desk.request("PUT", f"/api/videos/{film}/cover", body).status_code == 413


def test_subtitles_are_added_replaced_and_removed(desk: Desk, film: int) -> None:
    def give(language: str, words: str) -> Any:
        content = base64_of(LINES.format(words).encode())
        body = {"language": language, "content": content}
        return desk.rescont("PUT", f"/api/videos/{film}/subtitles", body)

    chinese = {"lang": "zh-Hans", "label": "简体中文"}
    assert give("zh-Hans", "你好") == [chinese]
    assert give("en", "hello") == [{"lang": "en", "label": "英语"}, chinese]
    assert give("en", "good day") == [{"lang": "en", "label": "英语"}, chinese]
    tracks = desk.rescont("GET", f"/api/videos/{film}/playback")["subtitles"]
    assert [one["lang"] for one in tracks] == ["en", "zh-Hans"]
    read = desk.request("GET", tracks[0]["url"])
    assert ("good day" in read.text, read.headers["content-type"]) == (
        True,
        "text/vtt; charset=utf-8",
    )
    assert desk.rescont("DELETE", f"/api/videos/{film}/subtitles/en") == [chinese]
    assert desk.request("GET", tracks[0]["url"]).status_code == 404
    assert desk.request("DELETE", f"/api/videos/{film}/subtitles/en").status_code == 404
    told = [(one["before"], one["after"]) for one in actions(desk)]
    assert told == [
        ({"subtitle": "英语"}, None),
        ({"subtitle": "英语"}, {"subtitle": "英语"}),
        (None, {"subtitle": "英语"}),
        (None, {"subtitle": "简体中文"}),
    ]


@pytest.mark.parametrize(
    ("body", "field", "said"),
    [
        ({"language": "火星语", "content": ""}, "language", "语言无法识别"),
        ({"language": "zh", "content": ""}, "content", "没有字幕内容"),
        ({"language": "zh", "content": base64_of(b"\x00\x01\x02")}, "content", "字幕文件"),
        ({"language": "zh", "content": base64_of(bytes(4 * 2**20 + 1))}, "content", "超过 4 MB"),
    ],
)
def test_wrong_subtitles_are_told_beside_their_field(
    desk: Desk, film: int, body: dict[str, Any], field: str, said: str
) -> None:
    answer = desk.request("PUT", f"/api/videos/{film}/subtitles", body)
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["msg"]
    assert answer.json()["rescont"][0]["field"] == field
    assert actions(desk) == []


def test_a_film_plays_on_the_console_and_nowhere_else(desk: Desk, film: int) -> None:
    """Hidden, locked and removed ones too; the site shows them to nobody all the while."""
    services = desk.services
    client = Client(services)
    asset = row_of(services, film).asset_key
    for state in ("shown", "hidden", "removed"):
        if state == "hidden":
            desk.rescont("PATCH", f"/api/videos/{film}", {"is_hidden": True})
        if state == "removed":
            remove_videos(services, [film])
        client.application.look_for_changes()
        playback = desk.rescont("GET", f"/api/videos/{film}/playback")
        assert asset not in str(playback)
        master = desk.request("GET", playback["playlist"])
        assert master.headers["cache-control"] == "private, no-store"
        base = playback["playlist"].rpartition("/")[0]
        low = next(line for line in master.text.splitlines() if line.endswith("index.m3u8"))
        listed = desk.request("GET", f"{base}/{low}")
        file = next(line for line in listed.text.splitlines() if line.endswith(".mp4"))
        address = f"{base}/{low.rpartition('/')[0]}/{file}"
        whole = desk.request("GET", address)
        assert (whole.status_code, whole.headers["content-type"]) == (200, "video/mp4")
        assert "access-control-allow-origin" not in whole.headers
        part = desk.request("GET", address, headers={"range": "bytes=4-7"})
        assert (part.status_code, part.content) == (206, whole.content[4:8])
        size = len(whole.content)
        assert part.headers["content-range"] == f"bytes 4-7/{size}"
        beyond = desk.request("GET", address, headers={"range": f"bytes={size}-"})
        assert (beyond.status_code, beyond.headers["content-range"]) == (416, f"bytes */{size}")
        public = client.get(f"/media/{asset}/{low}")
        assert public.status_code == (404 if state == "removed" else 200)
        assert client.get(address).status_code == 404
        assert client.get(f"/api/videoplay/{film}").status_code == (
            200 if state == "shown" else 404
        )
    client.close()


def test_files_are_read_for_a_session_alone(desk: Desk, film: int) -> None:
    playlist = desk.rescont("GET", f"/api/videos/{film}/playback")["playlist"]
    base = playlist.rpartition("/")[0]
    wrong = (
        f"{base}/../../secrets.json",
        f"{base}/%2e%2e/secrets.json",
        f"{base}/a/b/index.m3u8",
        f"{base}/no-such.m4s",
        f"{base}/",
        "/api/videos/987654/media/index.m3u8",
    )
    for address in wrong:
        assert desk.request("GET", address).status_code in {404, 422}, address
    desk.forget_cookies()
    for path in ("playback", "figures", "frame?at=0", "cover"):
        assert desk.request("GET", f"/api/videos/{film}/{path}").status_code == 401
    assert desk.request("GET", playlist).status_code == 401
    desk.log_in(Role.VIEWER)
    assert desk.request("GET", playlist).status_code == 200
    assert desk.request("GET", f"/api/videos/{film}/frame?at=0").status_code == 403
    for method, path in (
        ("PUT", "cover"),
        ("PUT", "subtitles"),
        ("DELETE", "subtitles/en"),
    ):
        assert desk.request(method, f"/api/videos/{film}/{path}", {}).status_code == 403


def test_a_video_without_files_plays_nothing_and_says_so(desk: Desk, film: int) -> None:
    services = desk.services
    with services.database.write() as connection:
        connection.execute(
            sa.update(video).where(video.c.id == film).values(asset_key=None, playlist="")
        )
    playback = desk.rescont("GET", f"/api/videos/{film}/playback")
    assert (playback["playlist"], playback["storyboard"], playback["subtitles"]) == ("", "", [])
    for path in ("frame?at=0", "media/index.m3u8"):
        assert desk.request("GET", f"/api/videos/{film}/{path}").status_code == 404
    for path in ("playback", "figures", "frame?at=0"):
        assert desk.request("GET", f"/api/videos/424242/{path}").status_code == 404


def test_the_link_to_the_site_is_there_only_where_visitors_see_it(desk: Desk, film: int) -> None:
    def link() -> str:
        return str(desk.rescont("GET", f"/api/videos/{film}/playback")["site_url"])

    assert link() == ""  # nobody said where the site is
    with desk.services.database.write() as connection:
        set_texts(connection, {"url": "https://site.example"})
    assert link() == f"https://site.example/playVideo?id={film}"
    desk.rescont("PATCH", f"/api/videos/{film}", {"is_hidden": True})
    assert link() == ""
