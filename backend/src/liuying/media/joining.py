"""Joining the chunks of a rendition: the same file as from one run, except for the bits inside the
pictures.

Every chunk uses the whole film's clock, so its pictures keep their times. Only the decoding times
are counted anew, because an encoder that begins in the middle rounds them differently.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import av
import av.error
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from liuying.media.errors import ChunkError
from liuying.media.timing import Timing
from liuying.media.transcode import FRAGMENTED


def count_pictures(chunk: Path) -> int:
    """Number of pictures in a chunk's file.

    Raises:
        ChunkError: It is no video.
    """
    try:
        with av.open(str(chunk)) as container:
            return container.streams.video[0].frames
    except (av.error.InvalidDataError, IndexError) as error:
        raise ChunkError(chunk.name) from error


def join_chunks(chunks: Sequence[Path], sound: Path | None, target: Path, timing: Timing) -> None:
    """Write one fragmented file.

    Args:
        chunks: Files of one rendition, in order.
        sound: A file with the sound; None for a silent video.
        target: The file to write; an existing one is overwritten.
        timing: The film's: its first and last picture may be shown longer than they say.

    Raises:
        ChunkError: They do not fit together.
        OSError: The disk is full.
    """
    try:
        with ExitStack() as stack:
            output = stack.enter_context(
                av.open(
                    str(target),
                    "w",
                    format="mp4",
                    options={"movflags": FRAGMENTED, "fflags": "+bitexact"},
                )
            )
            first = stack.enter_context(av.open(str(chunks[0])))
            pictures = output.add_stream_from_template(first.streams.video[0])
            pictures.time_base = first.streams.video[0].time_base
            begin = timing.start if timing.lead else None
            end = timing.end if timing.tail else None
            tracks = [held(_packets(chunks, pictures), begin, end)]
            if sound is not None:
                opened = stack.enter_context(av.open(str(sound)))
                tracks.append(
                    _sound_packets(opened, output.add_stream_from_template(opened.streams.audio[0]))
                )
            for packet in heapq.merge(*tracks, key=decoded_at):
                output.mux(packet)
    except (av.error.InvalidDataError, IndexError) as error:
        raise ChunkError(target.name) from error


def decoded_at(packet: Packet[Any]) -> float:
    """Seconds."""
    return float((packet.dts or 0) * packet.time_base)


def _packets(chunks: Sequence[Path], target: VideoStream) -> Iterator[Packet[Any]]:
    """All pictures in decoding order; decoding begins before presentation by as much as in the
    first chunk.
    """
    waiting: list[int] = []
    end = None
    for chunk in chunks:
        with av.open(str(chunk)) as container:
            stream = container.streams.video[0]
            if bytes(stream.codec_context.extradata or b"") != bytes(
                target.codec_context.extradata or b""
            ):
                raise ChunkError("the parameters of the encoding differ")
            times = [(packet.pts, packet.dts) for packet in container.demux(stream) if packet.size]
        shown = sorted(pts for pts, _ in times if pts is not None)
        if not shown or len(shown) < len(times) or (end is not None and shown[0] <= end):
            raise ChunkError("the times overlap")
        if end is None:
            waiting = [dts for _, dts in times if dts is not None and dts < shown[0]]
        waiting += shown
        end = shown[-1]
        # Read again instead of held in memory: a chunk may be long.
        with av.open(str(chunk)) as container:
            found = (
                packet for packet in container.demux(container.streams.video[0]) if packet.size
            )
            for packet, decoded in zip(found, waiting, strict=False):
                packet.dts = decoded
                packet.stream = target
                yield packet
        waiting = waiting[len(times) :]


def held(
    packets: Iterator[Packet[Any]], begin: float | None, end: float | None
) -> Iterator[Packet[Any]]:
    """Pictures with the first one shown from a given moment and the last one until another, as
    `media.transcode` does for a film in one piece.

    Args:
        packets: In decoding order.
        begin: Seconds; None if the first picture keeps its own time.
        end: Seconds; None if the last one does.
    """
    shift = None
    for packet in packets:
        clock = packet.time_base
        if shift is None:
            shift = (packet.pts or 0) - (packet.dts or 0)
            if begin is not None:
                packet.pts = round(begin / clock)
                packet.dts = packet.pts - shift
        if end is not None:
            # A fragmented file stores only the last of the durations.
            left = round(end / clock) - shift - (packet.dts or 0)
            packet.duration = max(packet.duration or 0, left)
        yield packet


def _sound_packets(container: InputContainer, target: AudioStream) -> Iterator[Packet[Any]]:
    for packet in container.demux(container.streams.audio[0]):
        if packet.size:
            packet.stream = target
            yield packet
