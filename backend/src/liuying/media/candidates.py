"""Which pictures of a film may become its cover: they come out of the decoding for the
first rung.
"""

from __future__ import annotations

import math
from bisect import bisect_right

from liuying.media.chunks import CUT_TOLERANCE_S, Chunk
from liuying.media.plan import Plan, key_moments

CANDIDATES = 12
COVER_WIDTH, COVER_HEIGHT = 720, 1280


def chosen_pictures(plan: Plan, chunk: Chunk | None = None) -> str:
    """The transcoder's filter that lets them pass, one at least; empty where there are none.

    Args:
        plan: The plan.
        chunk: A part of the film; None for all of it.
    """
    begin = -math.inf if chunk is None or chunk.start is None else chunk.start.moment
    end = math.inf if chunk is None or chunk.end is None else chunk.end.moment
    wanted = [moment for moment in cover_moments(plan) if begin <= moment < end]
    if not wanted:
        return ""
    # The first picture has none before it, whenever it is shown.
    tests = ["isnan(prev_t)"]
    for moment in wanted[1:]:
        least = f"{moment - CUT_TOLERANCE_S:.6f}"
        tests.append(f"lt(prev_t,{least})*gte(t,{least})")
    return f"select='{'+'.join(tests)}'"


def cover_moments(plan: Plan) -> list[float]:
    """Seconds from which on the first picture is one: of the encoded rungs' key frames up to
    `CANDIDATES`.

    Of a film in chunks each one's beginning as well: it has a picture, and from another moment on
    there may be none.
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
