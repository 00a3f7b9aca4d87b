"""Finding out what a file is before anything expensive or dangerous is done with it.

One pass over the packets tells more than the header: whether the file is complete, where its key
frames are, how its time runs. Only one picture is decoded, after its declared size was checked.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from liuying.kit.system_errors import reason_of
from liuying.media.audio_tracks import AudioTrack, choose_tracks
from liuying.media.errors import (
    EmptyFileError,
    NotVideoError,
    TooManyPixelsError,
    TooManyStreamsError,
    UndecodableError,
    UnreadableError,
)
from liuying.media.ffmpeg import DEMUXERS, MAX_PIXELS, MAX_STREAMS, PROBE_BYTES
from liuying.media.streams import choose_video
from liuying.media.subtitles import SubtitleTrack, tracks_of
from liuying.media.timing import Clock, PacketLog, Timing, refuse_what_cannot_be_whole

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.stream import Stream
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

OPEN_TIMEOUT_S = 20.0
# Ticks a second of a container's own times (`AV_TIME_BASE`).
TIME_BASE = 1_000_000
# Number of packets within which the first picture must be decoded.
DECODE_TRIES = 300
# Values of ITU-T H.273, as the decoder reports them.
FULL_RANGE = 2
TRANSFER_PQ, TRANSFER_HLG = 16, 18
MATRIX_BT709, MATRIX_UNSPECIFIED, MATRIX_BT601, MATRIX_BT2020 = 1, 2, 6, 9
HD_HEIGHT = 720
# Formats that are recorded and joined without regard for their clocks.
JUMPING_FORMATS = frozenset({"mpegts", "mpeg", "ogg"})
H264_IDR = 5
MAX_CHAPTERS = 200
# Formats with an index of key frames and a stored time for every picture, so that no reader
# guesses.
INDEXED_FORMATS = frozenset({"mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"})
# Decoders for which a key frame resets everything; of H.264 only streams that say so
# (`has_closed_gops`).
FORGETTING_CODECS = frozenset({"hevc", "vp8", "vp9", "av1", "libdav1d"})


class VideoFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The chosen video stream.

    Attributes:
        index: Its number in the file.
        codec: Decoder's name, `h264`.
        pixel_format: `yuv420p`.
        profile: `High`; empty if there is none.
        width: Pixels as displayed: upright, with square pixels.
        height: The same.
        is_rotated: The stored picture must be rotated.
        has_square_pixels: The stored pixels are square.
        is_interlaced: Two fields per picture.
        is_full_range: 0-255 instead of 16-235.
        is_hdr: PQ or HLG.
        matrix: H.273 matrix coefficients; unspecified ones are guessed by size, as players do.
        primaries: H.273 colour primaries; 2 if unspecified.
        has_closed_gops: Decoding may start at every key frame (H.264 IDR).
    """

    index: int
    codec: str
    pixel_format: str
    profile: str
    width: int
    height: int
    is_rotated: bool
    has_square_pixels: bool
    is_interlaced: bool
    is_full_range: bool
    is_hdr: bool
    matrix: int
    primaries: int
    has_closed_gops: bool

    @property
    def short_side(self) -> int:
        return min(self.width, self.height)


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that planning needs to know of a file.

    Attributes:
        video: The picture.
        audio_index: Index of the audio stream that plays first; None for a silent file.
        timing: How time runs in the picture stream.
        subtitles: Its text tracks.
        is_seekable: Decoding from any key frame gives the same pictures at the same times as from
            the start.
        chapters: Seconds from the file's start, and names as the file has them.
        audio_tracks: All audio tracks to publish, if there are several; otherwise empty.
        audio_left_out: Number of audio tracks beyond the limit.
    """

    video: VideoFacts
    audio_index: int | None
    timing: Timing
    subtitles: tuple[SubtitleTrack, ...] = ()
    is_seekable: bool = False
    chapters: tuple[tuple[float, str], ...] = ()
    audio_tracks: tuple[AudioTrack, ...] = ()
    audio_left_out: int = 0


def probe(source: Path) -> Probe:
    """Find out what a file is.

    Raises:
        MediaError: The file is refused; the subclass says why.
    """
    from av.error import FFmpegError

    try:
        size = source.stat().st_size
        if size == 0:
            raise EmptyFileError
        with _opened(source) as container:
            return _probe_container(container, size)
    except (PermissionError, FileNotFoundError, IsADirectoryError) as error:
        raise UnreadableError(reason_of(error)) from error
    except (FFmpegError, UnicodeError) as error:
        raise NotVideoError from error


def _opened(source: Path) -> InputContainer:
    import av

    return av.open(
        f"file:{source.absolute()}",
        mode="r",
        metadata_errors="replace",  # A title in a foreign encoding must not end the import.
        timeout=(OPEN_TIMEOUT_S, OPEN_TIMEOUT_S),
        options={
            "protocol_whitelist": "file",
            "format_whitelist": DEMUXERS,
            "max_streams": str(MAX_STREAMS),
            "probesize": str(PROBE_BYTES),
        },
    )


def _probe_container(container: InputContainer, size: int) -> Probe:
    if len(container.streams) > MAX_STREAMS:
        raise TooManyStreamsError(len(container.streams), MAX_STREAMS)
    stream = choose_video(list(container.streams.video))
    audio = choose_tracks(list(container.streams.audio))
    _refuse_pixels(stream)
    passed = _PacketPass(container, stream)
    passed.follow([container.streams[index] for index in audio.indices])
    timing = passed.log.summary(float(stream.average_rate or stream.guessed_rate or 0))
    timing = msgspec.structs.replace(timing, has_jumps=passed.has_jumps)
    timing = passed.log.with_sound(timing)
    declared = _declared_pictures(stream, size)
    declared_end = 0.0 if container.duration is None else container.duration / TIME_BASE
    refuse_what_cannot_be_whole(timing, passed.log, declared, declared_end)
    if passed.first is None:
        raise UndecodableError(stream.codec_context.name)
    facts = _video_facts(stream, passed.first, has_closed_gops=passed.has_closed_gops)
    subtitles = tracks_of(container.streams.subtitles)
    return Probe(
        video=facts,
        audio_index=audio.default,
        timing=timing,
        subtitles=subtitles,
        is_seekable=passed.is_exact and _is_indexed(container, facts),
        chapters=_chapters(container),
        audio_tracks=audio.tracks,
        audio_left_out=audio.left_out,
    )


def _chapters(container: InputContainer) -> tuple[tuple[float, str], ...]:
    origin = 0.0 if container.start_time is None else container.start_time / TIME_BASE
    found = []
    for one in container.chapters()[:MAX_CHAPTERS]:
        start = float(one["start"] * one["time_base"]) - origin if one["time_base"] else 0.0
        found.append((max(0.0, start), one["metadata"].get("title", "")))
    return tuple(found)


def _is_indexed(container: InputContainer, video: VideoFacts) -> bool:
    return (
        container.format.name in INDEXED_FORMATS
        # An unfinished recording has neither a duration nor an index: each seek would read
        # everything before it.
        and container.duration is not None
        and (video.has_closed_gops or video.codec in FORGETTING_CODECS)
    )


def _refuse_pixels(stream: VideoStream) -> None:
    context = stream.codec_context
    width, height = max(stream.width, context.coded_width), max(stream.height, context.coded_height)
    if width * height > MAX_PIXELS:
        raise TooManyPixelsError(width, height, MAX_PIXELS)
    if stream.width < 2 or stream.height < 2:
        raise UndecodableError(context.name)


class _PacketPass:
    """One pass over the packets of the chosen streams; it decodes until the first picture."""

    def __init__(self, container: InputContainer, stream: VideoStream) -> None:
        self._container = container
        self._stream = stream
        self._origin = 0.0 if container.start_time is None else container.start_time / TIME_BASE
        self._may_jump = container.format.name in JUMPING_FORMATS
        self._tries = DECODE_TRIES
        self.log = PacketLog()
        self.first: VideoFrame | None = None
        self.has_closed_gops = stream.codec_context.name == "h264"
        self.has_jumps = False
        # Every picture has a time, and no edit list leaves one out.
        self.is_exact = True

    def follow(self, sounds: list[Stream]) -> None:
        self._stream.codec_context.thread_count = 1
        chosen = [self._stream, *sounds]
        # Each stream's own clock: a jump first shows in one of them.
        clocks = {one.index: Clock(self._origin, may_jump=self._may_jump) for one in chosen}
        for packet in self._container.demux(*chosen):
            moment = clocks[packet.stream.index].moment_of(
                _seconds(packet, packet.pts), _seconds(packet, packet.dts)
            )
            if packet.stream is not self._stream:
                duration = _seconds(packet, packet.duration) or 0.0
                self.log.add_sound(moment, duration, is_left_out=packet.is_discard)
                continue
            if packet.size:
                self.log.add_picture(
                    moment, packet.size, packet.is_keyframe, is_left_out=packet.is_discard
                )
                self.is_exact = self.is_exact and packet.pts is not None and not packet.is_discard
                self._check_key_frame(packet)
            if self.first is None and self._tries > 0:
                self._decode(packet)
        self.has_jumps = any(clock.jumps for clock in clocks.values())

    def _decode(self, packet: Packet[Stream]) -> None:
        from av.error import InvalidDataError

        self._tries -= 1
        try:
            self.first = next(iter(self._stream.decode(packet)), None)
        except InvalidDataError:
            return
        if self.first is not None and self.first.width * self.first.height > MAX_PIXELS:
            raise TooManyPixelsError(self.first.width, self.first.height, MAX_PIXELS)

    def _check_key_frame(self, packet: Packet[Stream]) -> None:
        if self.has_closed_gops and packet.is_keyframe:
            extradata = self._stream.codec_context.extradata
            self.has_closed_gops = holds_idr(
                bytes(packet), is_length_prefixed=bool(extradata and extradata[0] == 1)
            )


def _seconds(packet: Packet[Stream], ticks: int | None) -> float | None:
    return None if ticks is None else float(ticks * packet.time_base)


def holds_idr(packet: bytes, *, is_length_prefixed: bool) -> bool:
    """Whether an H.264 access unit is an instantaneous decoder refresh (ITU-T H.264 §7.4.1.2.4).

    Args:
        packet: The access unit.
        is_length_prefixed: Its units have 4-byte lengths (MP4, Matroska) instead of start codes
            (TS).
    """
    position = 0
    while True:
        if is_length_prefixed:
            start = position + 4
            position = start + int.from_bytes(packet[position:start])
        else:
            found = packet.find(b"\x00\x00\x01", position)
            start = position = len(packet) if found < 0 else found + 3
        if start >= len(packet):
            return False
        if packet[start] & 0x1F == H264_IDR:
            return True


def _declared_pictures(stream: VideoStream, size: int) -> int:
    """Number of pictures that the index promises; 0 if the file is long enough for all of them.

    The count in the header is not used, since edit lists leave out pictures on purpose.
    """
    entries = stream.index_entries
    count = len(entries)
    if count == 0 or entries[count - 1].pos + entries[count - 1].size <= size:
        return 0
    return count


def _video_facts(stream: VideoStream, first: VideoFrame, *, has_closed_gops: bool) -> VideoFacts:
    context = stream.codec_context
    aspect = float(stream.sample_aspect_ratio or 1) or 1.0
    width, height = round(first.width * aspect), first.height
    quarter_turns = round(first.rotation / 90) % 4
    if quarter_turns % 2:
        width, height = height, width
    is_hdr = int(first.color_trc) in {TRANSFER_PQ, TRANSFER_HLG}
    matrix = int(first.colorspace)
    if matrix in {0, MATRIX_UNSPECIFIED}:
        usual = MATRIX_BT709 if min(width, height) >= HD_HEIGHT else MATRIX_BT601
        matrix = MATRIX_BT2020 if is_hdr else usual
    return VideoFacts(
        index=stream.index,
        codec=context.name,
        pixel_format=first.format.name,
        profile=stream.profile or "",
        width=max(2, width),
        height=max(2, height),
        is_rotated=quarter_turns != 0,
        has_square_pixels=aspect == 1.0,
        is_interlaced=first.interlaced_frame,
        is_full_range=int(first.color_range) == FULL_RANGE or first.format.name.startswith("yuvj"),
        is_hdr=is_hdr,
        matrix=matrix,
        primaries=int(first.color_primaries),
        has_closed_gops=has_closed_gops,
    )
