"""What lies beside a video and belongs to it: descriptions, a cover, subtitles, as they are read.

A file that another program wrote never keeps the video out: what cannot be read is a warning. The
installation's own `clip.json` is the operator's word, and refused where it is wrong.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from liuying.kit.errors import InvalidInputError
from liuying.kit.files import read_at_most
from liuying.kit.texts import clean_lines
from liuying.media.cover import open_picture
from liuying.media.errors import PictureError
from liuying.media.subtitles import MAX_TRACKS, GivenTrack, named_track
from liuying.media.webvtt import MAX_BYTES, SubtitleError, webvtt_of
from liuying.workflows.companions import Companions, companions_of
from liuying.workflows.foreign_meta import read_description, read_info_json, read_nfo
from liuying.workflows.video_meta import GivenMeta, read_side_car

COVER_BYTES = 40 * 1024 * 1024


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """What was found beside a video.

    Attributes:
        given: What the descriptions say; ours (`clip.json`) over yt-dlp's (`clip.info.json`)
            over Kodi's (`clip.nfo`, `movie.nfo`); `clip.description` where none has one.
        cover: A picture that stands for it.
        tracks: The contents of subtitle files.
        subtitles: Names of ignored subtitle files, with the cause.
        warnings: What else could not be read, a sentence each.
        files: All of them that were looked at, whatever became of them.
    """

    given: GivenMeta = GivenMeta()
    cover: bytes | None = None
    tracks: tuple[GivenTrack, ...] = ()
    subtitles: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    files: frozenset[Path] = frozenset()


def look_beside(source: Path) -> Beside:
    """Read what lies beside a video.

    Raises:
        InvalidInputError: `clip.json` cannot be read, or is wrong; the message names it.
    """
    found = companions_of(source)
    own = read_side_car(source)
    given, warnings = _descriptions(found)
    cover, cover_warnings = _cover(found)
    tracks, left_out = _tracks(found)
    return Beside(
        given=given.overruled_by(own),
        cover=cover,
        tracks=tracks,
        subtitles=tuple(left_out),
        warnings=(*warnings, *cover_warnings),
        files=_files_of(source, found),
    )


def files_beside(source: Path) -> frozenset[Path]:
    """The files beside a video that are looked at, even if one of them refuses it."""
    return _files_of(source, companions_of(source))


def _files_of(source: Path, found: Companions) -> frozenset[Path]:
    files = {*found.nfo, *found.covers, *(path for path, _ in found.subtitles)}
    files |= {one for one in (found.info, found.description) if one is not None}
    return frozenset({*files, source.with_suffix(".json")})


def read_cover(path: Path) -> bytes:
    """A cover's bytes.

    Raises:
        InvalidInputError: It cannot be read, or is too large.
    """
    return read_at_most(path, COVER_BYTES, "封面")


def _descriptions(found: Companions) -> tuple[GivenMeta, list[str]]:
    given, warnings = GivenMeta(), []
    readers = [(path, read_nfo) for path in found.nfo]
    readers += [(path, read_info_json) for path in (found.info,) if path is not None]
    for path, read in readers:
        try:
            given = given.overruled_by(read(path))
        except InvalidInputError as error:
            warnings.append(error.message)
        except ValueError:  # a value that nobody thought of
            warnings.append(f"说明文件 {path.name} 里有无法理解的内容，没有采用")
    if found.description is not None and given.description is None:
        try:
            text = clean_lines(read_description(found.description))
            given = msgspec.structs.replace(given, description=text or None)
        except InvalidInputError as error:
            warnings.append(error.message)
        except ValueError:
            warnings.append(f"说明文件 {found.description.name} 里有无法理解的内容，没有采用")
    return given, warnings


def _cover(found: Companions) -> tuple[bytes | None, list[str]]:
    """The best picture that can be read, and what is wrong with better ones."""
    warnings = []
    for path in found.covers:
        try:
            content = read_cover(path)
            open_picture(content)
        except (InvalidInputError, PictureError) as error:
            warnings.append(
                error.message if path.name in error.message else f"{path.name}：{error.message}"
            )
        else:
            return content, warnings
    return None, warnings


def _tracks(found: Companions) -> tuple[tuple[GivenTrack, ...], list[str]]:
    """The tracks, and the names of the other files with what is wrong."""
    tracks: list[GivenTrack] = []
    refused, seen = [], dict[tuple[Path, str], str]()
    for path, said in sorted(found.subtitles, key=lambda one: _preference(one[0])):
        twin = seen.get((path.parent, path.stem))
        if twin is not None:  # the same words in two forms
            refused.append(f"{path.name}（与 {twin} 是同一字幕）")
            continue
        try:
            tracks.append(_track(path, said))
            seen[path.parent, path.stem] = path.name
        except (SubtitleError, InvalidInputError) as error:
            refused.append(f"{path.name}（{error.message}）")
    return tuple(tracks[:MAX_TRACKS]), sorted(refused)


def _preference(path: Path) -> tuple[Path, str, bool, str]:
    """In the order of names; of one name that which loses nothing on the way to WebVTT first."""
    is_styled = path.suffix.lower() in {".ass", ".ssa"}
    return (path.parent, path.stem, is_styled, path.suffix)


def _track(path: Path, said: str) -> GivenTrack:
    named = named_track(said)
    if named is None:
        raise SubtitleError("文件名里的语言无法识别")
    return GivenTrack(
        lang=named.lang,
        label=named.label,
        document=webvtt_of(read_at_most(path, MAX_BYTES, "字幕")),
    )
