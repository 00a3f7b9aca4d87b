"""Titles from names, side-cars, letters of an index."""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.kit.errors import InvalidInputError
from liuying.kit.texts import clean_text
from liuying.workflows.pinyin_initials import initial_of
from liuying.workflows.video_meta import (
    TIME_FAULT,
    GivenMeta,
    VideoMeta,
    read_side_car,
    title_from_name,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("海边_的.一天.mp4", "海边 的 一天"),
        ("a+b  c.mov", "a b c"),
        ("...mp4", "未命名"),
        ("tab\there.mp4", "tab here"),
        ("x" * 300 + ".mp4", "x" * 200),
        ("evil\x1b[31m.mp4", "evil [31m"),
        (b"broken\xff.mp4".decode("utf-8", "surrogateescape"), "broken?"),
    ],
)
def test_titles(name: str, expected: str) -> None:
    assert title_from_name(Path(name)) == expected


def write(folder: Path, content: bytes | str) -> Path:
    (folder / "clip.json").write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / "clip.mp4"


def test_a_side_car_is_read(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        '{"title": "标题", "category": "旅行", "labels": ["海"], "artists": ["林小野"],'
        '"pageviews": 7,'
        '"created_at": "2026-01-02T03:04:05+08:00", "updated_at": 1767300000000}',
    )
    assert read_side_car(source).to_meta() == VideoMeta(
        title="标题",
        category="旅行",
        labels=("海",),
        artists=("林小野",),
        pageviews=7,
        created_at=1767294245000,
        updated_at=1767300000000,
    )


def test_no_side_car_is_no_fault(tmp_path: Path) -> None:
    assert read_side_car(tmp_path / "clip.mp4") == GivenMeta()


@pytest.mark.parametrize(
    "content",
    [
        '{"titel": "x"}',
        '{"title": ""}',
        '{"title": 7}',
        '{"pageviews": -1}',
        '{"created_at": "2026-01-02T03:04:05"}',
        '{"labels": "one"}',
        '{"labels": ["' + "x" * 41 + '"]}',
        "not json",
        b"\xff\xfe",
        "[]",
        " " * (256 * 1024 + 1),
    ],
)
def test_a_wrong_side_car_is_refused_with_its_name(tmp_path: Path, content: str | bytes) -> None:
    with pytest.raises(InvalidInputError, match=r"说明文件 clip\.json"):
        read_side_car(write(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"titel": "x"}', "有误：不认识的项目 titel"),
        ('{"title": ""}', "有误：title 的长度不对"),
        ('{"labels": [7]}', "有误：labels 的类型不对"),
        ('{"pageviews": -1}', "有误：pageviews 的值不对"),
        ('{"created_at": "2026-01-02T03:04:05"}', f"有误：created_at {TIME_FAULT}"),
        ("[]", "有误：内容 的类型不对"),
        ('{"protected": true, "category": "普通"}', "有误：不认识的项目 protected"),
        ('{"title": " \\u0000\\u202e\\u200b\\u200d\\n"}', "有误：title 不能是空白"),
        ('{"labels": ["海", " "]}', "有误：labels 不能是空白"),
        ('{"category": "\\u202e"}', "有误：category 不能是空白"),
        ('{"category": 0}', "有误：category 的值不对"),
        ('{"category": false}', "有误：category 的类型不对"),
        ('{"category": 2147483648}', "有误：category 的值不对"),
        ('{"category": 99999999999999999999}', "有误：category 的值不对"),
        ('{"created_at": -1}', "有误：created_at 的值不对"),
        ('{"created_at": 253402300800000}', "有误：created_at 的值不对"),
        ('{"created_at": "1969-12-31T23:59:59Z"}', "有误：created_at 超出 1970 年到 9999 年的范围"),
        (
            '{"created_at": "9999-12-31T23:59:59-14:00"}',
            "有误：created_at 超出 1970 年到 9999 年的范围",
        ),
        (
            '{"updated_at": "0001-01-01T00:00:00+14:00"}',
            "有误：updated_at 超出 1970 年到 9999 年的范围",
        ),
        ("{", "不是有效的 JSON"),
        ('{"labels": ' + "[" * 30_000, "有误：labels 的类型不对"),
    ],
)
def test_the_reason_is_given_in_plain_words(tmp_path: Path, content: str, reason: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        read_side_car(write(tmp_path, content))
    assert refusal.value.message == f"说明文件 clip.json {reason}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("海边\x00的\x1b[2J一天", "海边 的 [2J一天"),
        ("  a\r\n\tb\u2028c\u3000d ", "a b c d"),
        ("photo\u202egpj.exe\u2066x", "photo gpj.exe x"),
        ("\ud800x", "x"),
        ("\u200b\u200d\u202e\n", ""),
        ("👩\u200d🚀 می\u200cخواهم", "👩\u200d🚀 می\u200cخواهم"),
    ],
)
def test_texts_are_one_line_that_says_what_it_shows(text: str, expected: str) -> None:
    assert clean_text(text) == expected


def test_names_are_cleaned(tmp_path: Path) -> None:
    given = read_side_car(
        write(
            tmp_path,
            r'{"category": "旅\u0007行 ", "labels": ["\u202e海"], "artists": ["林\n小野"]}',
        )
    )
    assert (given.category, given.labels, given.artists) == ("旅 行", ("海",), ("林 小野",))


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("0", 0),
        ('"1970-01-01T14:00:00+14:00"', 0),
        ('"9999-12-31T23:59:59Z"', 253_402_300_799_000),
        ("253402300799999", 253_402_300_799_999),
    ],
)
def test_times_from_the_first_to_the_last(tmp_path: Path, written: str, moment: int) -> None:
    assert read_side_car(write(tmp_path, f'{{"created_at": {written}}}')).created_at == moment


def test_only_what_was_given_overrules() -> None:
    side_car = GivenMeta(
        title="甲", category="旅行", labels=("一",), artists=("林小野",), created_at=5, pageviews=5
    )
    given = GivenMeta(category=3, labels=(), created_at=0, pageviews=0)
    assert side_car.overruled_by(given) == GivenMeta(
        title="甲", category=3, labels=(), artists=("林小野",), created_at=0, pageviews=0
    )


def test_a_link_is_no_side_car(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('{"title": "secret"}')
    (tmp_path / "clip.json").symlink_to(tmp_path / "secret")
    assert read_side_car(tmp_path / "clip.mp4") == GivenMeta()


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        *(
            ("林小野", "L"),
            ("阿宽", "A"),
            ("周末", "Z"),
            ("余晚", "Y"),
            ("苏荷", "S"),
            ("alice", "A"),
            ("Émile", "#"),
        ),
        *(("七海", "Q"), ("欧阳", "O"), ("7号", "#"), ("", "#"), ("鱻", "#"), (" 何", "H")),
    ],
)
def test_initials(name: str, letter: str) -> None:
    assert initial_of(name) == letter
