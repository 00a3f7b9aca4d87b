"""Candidates for a film's cover: pictures picked while the first rendition is decoded."""

from __future__ import annotations

import math
from bisect import bisect_right

from liuying.media.chunks import CUT_TOLERANCE_S, Chunk
from liuying.media.plan import Plan
from liuying.media.segment_times import key_moments

CANDIDATES = 12
COVER_WIDTH, COVER_HEIGHT = 720, 1280


def chosen_pictures(plan: Plan, chunk: Chunk | None = None) -> str:
    """The transcoder's filter that passes them, at least one; empty if there are none.

    Args:
        plan: The plan.
        chunk: A part of the film; None for the whole.
    """
    begin = -math.inf if chunk is None or chunk.start is None else chunk.start.moment
    end = math.inf if chunk is None or chunk.end is None else chunk.end.moment
    wanted = [moment for moment in cover_moments(plan) if begin <= moment < end]
    if not wanted:
        return ""
    # The first picture has no predecessor, whenever it is shown.
    tests = ["isnan(prev_t)"]
    for moment in wanted[1:]:
        least = f"{moment - CUT_TOLERANCE_S:.6f}"
        tests.append(f"lt(prev_t,{least})*gte(t,{least})")
    return f"select='{'+'.join(tests)}'"


def cover_moments(plan: Plan) -> list[float]:
    """Moments in seconds; the first picture from each one on is a candidate. At most `CANDIDATES`
    of the encoded renditions' key frames.

    For a film in chunks, also the start of each chunk: it certainly has a picture, whereas there
    may be none after another moment.
    """
    timing = plan.probe.timing
    if timing.is_frozen:
        return [timing.start]
    moments = key_moments(timing, plan.cuts)
    chosen = moments[:: -(-len(moments) // CANDIDATES)]
    begins = [chunk.start.moment for chunk in plan.chunks if chunk.start is not None]
    begins = [
        begins[number - 1] for moment in chosen if (number := bisect_right(begins, moment)) > 0
    ]
    return sorted({*chosen, *begins})


def cover_size(width: int, height: int) -> tuple[int, int]:
    """The size of a cover: within `COVER_WIDTH` × `COVER_HEIGHT`, never enlarged."""
    factor = min(1.0, COVER_WIDTH / width, COVER_HEIGHT / height)
    return max(1, round(width * factor)), max(1, round(height * factor))
