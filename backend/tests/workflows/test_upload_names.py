"""Names of uploads: however long, what goes with a film has its beginning and stays apart."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from liuying.kit.errors import InvalidInputError
from liuying.workflows.companions import companions_of
from liuying.workflows.upload_names import file_name, require_distinct

SUBTITLES = (".srt", ".zh.srt", ".en.srt", ".zh-Hans.forced.ass", ".简体.vtt")
PICTURES = (".jpg", "-poster.jpg", "-fanart.png")
OTHERS = (".nfo", ".json", ".info.json", ".description")
ENDINGS = (*SUBTITLES, *PICTURES, *OTHERS, "-banner.jpg", "-fanart2.png")
# As films are called: long, with dots and what might be a language.
STEMS = some.lists(
    some.sampled_from(["长" * 60, "海边", "x" * 180, "2024", "1080p", "WEB-DL", "en", "x265-GRP"]),
    min_size=1,
    unique=True,
).map(".".join)


@given(STEMS, some.sampled_from([".mp4", ".ts", ".webm", ".MKV"]))
@example("长" * 65, ".mp4")
@example("长" * 66, ".webm")
@example("x" * 193 + ".en", ".ts")
def test_side_cars_keep_the_beginning_of_their_film_and_stay_apart(stem: str, suffix: str) -> None:
    film = PurePosixPath(file_name(stem + suffix))
    kept = [file_name(stem + ending) for ending in ENDINGS]
    assert kept == [film.stem + ending for ending in ENDINGS]
    require_distinct(kept)
    assert max(len(name.encode()) for name in (film.name, *kept)) <= 250


def test_they_are_recognised(tmp_path: Path) -> None:
    stem = "海边的一天" * 20
    for ending in ENDINGS:
        (tmp_path / file_name(stem + ending)).touch()
    film = tmp_path / file_name(f"{stem}.webm")
    film.touch()
    found = companions_of(film)
    assert [said for _, said in found.subtitles] == ["en", "", "zh-Hans.forced", "zh", "简体"]
    assert [one.name for one in found.covers] == [film.stem + ending for ending in PICTURES]
    assert (len(found.nfo), found.info is None, found.description is None) == (1, False, False)


def test_equal_names_are_refused() -> None:
    require_distinct(["a.srt", "a.zh.srt"])
    with pytest.raises(InvalidInputError, match="两个都叫 a"):
        require_distinct(["a.srt", "a.zh.srt", "a.srt"])
