"""Clips as cameras, editors and attackers make them, each odd in its own way, made on the spot."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

from tests.media.clips import h264, make_clip, picture, steady, tone

SECONDS = 2.0
HDR = ("-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc")
GIF_SIZE = 65535


def _plain(size: str, *, rate: str = "25", channels: int = 2) -> Callable[[Path], Path]:
    return lambda target: make_clip(
        target, *picture(size, SECONDS, rate), *tone(SECONDS, channels), *h264(), "-shortest"
    )


def _silent(size: str, *encoder: str) -> Callable[[Path], Path]:
    return lambda target: make_clip(target, *picture(size, SECONDS), *(encoder or h264()), "-an")


def _turned(size: str, *, sound_first: bool = False) -> Callable[[Path], Path]:
    """A picture that is to be turned by 90° when it is shown."""

    def make(target: Path) -> Path:
        flat = target.with_name(f"flat-{target.stem}.mp4")
        make_clip(flat, *picture(size, SECONDS), *tone(SECONDS), *h264(), "-shortest")
        streams = ["0:a", "0:v"] if sound_first else ["0:v", "0:a"]
        mapped = [part for stream in streams for part in ("-map", stream)]
        place = ("-metadata", "location=+31.2-121.5/")
        return make_clip(
            target, "-display_rotation", "90", "-i", str(flat), *mapped, "-c", "copy", *place
        )

    return make


def _webm(target: Path) -> Path:
    codecs = ("-c:v", "libvpx", "-b:v", "400k", "-c:a", "libvorbis", "-ac", "1")
    return make_clip(target, *picture("480x360", SECONDS), *tone(SECONDS), *codecs, "-shortest")


def _short_sound(target: Path) -> Path:
    """Sound that ends four seconds before its picture."""
    return make_clip(target, *picture("640x360", 6.0), *tone(SECONDS), *h264())


def _long_sound(size: str, seconds: float, *kept: str) -> Callable[[Path], Path]:
    """Sound that goes on after the last picture, until six seconds."""
    return lambda target: make_clip(
        target, *picture(size, seconds), *tone(6.0), *h264(25), "-bf", "2", *kept
    )


def _late_picture(size: str, late: float, *kept: str) -> Callable[[Path], Path]:
    """Sound that begins before the first picture; both end after six seconds."""
    moved = ["-itsoffset", f"{late}", *picture(size, 6.0 - late)]
    return lambda target: make_clip(target, *moved, *tone(6.0), *h264(25), "-bf", "2", *kept)


def _cut_without_encoding(target: Path) -> Path:
    """What lies before the cut is in the file; an edit list leaves it out of the film."""
    whole = target.with_name("whole.mp4")
    make_clip(whole, *picture("640x360", 8.0), *tone(8.0), *h264(125), "-bf", "2")
    return make_clip(target, "-ss", "3.32", "-i", str(whole), "-c", "copy")


def _hdr(target: Path) -> Path:
    """Ten bits of HDR10 whose pictures come at uneven times."""
    uneven = ("-vf", "select='not(eq(mod(n,5),3))'", "-fps_mode", "vfr", "-pix_fmt", "yuv420p10le")
    codec = ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error")
    colours = (*HDR, *codec, "-tag:v", "hvc1")
    return make_clip(target, *picture("1920x1080", 1.0, "30"), *uneven, *colours, "-an")


def _many_streams(target: Path) -> Path:
    """Two pictures, the second the larger, two sounds and two subtitle tracks."""
    words = target.with_name("words.srt")
    words.write_text("1\n00:00:00,200 --> 00:00:01,000\n海边\n", encoding="utf-8")
    inputs = [*picture("240x136", SECONDS), *picture("480x270", SECONDS), *tone(SECONDS)]
    files = ["-i", str(words), "-i", str(words)]
    maps = [
        part for stream in ("0:v", "1:v", "2:a", "2:a", "3:s", "4:s") for part in ("-map", stream)
    ]
    even = ["-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-c:s", "mov_text"]
    return make_clip(target, *inputs, *files, *maps, *h264(), *even)


# What a clip is called → how it is made.
ODD_CLIPS: dict[str, Callable[[Path], Path]] = {
    "phone_upright_height_1916.ts": _silent("1080x1916"),
    "plain_720p.mp4": _plain("1280x720"),
    "plain_540p.mp4": _plain("960x540"),
    "vp8_vorbis_mono.webm": _webm,
    "sixty_pictures_and_six_channels.mp4": _plain("1920x1080", rate="60", channels=6),
    "square_642_vp9.webm": _silent(
        "642x642", "-c:v", "libvpx-vp9", "-b:v", "400k", "-deadline", "realtime", "-cpu-used", "8"
    ),
    "turned_720p.mp4": _turned("1280x720"),
    "turned_sound_first.mov": _turned("568x320", sound_first=True),
    "hdr10_uneven.mp4": _hdr,
    "tiny_10x12.mp4": _silent("10x12"),
    "many_streams.mp4": _many_streams,
    "sound_ends_early.mp4": _short_sound,
    "sound_goes_on.mp4": _long_sound("640x360", SECONDS),
    "sound_goes_on_kept.mp4": _long_sound("640x360", 5.4, *steady(500)),
    "picture_comes_late.mp4": _late_picture("640x360", 1.6),
    "picture_comes_late_kept.mp4": _late_picture("640x360", 0.6, *steady(500)),
    "cut_without_encoding.mp4": _cut_without_encoding,
}


def _empty(target: Path) -> Path:
    target.touch()
    return target


def _text(target: Path) -> Path:
    target.write_text("#EXTM3U\nfile:///etc/passwd\n" * 50, encoding="utf-8")
    return target


def _gap(target: Path) -> Path:
    """Fifty pictures, of which the second half comes three hours late."""
    late = "setpts='if(gte(N,25),PTS+10800/TB,PTS)'"
    return make_clip(target, *picture("320x180", 2.0), "-vf", late, *h264(), "-fps_mode", "vfr")


def _truncated(target: Path) -> Path:
    whole = make_clip(
        target.with_name("whole.mp4"), *picture("640x360", 4.0), *h264(), "-movflags", "+faststart"
    )
    content = whole.read_bytes()
    target.write_bytes(content[: len(content) // 2])
    return target


def _huge_gif(target: Path) -> Path:
    """A picture that would take 12 GB when it is drawn."""
    screen = struct.pack("<HHBBB", GIF_SIZE, GIF_SIZE, 0x80, 0, 0) + bytes(6)
    image = b"," + struct.pack("<HHHHB", 0, 0, GIF_SIZE, GIF_SIZE, 0) + b"\x02\x02\x4c\x01\x00;"
    target.write_bytes(b"GIF89a" + screen + image)
    return target


HOSTILE_CLIPS: dict[str, Callable[[Path], Path]] = {
    "empty.mp4": _empty,
    "text.mp4": _text,
    "gap_of_three_hours.mp4": _gap,
    "half_of_it.mp4": _truncated,
    "gif_65535.gif": _huge_gif,
}
