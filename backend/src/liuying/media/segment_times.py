"""When segments begin, and where the encoder has to put key frames for them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from liuying.media.timing import Timing

# The first segments in seconds: short ones bring the first picture sooner. The last value repeats.
SEGMENT_SECONDS = (1.0, 1.0, 2.0)


def key_moments(timing: Timing, cuts: Sequence[float]) -> list[float]:
    """Seconds at which the encoded rungs need key frames: at the plan's cuts, otherwise by
    `SEGMENT_SECONDS`.
    """
    if cuts:
        return with_short_start(cuts, timing.duration)
    first, _, repeated = SEGMENT_SECONDS
    more = max(0, math.ceil((timing.duration - 2 * first) / repeated))
    offsets = [0.0, first, *(2 * first + number * repeated for number in range(more))]
    return [timing.start + offset for offset in offsets]


def with_short_start(cuts: Sequence[float], duration: float) -> list[float]:
    """A copied top rung may begin with a long segment; the low rungs, with which players start,
    still begin with a short one.
    """
    first = cuts[0] + SEGMENT_SECONDS[0]
    second = cuts[1] if len(cuts) > 1 else cuts[0] + duration
    return [cuts[0], first, *cuts[1:]] if second - first > SEGMENT_SECONDS[0] / 2 else list(cuts)


def segment_starts(key_times: Sequence[float]) -> tuple[float, ...]:
    """The key frames at which segments begin, so that they last about `SEGMENT_SECONDS`.

    Args:
        key_times: Seconds, ascending.
    """
    starts: list[float] = []
    for moment in key_times:
        wanted = SEGMENT_SECONDS[min(len(starts), len(SEGMENT_SECONDS)) - 1] if starts else 0.0
        # A tolerance of a tenth: key frames are on whole pictures, not on whole seconds.
        if not starts or moment - starts[-1] >= wanted * 0.9:
            starts.append(moment)
    return tuple(starts)
