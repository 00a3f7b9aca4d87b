"""How MediaCMS and PeerTube call the transcoder, as their published sources do, for a comparison.

MediaCMS 7 (`files/helpers.py`, `fixtures/encoding_profiles.json`, `cms/settings.py`): one run for
each active H.264 profile, preset medium, CRF 23. PeerTube 7 (`packages/ffmpeg`,
`packages/core-utils`): one run for each resolution, preset veryfast, x264's own CRF, and one more
that keeps the source's size. Only these runs are counted: their pictures, previews and packaging
come on top.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec

MEDIACMS_BITS = {144: 150, 240: 300, 360: 500, 480: 1000, 720: 2500, 1080: 4500}
MEDIACMS_FAST_BITS = {720: 3500, 1080: 7500}
MEDIACMS_ALWAYS = (144, 240)
MEDIACMS_KEY_S, MEDIACMS_PEAK = 4, 1.5
# Kilobits of 流影's first rung and of theirs are not the same: rungs are compared by their height.
PEERTUBE_SIDES = (144, 240, 360, 480, 720, 1080)
PEERTUBE_BITS_A_PIXEL = {
    144: 0.19,
    240: 0.17,
    360: 0.15,
    480: 0.12,
    720: 0.11,
    1080: 0.10,
}
PEERTUBE_AUDIO_KBIT = 256


class Source(msgspec.Struct, frozen=True):
    """A film to encode. Pixels as shown, pictures and bits a second."""

    path: Path
    width: int
    height: int
    rate: Fraction
    bits: int
    has_sound: bool

    @property
    def short_side(self) -> int:
        return min(self.width, self.height)


def mediacms(source: Source, folder: Path) -> dict[int, list[str]]:
    """Height → arguments, for every active profile that is not larger than the source."""
    is_fast = source.rate > 30
    commands = {}
    for side, ordinary in MEDIACMS_BITS.items():
        if source.height < side and side not in MEDIACMS_ALWAYS:
            continue
        peak = int(
            (MEDIACMS_FAST_BITS.get(side, ordinary) if is_fast else ordinary) * MEDIACMS_PEAK
        )
        wide, distance = round(side * 16 / 9), int(source.rate * MEDIACMS_KEY_S)
        scale = (
            rf"scale=if(lt(iw\,ih)\,{side}\,{wide}):if(lt(iw\,ih)\,{wide}\,{side})"
            ":force_original_aspect_ratio=decrease:force_divisible_by=2:flags=lanczos"
        )
        sound = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"] if source.has_sound else []
        commands[side] = [
            *(
                "-y",
                "-i",
                str(source.path),
                "-c:v",
                "libx264",
                "-filter:v",
                f"{scale},fps=fps={source.rate}",
            ),
            *(
                "-pix_fmt",
                "yuv420p",
                "-crf",
                "23",
                *sound,
                "-maxrate",
                f"{peak}k",
                "-bufsize",
                f"{peak}k",
            ),
            *("-force_key_frames", f"expr:gte(t,n_forced*{MEDIACMS_KEY_S})"),
            *(
                "-x264-params",
                f"keyint={distance * 2}:keyint_min={distance}",
                "-preset",
                "medium",
            ),
            *(
                "-profile:v",
                "main",
                "-level",
                "4.2",
                "-strict",
                "-2",
                str(folder / f"{side}.mp4"),
            ),
        ]
    return commands


def peertube(source: Source, folder: Path) -> dict[int, list[str]]:
    """Short side → arguments, for every resolution below the source's, and the source's own."""
    sides = [side for side in PEERTUBE_SIDES if side < source.short_side] + [source.short_side]
    ratio = max(source.width, source.height) / source.short_side
    commands = {}
    for side in sides:
        rate = round(min(source.rate, Fraction(60)))
        a_pixel = next(
            bits for least, bits in reversed(PEERTUBE_BITS_A_PIXEL.items()) if least <= side
        )
        limit = int(side * side * ratio * rate * a_pixel)
        limit = min(limit, int(source.bits * 1.3)) if source.bits else limit
        shape = f"w={side}:h=-2" if source.width < source.height else f"w=-2:h={side}"
        sound = [
            "-c:a",
            "aac",
            "-channel_layout",
            "stereo",
            "-b:a",
            f"{PEERTUBE_AUDIO_KBIT}k",
        ]
        commands[side] = [
            *(
                "-y",
                "-i",
                str(source.path),
                "-max_muxing_queue_size",
                "1024",
                "-map_metadata",
                "-1",
            ),
            *(
                "-pix_fmt",
                "yuv420p",
                "-vf",
                f"scale={shape}",
                "-c:v",
                "libx264",
                "-preset",
                "veryfast",
            ),
            *(
                "-maxrate:v",
                str(limit),
                "-bufsize:v",
                str(limit * 2),
                "-b_strategy",
                "1",
                "-bf",
                "16",
            ),
            *(
                "-r",
                str(rate),
                "-g:v",
                str(rate * 2),
                *(sound if source.has_sound else ["-an"]),
            ),
            *("-movflags", "faststart", "-f", "mp4", str(folder / f"{side}.mp4")),
        ]
    return commands
