"""From the properties of a file to the renditions made of it: pure, and tested without a
transcoder.
"""

from __future__ import annotations

import math
from itertools import pairwise

import msgspec

from liuying.media.audio_tracks import AudioTrack
from liuying.media.chunks import Chunk, chunks_of
from liuying.media.ladder import (
    LADDER,
    Rung,
    below_source,
    ladder_of,
    output_rate,
    rate_factor,
    rung_of,
)
from liuying.media.probe import Probe
from liuying.media.segment_times import key_moments, segment_starts
from liuying.media.video_facts import VideoFacts

AUDIO_BITS = 128_000
# Longest segment of a copied rung: with longer ones it starts late or seeks badly.
MAX_COPIED_SEGMENT_S = 4.0
# The peak of a copied stream may exceed its rung's mean limit by this factor.
PEAK_FACTOR = 1.5
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
    rungs = [rung_of(probe, side) for side in sides]
    cuts: tuple[float, ...] = ()
    top = rungs[-1]
    if can_copy(probe, top):
        rungs = [below_source(rung, probe) for rung in rungs[:-1]]
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
