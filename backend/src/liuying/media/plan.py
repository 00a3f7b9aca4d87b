"""From the properties of a file to the renditions made of it: pure, and tested without a
transcoder.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from liuying.media.audio_tracks import AudioTrack
from liuying.media.chunks import Chunk, chunks_of
from liuying.media.probe import Probe
from liuying.media.timing import Timing
from liuying.media.video_facts import VideoFacts

# Short side in pixels → maximum bits per second of its picture.
LADDER = {360: 800_000, 540: 1_600_000, 720: 2_800_000, 1080: 5_200_000}
LEAST_BITS = 150_000
# A smaller step to the next rung is not worth a rung.
LEAST_STEP = 1.15
AUDIO_BITS = 128_000
MAX_RATE = 60.0
# Small rungs are for slow networks: their bits go into sharpness, not into a doubled frame rate.
SMALL_SIDE = 540
SMALL_RATE = 30.0
# The first segments in seconds: short ones bring the first picture sooner. The last value repeats.
SEGMENT_SECONDS = (1.0, 1.0, 2.0)
# How far a copied rung may deviate from that: otherwise it starts late or seeks badly.
MAX_COPIED_SEGMENT_S = 4.0
USUAL_RATE = 30.0
# Rates are rounded and measured: 30.01 counts as equal.
RATE_TOLERANCE = 1.05
# Bits fall more slowly than pixels: a small picture shows as many things.
SHARE_POWER = 0.75
# The peak of a copied stream may exceed its rung's mean limit by this factor.
PEAK_FACTOR = 1.5
# Slower pictures, or longer gaps, are filled by repetition: seeking and segments need pictures.
LEAST_RATE = 8.0
MAX_GAP_S = 1.0
# A film up to this length is encoded in about half the time that a long one takes for its lowest
# rung.
SHORT_FILM_S = 30.0
COPYABLE_PROFILES = frozenset({"Constrained Baseline", "Baseline", "Main", "High"})


class EncoderSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How x264 weighs time against size.

    Attributes:
        preset: x264's name of a speed.
        refinements: Differences from the preset, in x264's words. Lookahead, B pictures and
            trellis quantization give more for their time than the finer motion search of slower
            presets; how bits are spread over a picture costs none.
        quality: Constant rate factor; lower is better and larger.
        fast_gain: Improvement for each doubling of `USUAL_RATE`: x264 lowers the quality of
            pictures that are shown for a shorter time.
    """

    preset: str = "superfast"
    refinements: str = (
        "mbtree=1:rc-lookahead=40:trellis=1:subme=2:partitions=i8x8:no-chroma-me=1"
        ":bframes=5:weightp=2:aq-mode=2:aq-strength=0.7:deblock=-1,-1"
    )
    quality: int = 21
    fast_gain: float = 1.5

    def quality_at(self, rate: float) -> float:
        """The constant rate factor of a rung.

        Args:
            rate: Its pictures per second.
        """
        return round(self.quality - self.fast_gain * math.log2(rate_factor(rate) ** 2), 1)


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


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is made of a file.

    Attributes:
        probe: The file.
        rungs: From the lowest up.
        cuts: Seconds at which segments of the lower rungs must begin to match a copied top rung;
            empty if all rungs are encoded and follow `SEGMENT_SECONDS`.
        settings: The encoder's.
        chunks: The parts in which a long film is encoded; empty if it is encoded in one piece.
        accepts_damage: However many pictures fail to decode, it is made.
    """

    probe: Probe
    rungs: tuple[Rung, ...]
    cuts: tuple[float, ...]
    settings: EncoderSettings
    chunks: tuple[Chunk, ...] = ()
    accepts_damage: bool = False

    @property
    def sound_index(self) -> int | None:
        """Index of the audio stream that the renditions contain; None if they show pictures only,
        because the film is silent or its tracks are published beside them.
        """
        return None if self.tracks else self.probe.audio_index

    @property
    def tracks(self) -> tuple[AudioTrack, ...]:
        """The audio tracks that are published beside the pictures; empty if there are not
        several.
        """
        return self.probe.audio_tracks

    @property
    def first(self) -> Rung:
        """The rung that is published before the others."""
        return self.rungs[-1] if self.is_source_first else self.rungs[0]

    @property
    def is_source_first(self) -> bool:
        """Whether the source's own stream is published before the others are encoded:
        immediately, and the others then cost one decoding instead of two. Only for short films:
        until then slow networks have nothing.
        """
        return (
            len(self.rungs) > 1
            and self.rungs[-1].is_copied
            and self.probe.timing.duration <= SHORT_FILM_S
        )

    @property
    def output_bytes(self) -> int:
        """Maximum size of the complete result."""
        sounds = len(self.tracks) or len(self.rungs)
        bits = sum(rung.max_bits * PEAK_FACTOR for rung in self.rungs) + AUDIO_BITS * sounds
        return int(bits / 8 * self.probe.timing.duration) + 16_000_000


def make_plan(
    probe: Probe, settings: EncoderSettings | None = None, *, accepts_damage: bool = False
) -> Plan:
    """Decide the ladder, and which rung the source itself can be.

    Args:
        probe: What the file is.
        settings: The encoder's; None for the product's own.
        accepts_damage: However many pictures fail to decode, it is made.
    """
    sides = ladder_of(probe.video.short_side)
    rungs = [_rung(probe, side) for side in sides]
    cuts: tuple[float, ...] = ()
    top = rungs[-1]
    if can_copy(probe, top):
        rungs = [_below(rung, probe) for rung in rungs[:-1]]
        rungs.append(msgspec.structs.replace(top, is_copied=True, rate=None))
        cuts = segment_starts(probe.timing.key_times)
    chunks: tuple[Chunk, ...] = ()
    if not rungs[0].is_copied:
        is_resampled = any(rung.rate is not None for rung in rungs)
        chunks = chunks_of(probe, key_moments(probe.timing, cuts), is_resampled=is_resampled)
    return Plan(
        probe=probe,
        rungs=tuple(rungs),
        cuts=cuts,
        settings=settings or EncoderSettings(),
        chunks=chunks,
        accepts_damage=accepts_damage,
    )


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


def _rung(probe: Probe, side: int) -> Rung:
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


def _below(rung: Rung, probe: Probe) -> Rung:
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


def can_copy(probe: Probe, rung: Rung) -> bool:
    """Whether the source's stream can be that rung unchanged: every browser decodes it, and it
    streams well.
    """
    video, timing = probe.video, probe.timing
    segments = segment_starts(timing.key_times)
    longest = max(
        (after - before for before, after in pairwise([*segments, timing.end])),
        default=timing.duration,
    )
    return (
        _has_web_form(video)
        and (video.width, video.height) == (rung.width, rung.height)
        and not timing.is_frozen
        and not timing.has_jumps
        and not timing.is_cut  # Copying would bring back what is left out.
        and output_rate(timing, max(LADDER)) is None
        and timing.mean_bits <= rung.max_bits
        and timing.peak_bits <= rung.max_bits * PEAK_FACTOR
        and longest <= MAX_COPIED_SEGMENT_S
        and bool(segments)
        and segments[0] - timing.start - timing.lead < 0.001
    )


def _has_web_form(video: VideoFacts) -> bool:
    return (
        video.codec == "h264"
        and video.profile in COPYABLE_PROFILES
        and video.pixel_format == "yuv420p"
        and video.has_closed_gops
        and video.has_square_pixels
        and not (video.is_rotated or video.is_interlaced or video.is_full_range or video.is_hdr)
    )


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
