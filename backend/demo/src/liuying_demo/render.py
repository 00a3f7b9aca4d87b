"""From scenes to source files: frames through the encoder once, shots joined without a second
encoding.
"""

from __future__ import annotations

import io
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from liuying.media.ffmpeg import ffmpeg_binary
from liuying_demo.scenes.film import FRAME_RATE, Scene, Stage
from liuying_demo.sound import Mood, ambient

# Drawing takes most of the time that a demo film costs, and it goes by the pixel.
LANDSCAPE = (960, 540)
PORTRAIT = (540, 960)
SHARP_LANDSCAPE = (1280, 720)
# What the importer passes through untouched: high profile, closed groups of 2 s, the second one
# after 1 s.
ENCODER = (
    *("-c:v", "libx264", "-preset", "superfast", "-profile:v", "high", "-bf", "0", "-crf", "25"),
    *(
        "-maxrate",
        "1500k",
        "-bufsize",
        "1500k",
        "-g",
        str(2 * FRAME_RATE),
        "-keyint_min",
        "10",
        "-sc_threshold",
        "0",
    ),
    *("-force_key_frames", "1", "-flags", "+cgop", "-threads", "1"),
    *(
        "-color_range",
        "tv",
        "-colorspace",
        "bt709",
        "-color_primaries",
        "bt709",
        "-color_trc",
        "bt709",
    ),
)


class RenderError(Exception):
    """The encoder ended with an error; the message holds its last words."""


@dataclass(frozen=True)
class Cut:
    """One shot of a film: a scene, how many seconds are drawn of it, and the seed of its chance."""

    scene: Scene
    seconds: float
    seed: int


@dataclass(frozen=True, kw_only=True)
class Film:
    """A video to be made.

    Attributes:
        cuts: Its shots. They are repeated in order until `seconds` are full.
        seconds: Its length, a multiple of the picture's duration.
        size: Width and height in pixels.
        mood: Its sound.
        seed: Of the sound.
        cover_at: Second of the first shot that is its cover.
    """

    cuts: Sequence[Cut]
    seconds: float
    size: tuple[int, int]
    mood: Mood
    seed: int
    cover_at: float = 1.6


def render(film: Film, folder: Path, name: str) -> tuple[Path, bytes]:
    """Make a film's file `{name}.mp4` in `folder`.

    Returns:
        The file, and its cover as JPEG.

    Raises:
        RenderError: The encoder failed.
        OSError: The disk is full or the folder not writable.
    """
    parts, cover = [], b""
    for number, cut in enumerate(film.cuts):
        part = folder / f"{name}.{number}.h264"
        picture = _encode(cut, film, part, film.cover_at if number == 0 else None)
        cover = cover or picture
        parts.append((part, round(cut.seconds * FRAME_RATE)))
    joined, sound = folder / f"{name}.h264", folder / f"{name}.wav"
    _join(parts, round(film.seconds * FRAME_RATE), joined)
    sound.write_bytes(ambient(film.mood, film.seconds, film.seed))
    target = folder / f"{name}.mp4"
    _run(
        *(
            "-r",
            str(FRAME_RATE),
            "-f",
            "h264",
            "-i",
            f"file:{joined.absolute()}",
            "-i",
            f"file:{sound.absolute()}",
        ),
        *(
            "-map",
            "0:v",
            "-map",
            "1:a",
            "-c:v",
            "copy",
            "-c:a",
            "aac",
            "-aac_coder",
            "fast",
            "-b:a",
            "96k",
        ),
        *("-t", f"{film.seconds:.2f}", "-movflags", "+faststart", f"file:{target.absolute()}"),
    )
    for path in (joined, sound, *(part for part, _frames in parts)):
        path.unlink(missing_ok=True)
    return target, cover


def stage_of(cut: Cut, size: tuple[int, int]) -> Stage:
    """The stage of a cut: same cut, same pictures."""
    return Stage(*size, cut.seconds, np.random.default_rng(cut.seed))


def still(cut: Cut, size: tuple[int, int], at: float, quality: int = 92) -> bytes:
    """One frame of a scene as JPEG."""
    buffer = io.BytesIO()
    cut.scene(stage_of(cut, size))(at).to_image().save(
        buffer, "JPEG", quality=quality, subsampling=0
    )
    return buffer.getvalue()


def _encode(cut: Cut, film: Film, target: Path, cover_at: float | None) -> bytes:
    """Draw a cut and encode it as a raw stream; returns the cover where one is asked for."""
    shot = cut.scene(stage_of(cut, film.size))
    width, height = film.size
    cover = io.BytesIO()
    command = [
        *(ffmpeg_binary(), "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p"),
        *("-s", f"{width}x{height}", "-r", str(FRAME_RATE), "-i", "pipe:0", *ENCODER),
        *("-f", "h264", f"file:{target.absolute()}"),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as encoder:
        if encoder.stdin is None or encoder.stderr is None:
            raise RenderError("the encoder has no pipes")
        try:
            for index in range(round(cut.seconds * FRAME_RATE)):
                frame = shot(index / FRAME_RATE)
                if cover_at is not None and index == round(cover_at * FRAME_RATE):
                    frame.to_image().save(cover, "JPEG", quality=94, subsampling=0)
                encoder.stdin.write(frame.to_bytes())
            encoder.stdin.close()
        except BrokenPipeError:
            pass  # the encoder said why: below
        except BaseException:
            encoder.kill()
            raise
        words = encoder.stderr.read().decode(errors="replace").strip()
        if encoder.wait() != 0:
            raise RenderError(words[-400:] or "the encoder ended without a word")
    return cover.getvalue()


def _join(parts: Sequence[tuple[Path, int]], frames: int, target: Path) -> None:
    """Put streams one after another, again and again, until there are enough frames."""
    with target.open("wb") as file:
        done = 0
        while done < frames:
            for part, length in parts:
                if done < frames:
                    file.write(part.read_bytes())
                    done += length


def _run(*arguments: str) -> None:
    result = subprocess.run(
        [ffmpeg_binary(), "-v", "error", "-nostdin", "-y", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if result.returncode != 0:
        raise RenderError(result.stderr.decode(errors="replace").strip()[-400:])
