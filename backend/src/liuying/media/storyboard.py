"""The storyboard: sheets of small pictures for seeking, and the WebVTT with their times.

Pure. Cues are addresses with `#xywh=` (W3C Media Fragments 1.0), relative to the document, so that
they work wherever an asset is published.
"""

from __future__ import annotations

import math
from pathlib import Path

import msgspec

from liuying.media.ladder import Rung

# Seconds between two pictures: the shortest interval that keeps a video within `MAX_PICTURES`.
# Renditions have a key frame every 2 s, and only those are decoded.
INTERVALS_S = (2, 4, 6, 10, 20, 30, 60)
MAX_PICTURES = 250
# Columns and rows of a sheet, which is loaded as a whole.
COLUMNS, ROWS = 5, 5
LONG_SIDE = 200
# Shorter videos need no storyboard.
LEAST_SECONDS = 4.0
# The transcoder's JPEG quantizer, 2 (best) to 31.
QUALITY = 6


class Storyboard(msgspec.Struct, frozen=True, kw_only=True):
    """The storyboard of one video.

    Attributes:
        interval: Seconds represented by one picture.
        count: Number of pictures.
        width: Of one picture, in pixels.
        height: The same.
        duration: Of the video, in seconds.
    """

    interval: int
    count: int
    width: int
    height: int
    duration: float

    @property
    def sheets(self) -> int:
        """Number of sheets."""
        return math.ceil(self.count / (COLUMNS * ROWS))


def storyboard_of(rung: Rung, duration: float) -> Storyboard | None:
    """The storyboard for a video; None if it is too short.

    Args:
        rung: The rendition to take it from.
        duration: Seconds.
    """
    if duration < LEAST_SECONDS:
        return None
    interval = next(
        (one for one in INTERVALS_S if duration / one <= MAX_PICTURES),
        math.ceil(duration / MAX_PICTURES),
    )
    scale = LONG_SIDE / max(rung.width, rung.height)
    return Storyboard(
        interval=interval,
        count=math.ceil(duration / interval),
        width=_even(rung.width * scale),
        height=_even(rung.height * scale),
        duration=duration,
    )


def sheet_arguments(storyboard: Storyboard, rung: Path, pattern: str) -> list[str]:
    """The transcoder's command line; it decodes only key frames.

    Args:
        storyboard: What to draw.
        rung: A rendition's file.
        pattern: Names of the sheets in the job folder, with `%d` for their number from 0.
    """
    filters = [
        # The last picture lasts until the end, so every cue has a picture.
        f"tpad=stop_mode=clone:stop_duration={storyboard.interval}",
        f"fps=1/{storyboard.interval}",
        f"scale={storyboard.width}:{storyboard.height}:flags=bicubic:out_range=pc",
        "setsar=1",
        f"tile={COLUMNS}x{ROWS}",
    ]
    return [
        *("-skip_frame", "nokey", "-i", f"file:{rung.absolute()}", "-map", "0:v:0", "-an"),
        *("-vf", ",".join(filters), "-frames:v", str(storyboard.sheets), "-pix_fmt", "yuvj420p"),
        *("-c:v", "mjpeg", "-q:v", str(QUALITY), "-map_metadata", "-1", "-fflags", "+bitexact"),
        *("-f", "image2", "-start_number", "0", f"file:{pattern}"),
    ]


def cues(storyboard: Storyboard, pattern: str) -> str:
    """The WebVTT document.

    Args:
        storyboard: The storyboard that was drawn.
        pattern: Names of the sheets beside the document, with `%d` for their number from 0.
    """
    blocks = ["WEBVTT"]
    for number in range(storyboard.count):
        sheet, place = divmod(number, COLUMNS * ROWS)
        row, column = divmod(place, COLUMNS)
        start = number * storyboard.interval
        end = min(start + storyboard.interval, storyboard.duration)
        area = (
            column * storyboard.width,
            row * storyboard.height,
            storyboard.width,
            storyboard.height,
        )
        address = f"{pattern % sheet}#xywh={','.join(map(str, area))}"
        blocks.append(f"{_clock(start)} --> {_clock(end)}\n{address}")
    return "\n\n".join(blocks) + "\n"


def _clock(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    minutes, milliseconds = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{milliseconds // 1000:02}.{milliseconds % 1000:03}"


def _even(pixels: float) -> int:
    return max(2, round(pixels / 2) * 2)
