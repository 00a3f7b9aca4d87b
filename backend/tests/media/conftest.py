"""Clips that several tests read; none writes to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.media.clips import h264, make_clip, picture, tone


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("clips")


@pytest.fixture(scope="session")
def plain_clip(clips: Path) -> Path:
    """640 × 360, 25 pictures a second, 3 s, sound, a key frame every 2 s."""
    return make_clip(clips / "plain.mp4", *picture(), *tone(), *h264())


@pytest.fixture(scope="session")
def tall_clip(clips: Path) -> Path:
    """720 × 1280 in a size that fits no copy: 10 key frames apart too far."""
    return make_clip(clips / "tall.mp4", *picture("720x1280", 2), *tone(2), *h264(500))


@pytest.fixture(scope="session")
def film_clip(clips: Path) -> Path:
    """640 × 480, 10 pictures a second, 72 s, sound, two rungs, three chunks."""
    return make_clip(clips / "film.mp4", *picture("640x480", 72, "10"), *tone(72), *h264(65))
