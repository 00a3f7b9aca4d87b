"""Published renditions whose picture and sound do not begin and end together: detected in their
bytes, and mended without encoding a picture again.

A player that has pictures but no sound left waits for sound for ever; one that has sound but no
pictures left reports another duration than the playlist.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import av
import av.error
import msgspec
import numpy as np
from av.audio.codeccontext import AudioCodecContext
from av.audio.frame import AudioFrame
from av.packet import Packet
from av.stream import Stream

from liuying.media.boxes import BoxError, TrackSpan, track_spans
from liuying.media.joining import decoded_at, held
from liuying.media.plan import AUDIO_BITS
from liuying.media.timing import SLACK_S
from liuying.media.transcode import FRAGMENTED

# Seconds. Sound that ends before the picture stops players; other differences give a wrong
# duration.
SHORT_SOUND_S, LONG_SOUND_S, LATE_PICTURE_S = 0.1, 0.5, 0.5
# The format of our own sound (`media.transcode`): AAC-LC, stereo.
SOUND_RATE, FRAME_SAMPLES = 48_000, 1024
# An encoder's first frames are its priming.
SETTLED_FRAME = 4


class Extent(msgspec.Struct, frozen=True, kw_only=True):
    """When a rendition's picture and sound begin and end, in seconds on its own clock.

    Attributes:
        picture: Of the pictures.
        sound: Of the sound; None for a silent film.
    """

    picture: TrackSpan
    sound: TrackSpan | None

    @property
    def is_uneven(self) -> bool:
        """Whether mending is worthwhile."""
        if self.sound is None:
            return False
        longer = self.sound.end - self.picture.end
        return (
            longer < -SHORT_SOUND_S
            or longer > LONG_SOUND_S
            or self.picture.start - self.sound.start > LATE_PICTURE_S
        )

    @property
    def end(self) -> float:
        """When the mended film ends."""
        return max(self.picture.end, self.picture.end if self.sound is None else self.sound.end)


def extent_of(init: bytes, segments: Sequence[bytes]) -> Extent | None:
    """Where a rendition's tracks begin and end.

    Args:
        init: Its initialisation section.
        segments: Its first and last segments, or all of them.

    Returns:
        None if they do not have the form that we write.
    """
    try:
        spans = track_spans(init, segments)
    except (BoxError, ValueError, IndexError, StopIteration):
        return None
    pictures = [span for is_video, span in spans if is_video]
    sounds = [span for is_video, span in spans if not is_video]
    if len(pictures) != 1 or len(sounds) > 1:
        return None
    return Extent(picture=pictures[0], sound=sounds[0] if sounds else None)


def mend(source: Path, extent: Extent, target: Path) -> None:
    """Write a rendition again: its pictures from 0 to the film's end, and silence after its sound.

    Pictures and sound are copied unchanged.

    Args:
        source: Its fragmented file (`media.package.join`).
        extent: Where its tracks begin and end.
        target: What is written.

    Raises:
        BoxError: It is not of the form that we write.
        OSError: The disk is full.
    """
    try:
        with ExitStack() as stack:
            opened = stack.enter_context(av.open(str(source)))
            options = {"movflags": FRAGMENTED, "fflags": "+bitexact"}
            output = stack.enter_context(av.open(str(target), "w", format="mp4", options=options))
            pictures, sound = opened.streams.video[0], opened.streams.audio[0]
            shown = output.add_stream_from_template(pictures)
            shown.time_base = pictures.time_base
            heard = output.add_stream_from_template(sound)
            again = stack.enter_context(av.open(str(source)))
            begin = 0.0 if extent.picture.start > SLACK_S else None
            tracks = [
                held(_pictures(opened, shown, extent.picture.start), begin, extent.end),
                _sound(again, heard, extent.end),
            ]
            for packet in heapq.merge(*tracks, key=decoded_at):
                output.mux(packet)
    except (av.error.InvalidDataError, IndexError) as error:
        raise BoxError(source.name) from error


def _pictures(opened: Any, target: Stream, start: float) -> Iterator[Packet[Any]]:
    """Pictures at their own times: the reader shifts those of fragmented files by their decoding
    delay.
    """
    shift = None
    for packet in opened.demux(opened.streams.video[0]):
        if not packet.size:
            continue
        if shift is None:
            shift = round(start / packet.time_base) - packet.pts
        packet.pts += shift
        packet.dts += shift
        packet.stream = target
        yield packet


def _sound(opened: Any, target: Stream, end: float) -> Iterator[Packet[Any]]:
    """The sound, then silence until an end in seconds."""
    following, clock = 0, None
    for packet in opened.demux(opened.streams.audio[0]):
        if packet.size:
            following, clock = packet.pts + packet.duration, packet.time_base
            packet.stream = target
            yield packet
    silence = _silent_frame()
    while clock is not None and (following + FRAME_SAMPLES) * clock <= end + SLACK_S:
        packet = Packet(silence)
        packet.pts = packet.dts = following
        packet.duration, packet.time_base, packet.stream = FRAME_SAMPLES, clock, target
        following += FRAME_SAMPLES
        yield packet


def _silent_frame() -> bytes:
    """A repeatable frame of silence."""
    encoder = AudioCodecContext.create("aac", "w")
    encoder.rate, encoder.layout, encoder.format = SOUND_RATE, "stereo", "fltp"
    encoder.bit_rate = AUDIO_BITS
    packets = []
    for number in range(SETTLED_FRAME + 2):
        frame = AudioFrame.from_ndarray(
            np.zeros((2, FRAME_SAMPLES), np.float32), format="fltp", layout="stereo"
        )
        frame.rate, frame.pts = SOUND_RATE, number * FRAME_SAMPLES
        packets += encoder.encode(frame)
    return bytes(packets[SETTLED_FRAME])
