"""Probes made by hand: planning is tested without files."""

from __future__ import annotations

from typing import Any

import msgspec

from liuying.media.probe import Probe
from liuying.media.timing import Timing
from liuying.media.video_facts import MATRIX_BT709, VideoFacts

VIDEO = VideoFacts(
    index=0,
    codec="h264",
    pixel_format="yuv420p",
    profile="High",
    width=1280,
    height=720,
    is_rotated=False,
    has_square_pixels=True,
    is_interlaced=False,
    is_full_range=False,
    is_hdr=False,
    matrix=MATRIX_BT709,
    primaries=1,
    has_closed_gops=True,
)
TIMING = Timing(
    pictures=250,
    start=0.0,
    duration=10.0,
    longest_gap=0.04,
    rate=25.0,
    is_frozen=False,
    key_times=(0.0, 2.0, 4.0, 6.0, 8.0),
    mean_bits=2_000_000,
    peak_bits=2_500_000,
)


def probe_of(
    audio_index: int | None = 1, timing: dict[str, Any] | None = None, **video: Any
) -> Probe:
    """A 720p clip that could be copied, with what a test wants to be different."""
    return Probe(
        video=msgspec.structs.replace(VIDEO, **video),
        audio_index=audio_index,
        timing=msgspec.structs.replace(TIMING, **(timing or {})),
    )
