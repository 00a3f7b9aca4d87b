"""Loudness: what is measured, what is changed for it, and what is left as it is."""

from __future__ import annotations

import math
import re
import subprocess
from pathlib import Path

import av
import numpy as np
import pytest

from liuying.media.ffmpeg import ffmpeg_binary
from liuying.media.loudness import Loudness, gain_of, read_loudness
from tests.media.clips import h264, make_clip, picture
from tests.media.productions import production_of

SUMMARY = """Metadata:
title           : I:         -99.0 LUFS
[Parsed_ebur128_1 @ 0x7f] Summary:
Integrated loudness:
I:         -25.6 LUFS
Threshold: -35.6 LUFS
Loudness range:
LRA:         0.1 LU
True peak:
Peak:      -13.0 dBFS
"""


def test_the_summary_is_read() -> None:
    assert read_loudness(SUMMARY.splitlines()) == Loudness(-25.6, -13.0)
    assert read_loudness(["I:         -70.0 LUFS", "Peak:       -inf dBFS"]) == Loudness(-70.0)
    assert read_loudness(["something else"]) == Loudness(-math.inf)


@pytest.mark.parametrize(
    ("lufs", "peak", "gain"),
    [
        (-16.0, -1.0, 0.0),
        (-22.0, -12.0, 0.0),
        (-22.1, -12.0, 6.1),
        (-30.0, -20.0, 14.0),
        (-30.0, -5.0, 3.5),  # as far as its peaks allow
        (-30.0, -0.5, 0.0),
        (-10.0, 0.0, 0.0),
        (-9.9, 0.0, -6.1),
        (-3.0, 4.0, -13.0),
        (-60.0, -50.0, 0.0),  # a room's noise stays one
        (-math.inf, None, 0.0),
    ],
)
def test_only_what_is_far_off_is_changed(lufs: float, peak: float | None, gain: float) -> None:
    assert gain_of(Loudness(lufs, peak)) == gain


@pytest.mark.parametrize(
    ("sound", "expected"),
    [
        ("0.02*sin(440*2*PI*t)", -16.0),
        ("0.02*sin(440*2*PI*t)+0.4*eq(mod(n\\,24000)\\,0)", -27.9),  # clicks leave little room
        ("0.11*sin(440*2*PI*t)", -19.9),
        ("1.6*sin(440*2*PI*t)", -16.0),
    ],
    ids=["quiet", "quiet with peaks", "near enough", "clipped"],
)
def test_what_is_published(tmp_path: Path, sound: str, expected: float) -> None:
    source = ["-f", "lavfi", "-i", f"aevalsrc='{sound}|{sound}':c=stereo:d=3:s=48000"]
    clip = make_clip(
        tmp_path / "clip.mkv", *picture("160x90"), *source, *h264(), "-c:a", "pcm_s16le"
    )
    production = production_of(clip, tmp_path)
    production.make_first(lambda _share: None)
    published = tmp_path / "90.mp4"
    command = [ffmpeg_binary(), "-hide_banner", "-nostats", "-i", str(published)]
    command += ["-af", "ebur128=peak=true:framelog=quiet", "-vn", "-f", "null", "-"]
    said = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stderr
    measured = read_loudness(re.sub(r"(?m)^\s+", "", said).splitlines())
    assert measured.lufs == pytest.approx(expected, abs=0.7)
    assert measured.peak is not None
    assert measured.peak < -0.5


def test_silence_stays_silence(tmp_path: Path) -> None:
    silence = ["-f", "lavfi", "-i", "anullsrc=r=48000:d=2"]
    clip = make_clip(tmp_path / "silent.mp4", *picture("160x90", 2), *silence, *h264())
    production = production_of(clip, tmp_path)
    production.make_first(lambda _share: None)
    with av.open(str(tmp_path / "90.mp4")) as container:
        assert all(np.abs(frame.to_ndarray()).max() < 1e-4 for frame in container.decode(audio=0))
