"""Media segments: how long they last, and the bit rates that a playlist says of them (RFC 8216)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec


class Segment(msgspec.Struct, frozen=True):
    """A media segment: seconds and bytes."""

    duration: float
    size: int


class KeyFrame(msgspec.Struct, frozen=True, kw_only=True):
    """The location of a key frame.

    Attributes:
        offset: Its offset in the rendition's file.
        size: Bytes, including the fragment's header.
        duration: Seconds until the next one.
    """

    offset: int
    size: int
    duration: float


def target_duration(segments: Sequence[Segment]) -> int:
    """The maximum duration of a segment, rounded to whole seconds (RFC 8216 §4.3.3.1)."""
    return max(1, *(math.floor(segment.duration + 0.5) for segment in segments))


def mean_bits(segments: Sequence[Segment]) -> int:
    """The average segment bit rate (RFC 8216 §4.1)."""
    return math.ceil(
        sum(segment.size for segment in segments)
        * 8
        / sum(segment.duration for segment in segments)
    )


def peak_bits(segments: Sequence[Segment]) -> int:
    """The peak segment bit rate: of any run of segments lasting 0.5 to 1.5 target durations (RFC
    8216 §4.1).
    """
    target = target_duration(segments)
    peak = 0.0
    for first in range(len(segments)):
        duration, size = 0.0, 0
        for segment in segments[first:]:
            duration += segment.duration
            size += segment.size
            if duration > 1.5 * target:
                break
            if duration >= 0.5 * target:
                peak = max(peak, size * 8 / duration)
    if peak == 0.0:  # Shorter than half a target duration in total.
        peak = (
            sum(segment.size for segment in segments)
            * 8
            / sum(segment.duration for segment in segments)
        )
    return math.ceil(peak)
