"""Which pictures of a rendition are looked at."""

from __future__ import annotations

import subprocess
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from liuying.media.errors import MediaError
from liuying.media.ffmpeg import ffmpeg_binary
from liuying.media.fingerprint_matching import find_match, may_match
from liuying.media.sketching import (
    fingerprint_rendition,
    glance_at_rendition,
    sketch_rendition,
)
from tests.media.clips import h264, make_clip, picture

SECONDS, RATE, KEY_FRAMES_S = 40, 10, 2
# Scenes of 5 s, no two of which look alike.
CHANGING = "hue=h=40*floor(t/5),rotate=floor(t/5)*0.7"


def transcode(folder: Path, arguments: list[str]) -> None:
    """Run the transcoder in a folder."""
    command = [ffmpeg_binary(), "-v", "error", "-y", *arguments]
    subprocess.run(command, check=True, cwd=folder, timeout=60)


def refuse(_arguments: list[str]) -> None:
    """In place of the transcoder."""
    raise AssertionError


@pytest.fixture
def rendition(tmp_path: Path) -> Path:
    moving = [*picture("320x180", SECONDS, str(RATE)), "-vf", CHANGING]
    return make_clip(tmp_path / "rendition.mp4", *moving, *h264(KEY_FRAMES_S * RATE))


def test_the_key_frames_are_looked_at_without_the_transcoder(
    rendition: Path, tmp_path: Path
) -> None:
    seen = sketch_rendition(refuse, tmp_path, rendition)
    assert seen.times.tolist() == pytest.approx(list(range(0, SECONDS, KEY_FRAMES_S)))
    assert seen.hashes.shape[-1] == SECONDS // KEY_FRAMES_S


def test_they_are_the_pictures_that_the_transcoder_shows(rendition: Path, tmp_path: Path) -> None:
    taken = fingerprint_rendition(partial(transcode, tmp_path), tmp_path, rendition)
    match = find_match(sketch_rendition(refuse, tmp_path, rendition), taken)
    assert match is not None
    assert match.share == 1
    assert match.spans == ((0, SECONDS - KEY_FRAMES_S),)


def test_at_a_glance_few_pictures_are_looked_at(rendition: Path, tmp_path: Path) -> None:
    glance = glance_at_rendition(rendition, SECONDS)
    assert glance.times.tolist() == pytest.approx([0, 6, 12, 18, 24, 30, 36])
    taken = fingerprint_rendition(partial(transcode, tmp_path), tmp_path, rendition)
    assert may_match(glance, taken)


def test_of_a_short_film_more_are(rendition: Path) -> None:
    assert glance_at_rendition(rendition, 20).times.tolist() == list(range(0, SECONDS, 4))
    assert glance_at_rendition(rendition, 5).times.tolist() == list(range(0, SECONDS, 2))


def test_key_frames_that_follow_closely_are_left_out(tmp_path: Path) -> None:
    clip = make_clip(tmp_path / "keys.mp4", *picture("320x180", SECONDS, str(RATE)), *h264(1))
    seen = sketch_rendition(refuse, tmp_path, clip)
    assert len(seen.times) < SECONDS
    assert min(b - a for a, b in pairwise(seen.times)) > KEY_FRAMES_S - 0.5


def test_too_few_key_frames_are_looked_at_closer(tmp_path: Path) -> None:
    clip = make_clip(tmp_path / "few.mp4", *picture("320x180", 12, "10"), *h264(900))
    seen = sketch_rendition(partial(transcode, tmp_path), tmp_path, clip)
    assert len(seen.times) == 12 * 4
    assert list(tmp_path.iterdir()) == [clip]


def test_what_is_damaged_is_told(rendition: Path, tmp_path: Path) -> None:
    whole = rendition.read_bytes()
    rendition.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(MediaError):
        sketch_rendition(refuse, tmp_path, rendition)
    with pytest.raises(MediaError):
        glance_at_rendition(rendition, SECONDS)
    rendition.write_bytes(b"")
    with pytest.raises(MediaError):
        sketch_rendition(refuse, tmp_path, rendition)
