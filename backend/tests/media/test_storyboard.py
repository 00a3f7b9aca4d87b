"""Preview pictures for seeking: how many, where they lie, and that each shows its own moment."""

from __future__ import annotations

import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from liuying.media.ffmpeg import ffmpeg_binary
from liuying.media.ladder import Rung
from liuying.media.storyboard import (
    COLUMNS,
    LONG_SIDE,
    MAX_PICTURES,
    ROWS,
    Storyboard,
    cues,
    sheet_arguments,
    storyboard_of,
)
from tests.media.clips import make_clip

CUE = re.compile(
    r"^(\d+):(\d{2}):(\d{2}\.\d{3}) --> (\d+):(\d{2}):(\d{2}\.\d{3})\n(\d+)\.jpg#xywh=(\d+),(\d+),"
    r"(\d+),(\d+)$"
)
SIZES = [(640, 360), (360, 640), (480, 360), (360, 360), (640, 16)]


def rung(width: int = 640, height: int = 360) -> Rung:
    return Rung(
        label="360P", width=width, height=height, max_bits=800_000, rate=None, is_copied=False
    )


def board(duration: float, width: int = 640, height: int = 360) -> Storyboard:
    found = storyboard_of(rung(width, height), duration)
    assert found is not None
    return found


def read(text: str) -> list[tuple[float, float, int, tuple[int, ...]]]:
    """Start, end, sheet and area of every cue."""
    head, *blocks = text.strip().split("\n\n")
    assert head == "WEBVTT"
    found = []
    for block in blocks:
        match = CUE.match(block)
        assert match, block
        start, end = (
            int(match[n]) * 3600 + int(match[n + 1]) * 60 + float(match[n + 2]) for n in (1, 4)
        )
        found.append((start, end, int(match[7]), tuple(int(match[n]) for n in range(8, 12))))
    return found


@given(st.floats(4, 12 * 3600), st.sampled_from(SIZES))
def test_the_cues_cover_the_video_without_gap_or_overlap(
    duration: float, size: tuple[int, int]
) -> None:
    made = board(duration, *size)
    found = read(cues(made, "%d.jpg"))
    assert len(found) == made.count <= MAX_PICTURES
    assert found[0][0] == 0
    assert found[-1][1] == pytest.approx(duration, abs=0.001)
    assert all(before[1] == after[0] for before, after in pairwise(found))
    places = {(sheet, area) for _, _, sheet, area in found}
    assert len(places) == made.count
    assert {sheet for sheet, _ in places} == set(range(made.sheets))
    for _, (x, y, width, height) in places:
        assert x % width == y % height == 0
        assert x < COLUMNS * width
        assert y < ROWS * height
        assert max(width, height) == LONG_SIDE


def test_a_glance_needs_none() -> None:
    assert storyboard_of(rung(), 3.9) is None
    assert board(6).interval == 2
    assert board(3600).interval == 20


def test_a_day_of_video_keeps_the_number_of_pictures() -> None:
    assert board(86_400).count <= MAX_PICTURES


def test_each_picture_shows_its_moment(clips: Path, tmp_path: Path) -> None:
    """A film that gets lighter every second: 56 s are more than one sheet."""
    film = make_clip(
        clips / "lighter.mp4",
        *(
            "-f",
            "lavfi",
            "-i",
            "color=black:s=320x180:r=10:d=56",
            "-vf",
            "geq=lum='20+floor(T)*3.5':cb=128:cr=128",
        ),
        *(
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-g",
            "20",
            "-sc_threshold",
            "0",
            "-pix_fmt",
            "yuv420p",
        ),
    )
    made = board(56, 320, 180)
    assert (made.interval, made.count, made.sheets) == (2, 28, 2)
    command = [ffmpeg_binary(), "-v", "error", "-nostdin", *sheet_arguments(made, film, "%d.jpg")]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert {path.name for path in tmp_path.iterdir()} == {"0.jpg", "1.jpg"}
    for start, _, sheet, (x, y, width, height) in read(cues(made, "%d.jpg")):
        with Image.open(tmp_path / f"{sheet}.jpg") as picture:
            assert picture.size == (COLUMNS * width, ROWS * height)
            cell = picture.convert("L").crop((x + 8, y + 8, x + width - 8, y + height - 8))
            shown = cell.getpixel((cell.width // 2, cell.height // 2))
        # Limited range in the film, full range in the picture.
        expected = (20 + start * 3.5 - 16) * 255 / 219
        assert shown == pytest.approx(expected, abs=3), start
