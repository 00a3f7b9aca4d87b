"""What lies beside a video and belongs to it: descriptions, a cover, subtitles."""

from __future__ import annotations

from pathlib import Path

import msgspec

from liuying.kit.files import read_at_most
from liuying.workflows.foreign_meta import read_info_json, read_nfo
from liuying.workflows.video_meta import GivenMeta, read_side_car

COVER_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
COVER_ENDINGS = ("", "-poster", "-thumb")
SUBTITLE_SUFFIXES = frozenset({".srt", ".vtt", ".ass", ".ssa"})
COVER_BYTES = 40 * 1024 * 1024


class Beside(msgspec.Struct, frozen=True):
    """What was found beside a video.

    Attributes:
        given: What the descriptions say; ours (`clip.json`) over yt-dlp's (`clip.info.json`) over Kodi's (`clip.nfo`).
        cover: A picture that stands for it.
        subtitles: Names of subtitle files.
    """

    given: GivenMeta
    cover: Path | None
    subtitles: list[str]


def look_beside(source: Path) -> Beside:
    """Read what lies beside a video. Links are passed over, as in folders.

    Raises:
        InvalidInputError: A description cannot be read; the message names it.
    """
    given = GivenMeta()
    if _is_file(nfo := source.with_suffix(".nfo")):
        given = read_nfo(nfo)
    if _is_file(info := source.with_suffix(".info.json")):
        given = given.overruled_by(read_info_json(info))
    return Beside(given.overruled_by(read_side_car(source)), _cover(source), _subtitles(source))


def read_cover(path: Path) -> bytes:
    """A cover's bytes.

    Raises:
        InvalidInputError: It cannot be read, or is too large.
    """
    return read_at_most(path, COVER_BYTES, "封面")


def _cover(source: Path) -> Path | None:
    names = (f"{source.stem}{ending}{suffix}" for ending in COVER_ENDINGS for suffix in COVER_SUFFIXES)
    return next((path for name in names if _is_file(path := source.with_name(name))), None)


def _subtitles(source: Path) -> list[str]:
    """`clip.srt` and `clip.zh.srt` beside `clip.mp4`."""
    try:
        names = sorted(entry.name for entry in source.parent.iterdir())
    except OSError:
        return []
    return [
        name for name in names if Path(name).suffix.lower() in SUBTITLE_SUFFIXES and name.startswith(f"{source.stem}.")
    ]


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
