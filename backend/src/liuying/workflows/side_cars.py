"""What is beside a video and belongs to it: metadata, a cover, subtitles."""

from __future__ import annotations

from pathlib import Path

import msgspec

from liuying.kit.errors import InvalidInputError
from liuying.kit.files import read_at_most
from liuying.media.subtitles import MAX_TRACKS, GivenTrack, language_of_name
from liuying.media.webvtt import MAX_BYTES, SubtitleError, webvtt_of
from liuying.workflows.foreign_meta import read_info_json, read_nfo
from liuying.workflows.video_meta import GivenMeta, read_side_car

COVER_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
COVER_ENDINGS = ("", "-poster", "-thumb")
SUBTITLE_SUFFIXES = frozenset({".srt", ".vtt", ".ass", ".ssa"})
COVER_BYTES = 40 * 1024 * 1024


class Beside(msgspec.Struct, frozen=True):
    """What was found beside a video.

    Attributes:
        given: The metadata; ours (`clip.json`) over yt-dlp's (`clip.info.json`) over Kodi's
            (`clip.nfo`).
        cover: A picture that stands for it.
        tracks: The contents of subtitle files.
        subtitles: Names of ignored subtitle files, with the cause.
    """

    given: GivenMeta
    cover: Path | None
    tracks: tuple[GivenTrack, ...]
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
    tracks, left_out = _subtitles(source)
    return Beside(given.overruled_by(read_side_car(source)), _cover(source), tracks, left_out)


def read_cover(path: Path) -> bytes:
    """A cover's bytes.

    Raises:
        InvalidInputError: It cannot be read, or is too large.
    """
    return read_at_most(path, COVER_BYTES, "封面")


def _cover(source: Path) -> Path | None:
    names = (
        f"{source.stem}{ending}{suffix}" for ending in COVER_ENDINGS for suffix in COVER_SUFFIXES
    )
    return next((path for name in names if _is_file(path := source.with_name(name))), None)


def _subtitles(source: Path) -> tuple[tuple[GivenTrack, ...], list[str]]:
    """`clip.srt` and `clip.zh.srt` beside `clip.mp4`: the tracks, and the names of the others with
    what is wrong.
    """
    try:
        found = sorted(path for path in source.parent.iterdir() if _is_subtitle(path, source.stem))
    except OSError:
        return (), []
    tracks, refused = [], []
    for path in found:
        try:
            tracks.append(_track(path, path.stem[len(source.stem) + 1 :]))
        except (SubtitleError, InvalidInputError) as error:
            refused.append(f"{path.name}（{error.message}）")
    return tuple(tracks[:MAX_TRACKS]), refused


def _is_subtitle(path: Path, stem: str) -> bool:
    return (
        path.suffix.lower() in SUBTITLE_SUFFIXES
        and path.name.startswith(f"{stem}.")
        and _is_file(path)
    )


def _track(path: Path, said: str) -> GivenTrack:
    language = language_of_name(said)
    if language is None:
        raise SubtitleError("文件名里的语言无法识别")
    lang, label = language
    return GivenTrack(
        lang=lang, label=label, document=webvtt_of(read_at_most(path, MAX_BYTES, "字幕"))
    )


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
