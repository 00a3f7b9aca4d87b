"""Where to cut a long film, so that an interruption costs one chunk of work instead of all. Pure.

Cuts are at our own key frames, so that joined chunks have the key frames of a film encoded in one
piece. A film is cut only where every picture certainly belongs to exactly one chunk, at its own
time.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from liuying.media.probe import Probe

# A shorter film is encoded in one piece: there is little to lose.
LEAST_FILM_S = 60.0
LEAST_CHUNK_S, USUAL_CHUNK_S = 20.0, 30.0
# The last two may be shorter to get an even number: two workers then finish together.
LEAST_LAST_S = 10.0
# Pictures between the source's key frame and the cut are decoded for nothing; no cut is worth more
# than this.
MAX_LEAD_S = 4.0
# The seek must not land on an earlier key frame: times are lowered by this, less than any picture's
# duration.
CUT_TOLERANCE_S = 0.002


class Cut(msgspec.Struct, frozen=True, kw_only=True):
    """A boundary between two pictures, in seconds.

    Attributes:
        moment: Where a key frame is wanted; it is the first picture from then on.
        before: When the last picture before it is shown.
        after: When the first picture after it is shown.
        seek: The source's key frame to decode from.
    """

    moment: float
    before: float
    after: float
    seek: float


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a film.

    Attributes:
        number: From 1.
        start: None for the film's beginning.
        end: None for the film's end.
        keys: Moments of the key frames inside, except the first, in seconds.
        duration: Seconds.
        pictures: Number of the source's pictures in it.
    """

    number: int
    start: Cut | None
    end: Cut | None
    keys: tuple[float, ...]
    duration: float
    pictures: int

    @property
    def name(self) -> str:
        """Its folder's name, `c0001`."""
        return f"c{self.number:04}"


def chunks_of(probe: Probe, moments: Sequence[float], *, is_resampled: bool) -> tuple[Chunk, ...]:
    """Cut a film into chunks; no chunks if it is encoded in one piece.

    Args:
        probe: The film.
        moments: Seconds at which key frames are wanted, from the first picture on.
        is_resampled: A rendition's frame rate differs from the source's.
    """
    if not can_be_cut(probe):
        return ()
    cuts = _choose(probe, moments, is_resampled=is_resampled)
    if cuts and len(cuts) % 2 == 0:
        cuts += _halving(probe, moments, cuts[-1].moment, is_resampled=is_resampled)
    return _between(probe, moments, cuts) if cuts else ()


def can_be_cut(probe: Probe) -> bool:
    """Whether a film is long enough, and certain to give the same pictures wherever decoding
    begins.
    """
    video, timing = probe.video, probe.timing
    return (
        probe.is_seekable
        and timing.duration >= LEAST_FILM_S
        # Fields are woven from neighbouring pictures, some of which the first of a chunk would
        # lack.
        and not video.is_interlaced
        # Times that are counted rather than stored, or that continue over a jump, start anew with
        # every seek.
        and not timing.is_frozen
        and not timing.has_jumps
        # Pictures before the file's start are moved or dropped, depending on where reading begins.
        # A start rounded to microseconds does not count as one.
        and timing.start > -CUT_TOLERANCE_S
        # Two pictures with the same time: one of them is dropped, and it is unknown which.
        and all(before < after for before, after in pairwise(timing.moments))
    )


def first_number(moment: float, rate: float) -> int:
    """For a stream with a constant rate: the index of the first picture from a key frame on,
    counted from 0 at 0 s.
    """
    return math.ceil((moment - CUT_TOLERANCE_S) * rate - 1e-6)


def _choose(probe: Probe, moments: Sequence[float], *, is_resampled: bool) -> list[Cut]:
    end = probe.timing.start + probe.timing.duration
    last, chosen = probe.timing.start, []
    best: Cut | None = None
    for moment in moments:
        if moment - last < LEAST_CHUNK_S:
            continue
        if end - moment < LEAST_CHUNK_S:
            break
        if best is not None and moment - last > USUAL_CHUNK_S:
            chosen.append(best)
            last, best = best.moment, None
            if moment - last < LEAST_CHUNK_S:
                continue
        cut = _cut_at(probe, moment, is_resampled=is_resampled)
        # The latest among equals: fewer chunks.
        if cut is not None and (
            best is None or cut.moment - cut.seek <= best.moment - best.seek + CUT_TOLERANCE_S
        ):
            best = cut
    return [*chosen, best] if best is not None else chosen


def _halving(
    probe: Probe, moments: Sequence[float], begin: float, *, is_resampled: bool
) -> list[Cut]:
    """A cut near the middle of the rest; None if there is no suitable place."""
    end = probe.timing.start + probe.timing.duration
    inside = [moment for moment in moments if begin + LEAST_LAST_S <= moment <= end - LEAST_LAST_S]
    cuts = [
        cut
        for moment in inside
        if (cut := _cut_at(probe, moment, is_resampled=is_resampled)) is not None
    ]
    return sorted(
        cuts, key=lambda cut: (round(cut.moment - cut.seek, 2), abs(begin + end - 2 * cut.moment))
    )[:1]


def _cut_at(probe: Probe, moment: float, *, is_resampled: bool) -> Cut | None:
    """A cut, if a key frame of the source is shortly before it."""
    shown, keys = probe.timing.moments, probe.timing.key_times
    first = bisect_left(shown, moment - CUT_TOLERANCE_S)
    if first < 2 or first >= len(shown):
        return None
    # With a changed rate, a picture that begins before the cut may be shown after it.
    needed = shown[first - 2] if is_resampled else shown[first]
    key = bisect_right(keys, needed) - 1
    if key < 0 or moment - keys[key] > MAX_LEAD_S:
        return None
    return Cut(moment=moment, before=shown[first - 1], after=shown[first], seek=keys[key])


def _between(probe: Probe, moments: Sequence[float], cuts: Sequence[Cut]) -> tuple[Chunk, ...]:
    timing = probe.timing
    chunks = []
    for number, (start, end) in enumerate(pairwise([None, *cuts, None]), 1):
        begin = timing.start if start is None else start.moment
        stop = timing.start + timing.duration if end is None else end.moment
        first = 0 if start is None else bisect_left(timing.moments, start.after)
        following = len(timing.moments) if end is None else bisect_left(timing.moments, end.after)
        chunks.append(
            Chunk(
                number=number,
                start=start,
                end=end,
                keys=tuple(moments[bisect_right(moments, begin) : bisect_left(moments, stop)]),
                duration=stop - begin,
                pictures=following - first,
            )
        )
    return tuple(chunks)
