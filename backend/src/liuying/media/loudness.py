"""The loudness of a video's sound (EBU R 128), and the constant gain that brings outliers near the
others.

A constant gain keeps the sound's dynamics; what is close enough is not changed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from liuying.media.ffmpeg import input_arguments

TARGET_LUFS = -16.0
NEAR_LU = 6.0
# After the gain no inter-sample peak exceeds this.
CEILING_DBTP = -1.5
# Below this there is only background noise: a gain would make it hiss.
SILENT_LUFS = -55.0
FIGURE = re.compile(r"(I|Peak):\s+(-?\d+\.\d)(?: LUFS| dBFS)")
# Mixed as the published sound: what is measured is what will be heard.
STEREO = "aformat=sample_fmts=fltp:channel_layouts=stereo"


class Loudness(msgspec.Struct, frozen=True):
    """Loudness of a complete audio track.

    Attributes:
        lufs: Integrated loudness in LUFS.
        peak: True peak in dBTP; None if not measured.
    """

    lufs: float
    peak: float | None = None


def measure_arguments(source: Path, index: int, *, with_peak: bool) -> list[str]:
    """The transcoder's command line: decodes only the sound and prints its figures at the end.

    Args:
        source: The file.
        index: The number of the audio stream.
        with_peak: Whether to measure the true peak, which takes twice the time.
    """
    peak = "true" if with_peak else "none"
    return [
        *input_arguments(source),
        *(
            "-map",
            f"0:{index}",
            "-af",
            f"{STEREO},ebur128=peak={peak}:framelog=quiet",
        ),
        *("-f", "null", "-", "-loglevel", "info"),
    ]


def read_loudness(lines: Iterable[str]) -> Loudness:
    """The figures in the transcoder's last lines; silence if there are none."""
    found = {
        name: float(value)
        for name, value in (one.groups() for one in map(FIGURE.fullmatch, lines) if one)
    }
    return Loudness(found.get("I", -math.inf), found.get("Peak"))


def is_too_quiet(loudness: Loudness) -> bool:
    """Whether the sound should be louder, and is more than background noise."""
    return SILENT_LUFS <= loudness.lufs < TARGET_LUFS - NEAR_LU


def gain_of(loudness: Loudness) -> float:
    """Decibels to add; 0 for sound that is close enough, silent, or has no headroom."""
    wanted = TARGET_LUFS - loudness.lufs
    if is_too_quiet(loudness) and loudness.peak is not None:
        return round(max(0.0, min(wanted, CEILING_DBTP - loudness.peak)), 1)
    return round(wanted, 1) if wanted < -NEAR_LU else 0.0
