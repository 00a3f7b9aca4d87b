"""One pass over a file's packets: how its time runs, how its key frames are, its first picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liuying.media.errors import TooManyPixelsError
from liuying.media.ffmpeg import MAX_PIXELS
from liuying.media.timing import Clock, PacketLog

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.stream import Stream
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

# Ticks a second of a container's own times (`AV_TIME_BASE`).
TIME_BASE = 1_000_000
# Number of packets within which the first picture must be decoded.
DECODE_TRIES = 300
# Formats that are recorded and joined without regard for their clocks.
JUMPING_FORMATS = frozenset({"mpegts", "mpeg", "ogg"})
H264_IDR = 5


class PacketPass:
    """One pass over the packets of the chosen streams; it decodes until the first picture.

    Attributes:
        log: Times and sizes of the packets.
        first: The first picture; None if none could be decoded.
        has_closed_gops: All key frames are H.264 IDR.
        has_jumps: A stream's clock jumped.
        is_exact: Every picture has a time, and no edit list leaves one out.
    """

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
        self.is_exact = True

    def follow(self, sounds: list[Stream]) -> None:
        """Read all packets of the picture and of `sounds`.

        Raises:
            TooManyPixelsError: The first picture is larger than it was declared.
        """
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
