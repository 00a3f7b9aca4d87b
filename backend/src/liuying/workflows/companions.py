"""Which files of a folder belong to a video, by the names that Kodi, Jellyfin, Emby and yt-dlp give
them.

Names alone are looked at here; what the files say is read in `workflows.side_cars`. Links are
passed over, as among videos.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

VIDEO_SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ts", ".m2ts", ".mts", ".flv", ".f4v"}
    | {".wmv", ".asf", ".mpg", ".mpeg", ".vob", ".ogv", ".ogm", ".3gp", ".3g2", ".qt"}
)
# What lies beside videos and is none, or is no whole video yet: not worth a line of refusal.
COMPANION_SUFFIXES = frozenset(
    {".json", ".nfo", ".txt", ".md", ".srt", ".ass", ".ssa", ".vtt", ".jpg", ".jpeg", ".png"}
    | {".webp", ".url", ".csv", ".jsonl", ".part", ".ytdl", ".crdownload", ".download", ".tmp"}
    | {".aria2", ".description", ".xml", ".idx", ".sub", ".sup", ".lrc", ".smi", ".sbv", ".ttml"}
    | {".srv1", ".srv2", ".srv3", ".json3", ".tbn", ".bif", ".torrent", ".nzb", ".sfv", ".md5"}
    | {".sha1", ".sha256", ".par2", ".log", ".db", ".ini", ".html", ".htm", ".avif", ".heic"}
    | {".annotations"}
)
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".tbn")
SUBTITLE_SUFFIXES = (".srt", ".vtt", ".ass", ".ssa")
# Endings of a picture with the video's name, and names of pictures in a folder with one video; the
# best first. Wide pictures last: they show a scene, and not the film.
OWN_PICTURES = ("", "-poster", "-cover", "-thumb")
FOLDER_PICTURES = ("poster", "folder", "cover", "movie", "default")
OWN_BACKGROUNDS = ("-landscape", "-fanart", "-backdrop")
FOLDER_BACKGROUNDS = ("landscape", "fanart", "backdrop", "thumb")
SUBTITLE_FOLDERS = frozenset({"subs", "sub", "subtitles", "字幕"})


class Companions(msgspec.Struct, frozen=True, kw_only=True):
    """The files that belong to a video, by what they may hold.

    Attributes:
        nfo: Descriptions of Kodi and Jellyfin; the later one counts more.
        info: yt-dlp's; None where there is none.
        description: yt-dlp's text; None where there is none.
        covers: Pictures, the best first.
        subtitles: Subtitle files with what their names say beside the video's.
    """

    nfo: tuple[Path, ...] = ()
    info: Path | None = None
    description: Path | None = None
    covers: tuple[Path, ...] = ()
    subtitles: tuple[tuple[Path, str], ...] = ()


def companions_of(source: Path) -> Companions:
    """What lies beside a video and belongs to it."""
    folder = _Folder(source.parent)
    stem, is_alone = source.stem, folder.has_one_video
    nfo = [folder.file("movie.nfo")] if is_alone else []
    nfo.append(folder.file(f"{stem}.nfo"))
    own = [f"{stem}{ending}" for ending in OWN_PICTURES]
    own_wide = [f"{stem}{ending}" for ending in OWN_BACKGROUNDS]
    names = [
        *own,
        *(FOLDER_PICTURES if is_alone else ()),
        *own_wide,
        *(FOLDER_BACKGROUNDS if is_alone else ()),
    ]
    covers = [folder.file(f"{name}{suffix}") for name in names for suffix in PICTURE_SUFFIXES]
    return Companions(
        nfo=tuple(one for one in nfo if one is not None),
        info=folder.file(f"{stem}.info.json"),
        description=folder.file(f"{stem}.description"),
        covers=tuple(one for one in covers if one is not None),
        subtitles=tuple(_subtitles(source, folder)),
    )


def _subtitles(source: Path, folder: _Folder) -> Iterator[tuple[Path, str]]:
    """`clip.zh.srt` beside `clip.mp4` and in `Subs/`; of one video alone, all that lie in `Subs/`
    and in `Subs/clip/`.
    """
    stem = source.stem
    yield from _named(folder, stem)
    for name in folder.folders:
        if name.lower() not in SUBTITLE_FOLDERS:
            continue
        inside = _Folder(source.parent / name)
        yield from _named(inside, stem)
        if folder.has_one_video:
            yield from _others(inside, stem)
        if stem in inside.folders:
            yield from _others(_Folder(source.parent / name / stem), stem)


def _named(folder: _Folder, stem: str) -> Iterator[tuple[Path, str]]:
    for path in folder.files:
        if path.suffix.lower() in SUBTITLE_SUFFIXES and path.name.startswith(f"{stem}."):
            yield path, path.stem[len(stem) + 1 :]


def _others(folder: _Folder, stem: str) -> Iterator[tuple[Path, str]]:
    """`2_English.srt`, `zh.ass`: the number only orders them."""
    for path in folder.files:
        if path.suffix.lower() in SUBTITLE_SUFFIXES and not path.name.startswith(f"{stem}."):
            number, _, rest = path.stem.partition("_")
            yield path, rest if number.isdigit() and rest else path.stem


class _Folder:
    """Files and folders of a folder, sorted; names are found whatever their case."""

    def __init__(self, place: Path) -> None:
        try:
            found = sorted(place.iterdir())
        except OSError:
            found = []
        self.files = [one for one in found if one.is_file() and not one.is_symlink()]
        self.folders = [one.name for one in found if one.is_dir() and not one.is_symlink()]
        self._by_name = {one.name.lower(): one for one in self.files}

    @property
    def has_one_video(self) -> bool:
        """Whether what has no video's name belongs to one."""
        return sum(one.suffix.lower() in VIDEO_SUFFIXES for one in self.files) == 1

    def file(self, name: str) -> Path | None:
        return self._by_name.get(name.lower())
