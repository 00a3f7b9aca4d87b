"""Which pictures of a film may become its cover: they come out of the decoding for the first rung."""

from __future__ import annotations

from liuying.media.chunks import CUT_TOLERANCE_S, Chunk
from liuying.media.plan import Plan, key_moments

CANDIDATES = 12
COVER_WIDTH, COVER_HEIGHT = 720, 1280


def chosen_pictures(plan: Plan, chunk: Chunk | None = None) -> str:
    """The transcoder's filter that lets them pass; empty where there are none.

    Args:
        plan: The plan.
        chunk: A part of the film; None for all of it.
    """
    wanted, is_whole = cover_moments(plan), chunk is None or chunk.start is None
    begin = None if chunk is None or chunk.start is None else chunk.start.moment
    end = None if chunk is None or chunk.end is None else chunk.end.moment
    inside = [one for one in wanted if (begin is None or one >= begin) and (end is None or one < end)]
    # The first picture has none before it, whenever it is shown.
    is_first = "isnan(prev_t)"
    tests = [is_first] if is_whole else []
    for moment in inside[1:] if is_whole else inside:
        least = f"{moment - CUT_TOLERANCE_S:.6f}"
        tests.append(is_first if moment == begin else f"lt(prev_t,{least})*gte(t,{least})")
    return f"select='{'+'.join(tests)}'" if tests else ""


def cover_moments(plan: Plan) -> list[float]:
    """Seconds from which on the first picture is one: of the encoded rungs' key frames up to `CANDIDATES`."""
    timing = plan.probe.timing
    if timing.is_frozen:
        return [timing.start]
    moments = key_moments(timing, plan.cuts)
    return moments[:: -(-len(moments) // CANDIDATES)]


def cover_size(width: int, height: int) -> tuple[int, int]:
    """The size of a cover: within `COVER_WIDTH` × `COVER_HEIGHT`, never enlarged."""
    factor = min(1.0, COVER_WIDTH / width, COVER_HEIGHT / height)
    return max(1, round(width * factor)), max(1, round(height * factor))
