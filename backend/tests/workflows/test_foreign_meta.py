"""Side-cars of other programs: what is taken, what is passed over, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liuying.kit.errors import InvalidInputError
from liuying.workflows.foreign_meta import read_info_json, read_nfo
from liuying.workflows.side_cars import look_beside
from liuying.workflows.video_meta import GivenMeta

INFO = {
    "id": "x",
    "title": "海边的\n一天\u202e",
    "uploader": "山野",
    "tags": ["海", "海", " ", 7, "长" * 99],
    "timestamp": 1_700_000_000,
    "upload_date": "20200101",
    "view_count": 12345,
    "categories": ["Travel & Events"],
    "formats": [{"url": "https://x.example/"}],
}
NFO = """<?xml version="1.0" encoding="UTF-8"?>
<movie><title>雪山 &amp; 云</title><plot>长长的故事</plot><genre>风景</genre><tag>雪</tag>
<actor><name>甲</name><role>山</role></actor><director>乙</director>
<dateadded>2024-05-06 07:08:09</dateadded></movie>"""


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_info_json(tmp_path: Path) -> None:
    found = read_info_json(write(tmp_path, "clip.info.json", json.dumps(INFO)))
    assert found == GivenMeta(
        title="海边的 一天",
        labels=("海", "长" * 40),
        artists=("山野",),
        created_at=found.created_at,
    )
    assert found.created_at == 1_700_000_000_000


@pytest.mark.parametrize(
    ("info", "artists", "created_at"),
    [
        ({"artists": ["甲", "乙"], "uploader": "丙"}, ("甲", "乙"), None),
        ({"creators": [], "channel": "丁", "upload_date": "20200102"}, ("丁",), 1_577_923_200_000),
        ({"artist": None, "timestamp": 1e300, "upload_date": "today"}, None, None),
        ({"timestamp": -5, "title": {"a": 1}, "tags": "one", "uploader": ["x"]}, None, None),
        ({"timestamp": True}, None, None),
    ],
)
def test_odd_values_are_passed_over(
    tmp_path: Path, info: dict[str, object], artists: tuple[str, ...] | None, created_at: int | None
) -> None:
    found = read_info_json(write(tmp_path, "clip.info.json", json.dumps(info)))
    assert (found.title, found.artists, found.created_at) == (None, artists, created_at)


def test_nfo(tmp_path: Path) -> None:
    found = read_nfo(write(tmp_path, "clip.nfo", NFO))
    assert (found.title, found.labels, found.artists) == ("雪山 & 云", ("雪", "风景"), ("甲", "乙"))
    assert found.created_at == 1_714_979_289_000
    both = read_nfo(write(tmp_path, "both.nfo", NFO + "\nhttps://www.themoviedb.org/movie/1"))
    assert both == found
    assert (
        read_nfo(write(tmp_path, "address.nfo", "https://www.themoviedb.org/movie/1"))
        == GivenMeta()
    )
    assert (
        read_nfo(write(tmp_path, "wide.nfo", NFO.replace("UTF-8", "UTF-16").encode("utf-16"))).title
        is None
    )


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "content",
    [
        f'<!DOCTYPE movie [<!ENTITY l0 "ha">{LAUGHS}]><movie><title>&l9;</title></movie>',
        '<!DOCTYPE movie [<!ENTITY x SYSTEM "file:///etc/passwd">]><movie><title>&x;</title></movie>',
        '<!DOCTYPE movie SYSTEM "http://127.0.0.1:1/x.dtd"><movie><title>x</title></movie>',
        "<movie><title>&x;</title></movie>",
        "<movie><title>x</title>",
        "<" + "a>" * 100,
        "<movie>" + "<a>" * 50 + "</a>" * 50 + "</movie>",
        "<html><title>x</title></html>",
        '<?xml version="1.0" encoding="none"?><movie/>',
        "<movie>\0</movie>",
        b"<movie><title>\xff\xfe</title></movie>",
        b"<movie>" + b" " * 1024 * 1024 + b"</movie>",
    ],
)
def test_hostile_xml_is_refused(tmp_path: Path, content: str | bytes) -> None:
    with pytest.raises(InvalidInputError, match=r"说明文件 clip\.nfo (不是有效的 XML|过大)"):
        read_nfo(write(tmp_path, "clip.nfo", content))


@pytest.mark.parametrize(
    "content", ["", "[1]", "nonsense", b"\xff\xfe", '{"a": ', '{"a": ' + "[" * 100_000]
)
def test_what_is_no_object_is_refused(tmp_path: Path, content: str | bytes) -> None:
    with pytest.raises(InvalidInputError, match=r"说明文件 clip\.info\.json 不是有效的 JSON"):
        read_info_json(write(tmp_path, "clip.info.json", content))


def test_what_lies_beside_a_video(tmp_path: Path) -> None:
    source = write(tmp_path, "clip.mp4", "x")
    assert look_beside(source).cover is None
    write(tmp_path, "clip.nfo", NFO)
    write(tmp_path, "clip.info.json", json.dumps({"title": "来自 yt-dlp", "uploader": "丙"}))
    write(tmp_path, "clip.json", '{"title": "自己的"}')
    for name in (
        "clip.srt",
        "clip.zh.vtt",
        "clip2.srt",
        "other.srt",
        "clip-poster.png",
        "clip.webp",
    ):
        write(tmp_path, name, "x")
    for name in ("clip.en.srt", "clip.part2.srt"):
        write(tmp_path, name, "00:01.000 --> 00:02.000\nx\n")
    write(tmp_path, "clip.ass", "[Events]\n")
    write(tmp_path, "clip.chs&eng.ssa", "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,x\n")
    (tmp_path / "clip.ja.srt").symlink_to(tmp_path / "clip.en.srt")
    (tmp_path / "clip.jpg").symlink_to(tmp_path / "clip-poster.png")
    found = look_beside(source)
    assert (found.given.title, found.given.artists, found.given.labels) == (
        "自己的",
        ("丙",),
        ("雪", "风景"),
    )
    assert found.cover == tmp_path / "clip.webp"
    assert [(one.lang, one.label) for one in found.tracks] == [
        ("zh-Hans", "简体中文"),
        ("en", "英语"),
    ]
    assert found.subtitles == [
        "clip.ass（没有字幕内容，支持 SRT、WebVTT、ASS、SSA）",
        "clip.part2.srt（文件名里的语言无法识别）",
        "clip.srt（没有字幕内容，支持 SRT、WebVTT、ASS、SSA）",
        "clip.zh.vtt（没有字幕内容，支持 SRT、WebVTT、ASS、SSA）",
    ]
