"""What lies beside videos as Jellyfin, Kodi and yt-dlp leave it: read, or named."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest
from PIL import Image

from liuying.core.catalogue.queries.details import detail_row
from liuying.core.playback.queries.playable import subtitle_rows
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.workflows import side_cars
from liuying.workflows.companions import companions_of
from liuying.workflows.side_cars import look_beside
from tests.command_line import Run, run
from tests.media.clips import h264, make_clip, picture, tone
from tests.workflows.published import row_of

__all__ = ["run"]
CUES = "1\n00:00:00,100 --> 00:00:00,900\n{}\n"
ASS = "[Events]\nDialogue: 0,0:00:00.10,0:00:00.90,,,0,0,0,,{}\n"
NFO = "<movie><title>{}</title><plot>第一行\n第二行</plot><premiered>1997-05-01</premiered></movie>"
INFO = {
    "title": "来自网络的视频",
    "description": "简介 https://x.example/",
    "upload_date": "20200102",
    "chapters": [{"start_time": 0, "end_time": 1, "title": "开头"}],
}


def drawing(colour: str, form: str = "JPEG") -> bytes:
    written = BytesIO()
    Image.new("RGB", (64, 36), colour).save(written, form)
    return written.getvalue()


def fill(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def clip(target: Path, size: str = "64x36") -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    return make_clip(target, *picture(size, 1), *tone(1), *h264())


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Forty files of more than ten kinds, four of them videos."""
    folder = tmp_path / "片库"
    # Kodi and Jellyfin: a film with a folder of its own.
    clip(folder / "电影" / "日出 (1997)" / "日出.1997.mkv", "64x36")
    fill(
        folder / "电影" / "日出 (1997)",
        {
            "movie.nfo": NFO.format("日出").encode("gbk"),
            "poster.jpg": drawing("teal"),
            "fanart.jpg": drawing("navy"),
            "landscape.jpg": drawing("red"),
            "logo.png": drawing("red", "PNG"),
            "Subs/2_English.srt": CUES.format("sea"),
            "Subs/3_简体中文.srt": CUES.format("海"),
            "日出.1997-320-10.bif": b"bif",
            "日出.1997.idx": "idx",
            "日出.1997.sub": b"\0\1",
            "theme.txt": "x",
        },
    )
    # Jellyfin: two films in one folder, each with files of its name.
    clip(folder / "电影" / "山.mp4", "64x40")
    clip(folder / "电影" / "海.mp4", "64x44")
    fill(
        folder / "电影",
        {
            "山.nfo": NFO.format("山"),
            "山-poster.png": drawing("green", "PNG"),
            "山-fanart.jpg": drawing("navy"),
            "山.chs.srt": CUES.format("山"),
            "山.chs.ass": ASS.format("山"),
            "山.简体&英文.ass": ASS.format("山 / mountain"),
            "山.en.forced.srt": CUES.format("forced"),
            "山.en.sdh.srt": CUES.format("[wind]"),
            "海.nfo": "<movie><title>海</title><plot>",
            "海.jpg": "no picture",
            "海.danmaku.xml": "<i/>",
            "海.zh.srt": CUES.format("海").encode("utf-16-le"),
            "folder.jpg": drawing("grey"),
            "tvshow.nfo": "<tvshow/>",
        },
    )
    # yt-dlp.
    clip(folder / "下载" / "clip [abc].mp4", "64x48")
    fill(
        folder / "下载",
        {
            "clip [abc].info.json": json.dumps(INFO),
            "clip [abc].description": "别的简介",
            "clip [abc].webp": drawing("olive", "WEBP"),
            "clip [abc].zh-Hans.vtt": "WEBVTT\n\n00:00.100 --> 00:00.900\n你好\n",
            "clip [abc].en.srv3": "<timedtext/>",
            "clip [abc].live_chat.json": "[]",
            "clip [abc].annotations.xml": "<x/>",
            "other.mp4.part": b"half",
            "other.mp4.ytdl": "{}",
            "archive.txt": "youtube abc",
            "clip [abc].lrc": "[00:01]x",
        },
    )
    return folder


UNUSED = [
    *("logo.png", "日出.1997-320-10.bif", "日出.1997.idx", "日出.1997.sub", "theme.txt"),
    *("海.danmaku.xml", "folder.jpg", "tvshow.nfo"),
    *("clip [abc].en.srv3", "clip [abc].live_chat.json", "clip [abc].annotations.xml"),
    *("other.mp4.part", "other.mp4.ytdl", "archive.txt", "clip [abc].lrc"),
]


def test_a_library_of_forty_files_goes_in(run: Run, library: Path, tmp_path: Path) -> None:
    assert sum(path.is_file() for path in library.rglob("*")) == 40
    done = run(tmp_path / "data", "import", library, "--json", "--category-from-folder")
    assert done.exit_code == 0, done.stdout
    said = [msgspec.json.decode(line) for line in done.stdout.splitlines()]
    videos = {Path(one["file"]).name: one for one in said if one["outcome"] == "imported"}
    assert len(videos) == 4
    unused = [Path(one["file"]).name for one in said if one["outcome"] == "unused"]
    assert sorted(unused) == sorted(UNUSED)
    # What is read in part, or cannot be read, says why.
    assert videos["山.mp4"]["subtitles"] == ["山.chs.ass（与 山.chs.srt 是同一字幕）"]
    warnings = "\n".join(videos["海.mp4"]["warnings"])
    assert "海.nfo" in warnings
    assert "海.jpg" in warnings
    services = open_services(Settings(data_dir=tmp_path / "data"))
    try:
        check_what_was_read(services, {name: one["video_id"] for name, one in videos.items()})
    finally:
        services.database.close()


def test_what_refuses_a_video_was_used(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "films"
    clip(folder / "c3.mp4", "64x48")
    fill(folder, {"c3.json": "{broken", "c3.nfo": "<movie/>", "c3.bif": "x"})
    done = run(tmp_path / "data", "import", folder, "--json")
    assert done.exit_code == 1
    said = [msgspec.json.decode(line) for line in done.stdout.splitlines()]
    assert [(Path(one["file"]).name, one["outcome"]) for one in said] == [
        ("c3.mp4", "refused"),
        ("c3.bif", "unused"),
    ]
    assert "c3.json" in said[0]["cause"]


def check_what_was_read(services: Services, ids: dict[str, int]) -> None:
    now = services.clock()
    rows = {name: row_of(services, number) for name, number in ids.items()}
    assert [rows[name].title for name in ("日出.1997.mkv", "山.mp4", "海.mp4")] == [
        "日出",
        "山",
        "海",
    ]
    # New imports are first in 最新, whenever they were made.
    assert all(now - row.created_at < 600_000 for row in rows.values())
    with services.database.read() as connection:

        def subtitles(name: str) -> list[tuple[str, str]]:
            found = subtitle_rows(connection, rows[name].asset_key)
            return [(one.lang, one.label) for one in found]

        def detail(name: str) -> Any:
            return detail_row(connection, ids[name])

        assert subtitles("日出.1997.mkv") == [("en", "英语"), ("zh-Hans", "简体中文")]
        assert subtitles("山.mp4") == [
            ("en-x-f", "英语（强制）"),
            ("en-x-h", "英语（听障）"),
            ("zh-Hans", "简体中文"),
            ("zh-Hans-x-2", "简体中文 2"),
        ]
        assert subtitles("海.mp4") == [("zh", "中文")]
        assert detail("日出.1997.mkv").description == "第一行\n第二行"
        assert detail("日出.1997.mkv").premiered_at == 862_444_800_000
        web = detail("clip [abc].mp4")
        assert web.description == "简介 https://x.example/"
        assert web.chapters == [{"start": 0.0, "title": "开头"}]
        names = {row.name for row in connection.exec_driver_sql("SELECT name FROM category").all()}
        assert {"电影", "下载"} <= names


def test_pictures_of_a_folder_are_of_its_one_video(tmp_path: Path) -> None:
    fill(tmp_path, {"a.mp4": "x", "Poster.JPG": "x", "movie.nfo": "x", "a-fanart.jpg": "x"})
    found = companions_of(tmp_path / "a.mp4")
    assert [one.name for one in found.covers] == ["Poster.JPG", "a-fanart.jpg"]
    assert [one.name for one in found.nfo] == ["movie.nfo"]
    fill(tmp_path, {"b.mkv": "x"})
    found = companions_of(tmp_path / "a.mp4")
    assert [one.name for one in found.covers] == ["a-fanart.jpg"]
    assert found.nfo == ()


def test_descriptions_overrule_one_another(tmp_path: Path) -> None:
    fill(
        tmp_path,
        {
            "clip.mp4": "x",
            "clip.nfo": NFO.format("来自 Kodi"),
            "clip.info.json": json.dumps(INFO | {"title": "来自 yt-dlp", "description": ""}),
            "clip.description": "第三种",
            "clip.json": '{"title": "自己的"}',
            "clip-poster.png": b"x",
            "clip.webp": drawing("teal", "WEBP"),
        },
    )
    (tmp_path / "clip.jpg").symlink_to(tmp_path / "clip-poster.png")
    found = look_beside(tmp_path / "clip.mp4")
    assert (found.given.title, found.given.description) == ("自己的", "第一行\n第二行")
    assert found.cover == (tmp_path / "clip.webp").read_bytes()


def test_a_side_car_never_keeps_a_video_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Path) -> NoReturn:
        raise ValueError("a fault of the reader")

    fill(tmp_path, {"clip.mp4": "x", "clip.nfo": NFO.format("海"), "clip.description": "x"})
    monkeypatch.setattr(side_cars, "read_nfo", fail)
    monkeypatch.setattr(side_cars, "read_description", fail)
    assert look_beside(tmp_path / "clip.mp4").warnings == (
        "说明文件 clip.nfo 里有无法理解的内容，没有采用",
        "说明文件 clip.description 里有无法理解的内容，没有采用",
    )


def test_the_date_of_the_source_counts_where_it_is_asked_for(run: Run, tmp_path: Path) -> None:
    clip(tmp_path / "old.mp4")
    fill(tmp_path, {"old.nfo": NFO.format("旧")})
    assert (
        run(tmp_path / "data", "import", tmp_path / "old.mp4", "--published", "source").exit_code
        == 0
    )
    services = open_services(Settings(data_dir=tmp_path / "data"))
    assert row_of(services, 1).created_at == 862_444_800_000
    services.database.close()


CHAPTERS = """;FFMETADATA1
[CHAPTER]
TIMEBASE=1/1000
START=0
END=400
title=开头
[CHAPTER]
TIMEBASE=1/1000
START=400
END=1000
title=海边\u202e
"""


@pytest.mark.parametrize("suffix", ["mkv", "mp4"])
def test_chapters_of_the_file_itself(run: Run, tmp_path: Path, suffix: str) -> None:
    (tmp_path / "chapters.txt").write_text(CHAPTERS, encoding="utf-8")
    own = ("-i", str(tmp_path / "chapters.txt"), "-map", "0:v", "-map_metadata", "1")
    clip = make_clip(tmp_path / f"film.{suffix}", *picture("64x36", 1), *own, *h264())
    assert run(tmp_path / "data", "import", clip).exit_code == 0
    services = open_services(Settings(data_dir=tmp_path / "data"))
    with services.database.read() as connection:
        row = detail_row(connection, 1)
    services.database.close()
    assert row is not None
    assert row.chapters == [{"start": 0.0, "title": "开头"}, {"start": 0.4, "title": "海边"}]
