"""What is known of a film's picture before it is planned: its size, colours and form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

# Values of ITU-T H.273, as the decoder reports them.
FULL_RANGE = 2
TRANSFER_PQ, TRANSFER_HLG = 16, 18
MATRIX_BT709, MATRIX_UNSPECIFIED, MATRIX_BT601, MATRIX_BT2020 = 1, 2, 6, 9
HD_HEIGHT = 720


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


def facts_of(stream: VideoStream, first: VideoFrame, *, has_closed_gops: bool) -> VideoFacts:
    """The facts of a stream, as its decoder reports them.

    Args:
        stream: The chosen one.
        first: Its first picture.
        has_closed_gops: What its key frames say.
    """
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
