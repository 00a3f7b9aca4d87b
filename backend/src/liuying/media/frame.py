"""One picture of a film, decoded from a short piece of a rendition."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from liuying.media import ffmpeg
from liuying.media.errors import MediaError, TranscoderError
from liuying.media.packaged import MediaPlaylist, Part

if TYPE_CHECKING:
    from PIL import Image

# A piece is a few seconds long; whatever takes longer is not one of ours.
TIMEOUT_S = 20.0
# An uncompressed picture of the largest rendition takes a third of it.
MAX_BYTES = 32 * 1024 * 1024
FRAME_NAME = "frame.png"
# The last picture of a piece begins before the piece ends.
STEP_BACK_S = 0.5


class NoFrameError(MediaError):
    """No picture could be decoded."""

    def __init__(self) -> None:
        super().__init__("这一刻的画面取不出来，请换一个时间")


def segment_at(playlist: MediaPlaylist, moment: float) -> tuple[Part, float]:
    """Which segment of a rendition shows a moment, and how many seconds from its beginning.

    Args:
        moment: Seconds from the film's first picture; beyond the end it is the last segment.
    """
    start = 0.0
    for segment, duration in zip(playlist.segments[:-1], playlist.durations, strict=False):
        if moment < start + duration:
            return segment, max(0.0, moment - start)
        start += duration
    return playlist.segments[-1], max(0.0, moment - start)


def frame_arguments(piece: Path, offset: float) -> list[str]:
    """The transcoder's command line.

    Args:
        piece: The first bytes of a rendition and one or more of its segments, as one file.
        offset: Seconds from its first picture.
    """
    return [
        *ffmpeg.input_arguments(piece, before=("-ss", f"{offset:.3f}")),
        *("-map", "0:v:0", "-an", "-frames:v", "1", "-map_metadata", "-1"),
        *("-c:v", "png", "-f", "image2", "-update", "1", f"file:{FRAME_NAME}"),
    ]


def decode_frame(piece: bytes, offset: float) -> Image.Image:
    """What a piece shows at a moment, or shortly before.

    Args:
        piece: The first bytes of a rendition and one or more of its segments.
        offset: Seconds from its first picture.

    Raises:
        NoFrameError: There is none.
        MediaError: The transcoder could not be run, or took too long.
    """
    from PIL import Image

    with TemporaryDirectory(prefix="liuying-frame-") as scratch:
        folder = Path(scratch)
        source = folder / "piece.mp4"
        source.write_bytes(piece)
        for moment in (offset, offset - STEP_BACK_S, 0.0):
            if (target := _drawn(source, max(0.0, moment))) is not None:
                with Image.open(target, formats=["PNG"]) as picture:
                    return picture.convert("RGB")
    raise NoFrameError


def _drawn(source: Path, offset: float) -> Path | None:
    """The picture's file; None where the piece has no picture any more."""
    job = ffmpeg.Job(
        arguments=frame_arguments(source, offset),
        folder=source.parent,
        duration=0,
        timeout=TIMEOUT_S,
        output_bytes=MAX_BYTES,
        accepts_damage=True,
    )
    try:
        ffmpeg.run(job)
    except TranscoderError:
        # Beyond the last picture some versions fail. From the start there must be one.
        if offset == 0:
            raise
    target = source.parent / FRAME_NAME
    return target if target.exists() and target.stat().st_size else None
