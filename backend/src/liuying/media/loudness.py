"""How loud a video's sound is (EBU R 128), and the one gain that brings what is far off near the
others.

A constant gain leaves the sound's own rise and fall as it is; what is near enough is not touched at
all.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from liuying.media.ffmpeg import input_arguments
from liuying.media.plan import Plan

TARGET_LUFS = -16.0
NEAR_LU = 6.0
# After the gain no peak between the samples exceeds this.
CEILING_DBTP = -1.5
# Below this there is a room's noise at most: louder it would only hiss.
SILENT_LUFS = -55.0
FIGURE = re.compile(r"(I|Peak):\s+(-?\d+\.\d)(?: LUFS| dBFS)")
# As the published sound is mixed: what is measured is what will be heard.
STEREO = "aformat=sample_fmts=fltp:channel_layouts=stereo"


class Loudness(msgspec.Struct, frozen=True):
    """A whole sound track's.

    Attributes:
        lufs: Integrated loudness in LUFS.
        peak: True peak in dBTP; None where it was not measured.
    """

    lufs: float
    peak: float | None = None


def measure_arguments(plan: Plan, source: Path, *, with_peak: bool) -> list[str]:
    """The transcoder's command line: decodes the sound alone, and says its figures at the end.

    Args:
        with_peak: Whether the true peak is wanted, which takes twice the time.
    """
    peak = "true" if with_peak else "none"
    return [
        *input_arguments(source),
        *(
            "-map",
            f"0:{plan.probe.audio_index}",
            "-af",
            f"{STEREO},ebur128=peak={peak}:framelog=quiet",
        ),
        *("-f", "null", "-", "-loglevel", "info"),
    ]


def read_loudness(lines: Iterable[str]) -> Loudness:
    """The figures in the transcoder's last lines; silence where there are none."""
    found = {
        name: float(value)
        for name, value in (one.groups() for one in map(FIGURE.fullmatch, lines) if one)
    }
    return Loudness(found.get("I", -math.inf), found.get("Peak"))


def is_too_quiet(loudness: Loudness) -> bool:
    """Whether the sound should become louder, and is more than a room's noise."""
    return SILENT_LUFS <= loudness.lufs < TARGET_LUFS - NEAR_LU


def gain_of(loudness: Loudness) -> float:
    """Decibels to add; 0 for what is near enough, silent, or has no room for more."""
    wanted = TARGET_LUFS - loudness.lufs
    if is_too_quiet(loudness) and loudness.peak is not None:
        return round(max(0.0, min(wanted, CEILING_DBTP - loudness.peak)), 1)
    return round(wanted, 1) if wanted < -NEAR_LU else 0.0
