"""The ladder: how large its rungs are, how many bits and pictures a second each may have."""

from __future__ import annotations

import math
from itertools import pairwise

import msgspec

from liuying.media.probe import Probe
from liuying.media.timing import Timing

# Short side in pixels → maximum bits per second of its picture.
LADDER = {360: 800_000, 540: 1_600_000, 720: 2_800_000, 1080: 5_200_000}
LEAST_BITS = 150_000
# A smaller step to the next rung is not worth a rung.
LEAST_STEP = 1.15
MAX_RATE = 60.0
# Small rungs are for slow networks: their bits go into sharpness, not into a doubled frame rate.
SMALL_SIDE = 540
SMALL_RATE = 30.0
USUAL_RATE = 30.0
# Rates are rounded and measured: 30.01 counts as equal.
RATE_TOLERANCE = 1.05
# Bits fall more slowly than pixels: a small picture shows as many things.
SHARE_POWER = 0.75
# Slower pictures, or longer gaps, are filled by repetition: seeking and segments need pictures.
LEAST_RATE = 8.0
MAX_GAP_S = 1.0


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One rendition of the ladder.

    Attributes:
        label: `360P`, the short side as viewers know it.
        width: Pixels, even.
        height: The same.
        max_bits: Maximum bits per second of its picture.
        rate: Pictures per second to convert to; None to keep the source's.
        is_copied: The source's own stream is kept.
    """

    label: str
    width: int
    height: int
    max_bits: int
    rate: float | None
    is_copied: bool

    @property
    def name(self) -> str:
        """Its folder's name, `360`."""
        return self.label.removesuffix("P")

    @property
    def short_side(self) -> int:
        return min(self.width, self.height)


def ladder_of(short_side: int) -> list[int]:
    """Short sides of the rungs, lowest first; none is larger than the source's.

    The top rung keeps the source's own size up to the largest rung, so that a 480-line film does
    not shrink to 360.
    """
    top = max(2, min(short_side, max(LADDER)))
    return [side for side in LADDER if side * LEAST_STEP <= top] + [top - top % 2]


def max_bits_of(short_side: int) -> int:
    """The bit rate limit for any size: interpolated between two rungs; below the lowest by its
    share of pixels.
    """
    lowest = min(LADDER)
    if short_side < lowest:
        return max(LEAST_BITS, round(LADDER[lowest] * (short_side / lowest) ** 2))
    for (side, bits), (next_side, next_bits) in pairwise(LADDER.items()):
        if short_side <= next_side:
            return round(bits + (next_bits - bits) * (short_side - side) / (next_side - side))
    return LADDER[max(LADDER)]


def rate_factor(rate: float) -> float:
    """How many times the bits of a usual film a rung may have, by its frame rate: at least 1.

    Pictures that follow each other faster differ less: bits rise more slowly than the number of
    pictures.
    """
    return math.sqrt(max(1.0, min(rate, MAX_RATE) / USUAL_RATE))


def rung_of(probe: Probe, side: int) -> Rung:
    """The rung of a short side in pixels, encoded."""
    video = probe.video
    long_side = max(2, round(max(video.width, video.height) * side / video.short_side / 2) * 2)
    width, height = (long_side, side) if video.width >= video.height else (side, long_side)
    rate = output_rate(probe.timing, side)
    return Rung(
        label=f"{side}P",
        width=width,
        height=height,
        max_bits=round(max_bits_of(side) * rate_factor(rate or probe.timing.rate)),
        rate=rate,
        is_copied=False,
    )


def below_source(rung: Rung, probe: Probe) -> Rung:
    """A rung below the source's own stream, cheaper in proportion to its size: otherwise it
    would be useless.
    """
    share = (rung.short_side / probe.video.short_side) ** SHARE_POWER
    limit = max(LEAST_BITS, round(probe.timing.mean_bits * share))
    return msgspec.structs.replace(rung, max_bits=min(rung.max_bits, limit))


def is_held(timing: Timing) -> bool:
    """Whether some picture is shown for so long that it must be repeated."""
    return timing.longest_still > MAX_GAP_S


def output_rate(timing: Timing, side: int) -> float | None:
    """The frame rate to convert to; None to keep the source's own times."""
    if timing.rate < LEAST_RATE or is_held(timing):
        return max(LEAST_RATE, min(timing.rate, SMALL_RATE))
    limit = SMALL_RATE if side <= SMALL_SIDE else MAX_RATE
    return limit if timing.rate > limit * RATE_TOLERANCE else None
