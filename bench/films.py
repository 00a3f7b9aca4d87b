"""Films to measure with: the real clips in LIUYING_SAMPLES, and long ones put together from
them.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from liuying.media.ffmpeg import ffmpeg_binary

SAMPLES = Path(os.environ.get("LIUYING_SAMPLES", "samples"))
# Clips of different looks, shown in turn: a long film of real pictures.
SCENES = (
    "butterfly_720p_stereo.mp4",
    "bee_720p_stereo.mp4",
    "bbb_720p_aac51.mp4",
    "flower_540p_cc0.mp4",
)


def long_films(
    folder: Path, seconds: int, height: int, forms: Mapping[str, Sequence[str]]
) -> list[Path]:
    """A long film of real scenes, 16:9, 30 pictures a second, with sound, in each of some forms.

    Args:
        folder: Where they are written.
        seconds: How long they are.
        height: Pixels.
        forms: Name → encoder's arguments.
    """
    if not forms:
        return []
    inputs = [argument for name in SCENES for argument in ("-i", str(SAMPLES / name))]
    shaped = "".join(
        f"[{number}:v:0]scale={height * 16 // 9}:{height}:flags=bicubic,setsar=1,fps=30,format=yuv420p[v{number}];"
        f"[{number}:a:0]aresample=48000,aformat=channel_layouts=stereo[a{number}];"
        for number in range(len(SCENES))
    )
    pairs = "".join(f"[v{number}][a{number}]" for number in range(len(SCENES)))
    graph = f"{shaped}{pairs}concat=n={len(SCENES)}:v=1:a=1[v][a]"
    once = folder / "once.mp4"
    ffmpeg(
        [
            *inputs,
            "-filter_complex",
            graph,
            "-map",
            "[v]",
            "-map",
            "[a]",
            *x264("12", "600"),
            str(once),
        ]
    )
    films = []
    for name, form in forms.items():
        films.append(folder / f"{name}.mp4")
        # Between two rounds a picture is missing, as the sound lasts longer: shown again, or peers
        # that count pictures would be compared with others.
        steady = ("-vf", "fps=30")
        ffmpeg(
            [
                "-stream_loop",
                "-1",
                "-i",
                str(once),
                "-t",
                str(seconds),
                *steady,
                *form,
                str(films[-1]),
            ]
        )
    return films


def x264(quality: str, distance: str) -> list[str]:
    """Encoder's arguments of a source film: its quality, and the longest distance of key frames."""
    return [
        "-c:v",
        "libx264",
        "-preset",
        "veryfast",
        "-crf",
        quality,
        "-g",
        distance,
        "-c:a",
        "aac",
    ]


def ffmpeg(arguments: Sequence[str], level: str = "error") -> str:
    """Run the transcoder; returns what it said."""
    command = [
        ffmpeg_binary(),
        "-hide_banner",
        "-nostdin",
        "-loglevel",
        level,
        *arguments,
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr[-800:]}")
    return done.stderr
