"""Clips that several tests read; none writes to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.made_once import made_once
from tests.media.clips import h264, make_clip, picture, sine, steady, tone


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("clips")


@pytest.fixture(scope="session")
def plain_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """640 × 360, 25 pictures a second, 3 s, sound, a key frame every 2 s."""
    return made_once(
        tmp_path_factory, "plain.mp4", lambda path: make_clip(path, *picture(), *tone(), *h264())
    )


@pytest.fixture(scope="session")
def dubbed_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """720 × 1280, 2 s, three rungs; 国语 of 440 Hz, 粤语 of 880 Hz for a second, and the default,
    原声 of 1320 Hz.
    """
    sounds = [sine(440, 2), sine(880, 1), sine(1320, 2)]
    tags = [
        *("-metadata:s:a:0", "language=chi", "-metadata:s:a:1", "language=yue"),
        *("-metadata:s:a:2", "language=jpn", "-metadata:s:a:2", "title=原声"),
        *("-disposition:a:0", "0", "-disposition:a:2", "default"),
    ]
    maps = [part for number in range(4) for part in ("-map", str(number))]
    inputs = [*picture("720x1280", 2), *(part for one in sounds for part in one)]
    arguments = [*inputs, *maps, *tags, *h264(500)]
    return made_once(tmp_path_factory, "dubbed.mkv", lambda path: make_clip(path, *arguments))


@pytest.fixture(scope="session")
def tall_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """720 × 1280 in a size that fits no copy: 10 key frames apart too far."""
    arguments = [*picture("720x1280", 2), *tone(2), *h264(500)]
    return made_once(tmp_path_factory, "tall.mp4", lambda path: make_clip(path, *arguments))


@pytest.fixture(scope="session")
def fitting_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, but its own stream is kept as the top rung: steady bits, a key frame every
    second.
    """
    arguments = [*picture("720x1280", 2), *tone(2), *h264(25), *steady(2500)]
    return made_once(tmp_path_factory, "fitting.mp4", lambda path: make_clip(path, *arguments))


@pytest.fixture(scope="session")
def film_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hardly more than a film must have: 416 × 416, 9 pictures a second, 61 s, sound, two rungs,
    three chunks.

    It has B pictures, and key frames that are not ours.
    """
    arguments = [*picture("416x416", 61, "9"), *tone(61), *h264(88), "-bf", "2"]
    return made_once(tmp_path_factory, "film.mp4", lambda path: make_clip(path, *arguments))
