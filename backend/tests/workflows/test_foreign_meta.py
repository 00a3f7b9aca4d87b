"""Side-cars of other programs: what is taken, what is passed over, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liuying.kit.errors import InvalidInputError
from liuying.workflows.foreign_meta import read_info_json, read_nfo
from liuying.workflows.video_meta import Chapter, GivenMeta

INFO = {
    "id": "x",
    "title": "海边的\n一天\u202e",
    "uploader": "山野",
    "tags": ["海", "海", " ", 7, "长" * 99],
    "timestamp": 1_700_000_000,
    "upload_date": "20200101",
    "view_count": 12345,
    "categories": ["Travel & Events"],
    "description": "第一行\r\n\n\n第二行\u202e  \n",
    "chapters": [
        {"start_time": 61.5, "end_time": 90, "title": "海边"},
        {"start_time": 0, "title": "开头\u202e"},
        {"start_time": -1, "title": "x"},
        {"start_time": 1e9, "title": "x"},
        {"title": "x"},
        {"start_time": True, "title": "x"},
        7,
    ],
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
        premiered_at=1_700_000_000_000,
        description="第一行\n\n第二行",
        chapters=(Chapter(start=0.0, title="开头"), Chapter(start=61.5, title="海边")),
    )


@pytest.mark.parametrize(
    ("info", "artists", "premiered_at"),
    [
        ({"artists": ["甲", "乙"], "uploader": "丙"}, ("甲", "乙"), None),
        ({"creators": [], "channel": "丁", "upload_date": "20200102"}, ("丁",), 1_577_923_200_000),
        ({"artist": None, "timestamp": 1e300, "upload_date": "today"}, None, None),
        ({"timestamp": -5, "title": {"a": 1}, "tags": "one", "uploader": ["x"]}, None, None),
        ({"timestamp": True}, None, None),
        ({"release_date": "1970-01-01T00:00:00+08:00"}, None, None),
        ({"release_date": "1970-01-01T00:00:00+08:00", "timestamp": 1}, None, 1000),
        ({"release_date": "9999-12-31T23:59:59-10:00"}, None, None),
        ({"release_date": "1969-12-31T23:00:00-01:00"}, None, 0),
    ],
)
def test_odd_values_are_passed_over(
    tmp_path: Path,
    info: dict[str, object],
    artists: tuple[str, ...] | None,
    premiered_at: int | None,
) -> None:
    found = read_info_json(write(tmp_path, "clip.info.json", json.dumps(info)))
    assert (found.title, found.artists, found.premiered_at) == (None, artists, premiered_at)


def test_nfo(tmp_path: Path) -> None:
    found = read_nfo(write(tmp_path, "clip.nfo", NFO))
    assert (found.title, found.labels, found.artists) == ("雪山 & 云", ("雪", "风景"), ("甲", "乙"))
    assert found.description == "长长的故事"
    # The day on which it came into somebody's library is nobody's premiere.
    assert (found.premiered_at, found.created_at) == (None, None)
    dated = read_nfo(write(tmp_path, "dated.nfo", NFO.replace("dateadded", "premiered")))
    assert dated.premiered_at == 1_714_979_289_000
    year = read_nfo(write(tmp_path, "year.nfo", "<movie><year>1997</year></movie>"))
    assert year.premiered_at == 852_076_800_000
    for moment in ("1970-01-01T00:00:00+08:00", "9999-12-31T23:59:59-10:00"):
        odd = f"<movie><title>海</title><premiered>{moment}</premiered></movie>"
        assert read_nfo(write(tmp_path, "odd.nfo", odd)) == GivenMeta(title="海")
    both = read_nfo(write(tmp_path, "both.nfo", NFO + "\nhttps://www.themoviedb.org/movie/1"))
    assert both == found
    assert (
        read_nfo(write(tmp_path, "address.nfo", "https://www.themoviedb.org/movie/1"))
        == GivenMeta()
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
        b"<movie><title>\xff\xfe</title></movie>",
        b"<movie>" + b" " * 1024 * 1024 + b"</movie>",
        # These hang a pattern that looks for the end of the declaration from every place.
        b"<?xml " + b"a" * (1024 * 1024 - 6),
        b"<?xml " + b" encoding='" * (90 * 1024),
    ],
)
def test_hostile_xml_is_refused(tmp_path: Path, content: str | bytes) -> None:
    with pytest.raises(InvalidInputError, match=r"说明文件 clip\.nfo (不是有效的 XML|过大)"):
        read_nfo(write(tmp_path, "clip.nfo", content))


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("gb2312", "gb2312"),
        ("GBK", "gbk"),
        ("UTF-8", "gbk"),  # as some scrapers have it
        ("big5", "big5"),
        ("UTF-16", "utf-16"),
        ("none", "utf-8"),
    ],
)
def test_nfo_in_any_encoding(tmp_path: Path, declared: str, encoding: str) -> None:
    text = NFO.replace("UTF-8", declared).replace("雪山 &amp; 云", "海上的日出")
    text = text.replace("风", "風").replace("长长", "海海") if encoding == "big5" else text
    found = read_nfo(write(tmp_path, "clip.nfo", text.encode(encoding, "ignore")))
    assert found.title == "海上的日出"


@pytest.mark.parametrize(
    ("declared", "encoding", "title"),
    [
        ("big5", "big5", "電影"),
        ("Big5", "big5", "海"),
        ("Big5-HKSCS", "big5hkscs", "咗嘢"),
        ("GBK", "gbk", "目录"),  # valid UTF-8 by chance
        ("ISO-8859-1", "latin-1", "Café à gogo"),
        # What is declared is wrong.
        ("big5", "utf-8", "電影"),
        ("GBK", "utf-8", "海上的日出"),
        ("GBK", "utf-8-sig", "电影"),
        ("ISO-8859-1", "utf-8", "Café"),
        ("ISO-8859-1", "gbk", "电影"),
        ("big5", "gbk", "囧"),
        ("UTF-16", "utf-8", "电影"),
        ("big5", "utf-16", "電影"),
        # What is declared is unknown, or reads no text.
        ("x-nonsense", "gbk", "电影"),
        ("hex", "utf-8", "电影"),
    ],
)
def test_a_short_title_is_read_as_declared_where_that_can_be_true(
    tmp_path: Path, declared: str, encoding: str, title: str
) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<movie><title>{title}</title></movie>'
    assert read_nfo(write(tmp_path, "clip.nfo", text.encode(encoding))).title == title


@pytest.mark.parametrize(
    "content", ["", "[1]", "nonsense", b"\xff\xfe", '{"a": ', '{"a": ' + "[" * 100_000]
)
def test_what_is_no_object_is_refused(tmp_path: Path, content: str | bytes) -> None:
    with pytest.raises(InvalidInputError, match=r"说明文件 clip\.info\.json 不是有效的 JSON"):
        read_info_json(write(tmp_path, "clip.info.json", content))
