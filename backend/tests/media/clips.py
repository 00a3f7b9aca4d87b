"""Small clips made on the spot, so that these tests run wherever the transcoder does."""

from __future__ import annotations

import subprocess
from pathlib import Path

from liuying.media.ffmpeg import ffmpeg_binary
from liuying.media.plan import EncoderSettings

FAST = EncoderSettings(preset="ultrafast", refinements="", quality=30)


def make_clip(target: Path, *arguments: str) -> Path:
    """Run the transcoder with `arguments` and a small file as output."""
    command = [ffmpeg_binary(), "-hide_banner", "-loglevel", "error", "-y", *arguments, str(target)]
    subprocess.run(command, check=True, timeout=60)
    return target


def picture(size: str = "640x360", seconds: float = 3, rate: str = "25") -> list[str]:
    """Arguments of a moving test picture."""
    return ["-f", "lavfi", "-i", f"testsrc2=size={size}:duration={seconds}:rate={rate}"]


def tone(seconds: float = 3, channels: int = 2) -> list[str]:
    """Arguments of a sound."""
    layout = "stereo" if channels == 2 else "5.1"
    return [
        "-f",
        "lavfi",
        "-i",
        f"aevalsrc={'|'.join(['0.2*sin(440*2*PI*t)'] * channels)}:c={layout}:d={seconds}",
    ]


def sine(hertz: int, seconds: float) -> list[str]:
    """Arguments of a pure tone."""
    return ["-f", "lavfi", "-i", f"sine=frequency={hertz}:duration={seconds}"]


def h264(key_frames: int = 50) -> list[str]:
    """Arguments of a quick encoding with a key frame every so many pictures."""
    return [
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        "-pix_fmt",
        "yuv420p",
        "-g",
        str(key_frames),
        "-c:a",
        "aac",
    ]


def steady(kilobits: int) -> list[str]:
    """Arguments that hold an encoding near so many bits a second: its stream can be kept."""
    return [
        "-b:v",
        f"{kilobits}k",
        "-maxrate",
        f"{kilobits + 200}k",
        "-bufsize",
        f"{kilobits // 3}k",
    ]
