"""Text tracks of a file: their language, and their way to WebVTT."""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.media.probe import probe
from liuying.media.subtitles import MOST_BYTES, is_worth_publishing, language_of
from tests.media.clips import h264, make_clip, picture

SRT = "1\n00:00:00,500 --> 00:00:01,500\n{}\n"


def film(folder: Path, *tracks: tuple[str, str, str]) -> Path:
    """A clip with a text track for each (language, title, text)."""
    inputs, described = [], []
    for number, (language, title, text) in enumerate(tracks):
        path = folder / f"{number}.srt"
        path.write_text(SRT.format(text), encoding="utf-8")
        inputs += ["-i", str(path)]
        described += [f"-metadata:s:s:{number}", f"language={language}", f"-metadata:s:s:{number}", f"title={title}"]
    maps = [argument for number in range(len(tracks) + 1) for argument in ("-map", str(number))]
    return make_clip(folder / "film.mkv", *picture(), *inputs, *maps, *h264(), "-c:s", "srt", *described)


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
def test_language_by_code_and_script_by_title(code: str, title: str, expected: tuple[str, str]) -> None:
    assert language_of(code, title) == expected


def test_the_second_of_a_language_gets_a_number(tmp_path: Path) -> None:
    source = film(tmp_path, ("chi", "", "甲"), ("chi", "", "乙"), ("eng", "", "c"))
    assert [(one.lang, one.label) for one in probe(source).subtitles] == [
        ("zh", "中文"),
        ("zh-x-2", "中文 2"),
        ("en", "英语"),
    ]


def test_no_more_than_eight_are_taken(tmp_path: Path) -> None:
    source = film(tmp_path, *[("eng", "", "x")] * 10)
    assert len(probe(source).subtitles) == 8


def test_what_holds_nothing_or_too_much_is_left_out(tmp_path: Path) -> None:
    document = tmp_path / "one.vtt"
    assert not is_worth_publishing(document)
    document.write_text("WEBVTT\n\n")
    assert not is_worth_publishing(document)
    document.write_text("WEBVTT\n\n00:00.000 --> 00:01.000\n好\n")
    assert is_worth_publishing(document)
    document.write_bytes(b"00:00.000 --> 00:01.000\n" + b"x" * MOST_BYTES)
    assert not is_worth_publishing(document)
