"""Text tracks of a file: their language, and their way to WebVTT."""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.media.probe import probe
from liuying.media.subtitles import GivenTrack, distinct, language_of, language_of_name
from tests.media.clips import h264, make_clip, picture

SRT = "1\n00:00:00,500 --> 00:00:01,500\n{}\n"


def film(folder: Path, *tracks: tuple[str, str, str]) -> Path:
    """A clip with a text track for each (language, title, text)."""
    inputs, described = [], []
    for number, (language, title, text) in enumerate(tracks):
        path = folder / f"{number}.srt"
        path.write_text(SRT.format(text), encoding="utf-8")
        inputs += ["-i", str(path)]
        described += [
            f"-metadata:s:s:{number}",
            f"language={language}",
            f"-metadata:s:s:{number}",
            f"title={title}",
        ]
    maps = [argument for number in range(len(tracks) + 1) for argument in ("-map", str(number))]
    return make_clip(
        folder / "film.mkv", *picture(), *inputs, *maps, *h264(), "-c:s", "srt", *described
    )


@pytest.mark.parametrize(
    ("code", "title", "expected"),
    [
        ("chi", "", ("zh", "中文")),
        ("zho", "简体", ("zh-Hans", "简体中文")),
        ("chi", "CHT", ("zh-Hant", "繁体中文")),
        ("", "繁體", ("zh-Hant", "繁体中文")),
        ("eng", "simplified English", ("en", "英语")),
        ("JPN", "", ("ja", "日语")),
        ("", "", ("und", "字幕")),
        ("tlh", "Klingon", ("und", "字幕")),
    ],
)
def test_language_by_code_and_script_by_title(
    code: str, title: str, expected: tuple[str, str]
) -> None:
    assert language_of(code, title) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", ("und", "字幕")),
        ("zh", ("zh", "中文")),
        ("zh-Hans", ("zh-Hans", "简体中文")),
        ("zh_TW", ("zh-Hant", "繁体中文")),
        ("zh-Hant-HK", ("zh-Hant", "繁体中文")),
        ("chs", ("zh-Hans", "简体中文")),
        ("繁體", ("zh-Hant", "繁体中文")),
        ("en.forced", ("en", "英语")),
        ("sdh.eng", ("en", "英语")),
        ("en-US", ("en", "英语")),
        ("tlh", ("und", "字幕")),
        ("chs&eng", ("zh-Hans", "简体中文")),
        ("eng+cht.forced", ("zh-Hant", "繁体中文")),
        ("简英", ("zh-Hans", "简体中文")),
        ("en&Part2", None),
        ("Part2", None),
        ("yacht", None),
        ("final.cut", None),
    ],
)
def test_language_by_the_name_of_the_file(name: str, expected: tuple[str, str] | None) -> None:
    assert language_of_name(name) == expected


def test_the_second_of_a_language_gets_a_number() -> None:
    tracks = [
        GivenTrack(lang=lang, label=label, document="")
        for lang, label in [("zh", "中文"), ("zh", "中文")]
    ]
    found = distinct([*tracks, GivenTrack(lang="en", label="英语", document="")])
    assert [(one.lang, one.label) for one in found] == [
        ("zh", "中文"),
        ("zh-x-2", "中文 2"),
        ("en", "英语"),
    ]
    assert len(distinct(tracks * 10)) == 8


def test_no_more_than_eight_are_taken(tmp_path: Path) -> None:
    source = film(tmp_path, *[("eng", "", "x")] * 10)
    assert len(probe(source).subtitles) == 8
