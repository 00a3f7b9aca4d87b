"""Reading published renditions back: one file each, or a file for every segment, as versions before
wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from liuying.kit.object_store import CHUNK_BYTES, ObjectStore, opened
from liuying.media.playlists import PLAYLIST_NAME

MAP = re.compile(r'#EXT-X-MAP:URI="([^"]+)"(?:,BYTERANGE="([0-9@]+)")?')
DURATION = re.compile(r"#EXTINF:([0-9.]+)")
# Of a box with a long size.
HEADER_BYTES = 16
RANGE = re.compile(r"([0-9]{1,15})(?:@([0-9]{1,15}))?")


class PlaylistError(ValueError):
    """It is not a media playlist of ours."""


class Part(msgspec.Struct, frozen=True):
    """A part of a rendition.

    Attributes:
        name: The file, in the rendition's folder.
        offset: The part's first byte in it.
        size: Bytes; None for the rest of the file.
    """

    name: str
    offset: int = 0
    size: int | None = None

    @property
    def end(self) -> int | None:
        """Where it ends in the file; None for the file's own end."""
        return None if self.size is None else self.offset + self.size


class MediaPlaylist(msgspec.Struct, frozen=True, kw_only=True):
    """A media playlist.

    Attributes:
        init: The initialization section.
        segments: The segments, in order.
        durations: Seconds of each.
    """

    init: Part
    segments: tuple[Part, ...]
    durations: tuple[float, ...]

    @property
    def parts(self) -> list[Part]:
        """Everything in order; neighbours in one file are one part."""
        return _merged([self.init, *self.segments])

    @property
    def is_one_file(self) -> bool:
        """Whether everything lies in one file."""
        return all(one.name == self.init.name for one in self.segments)


# Reads a part of a rendition, piece by piece.
Reader = Callable[[Part], Iterable[bytes]]


def read_playlist(text: str) -> MediaPlaylist:
    """Read a media playlist that we wrote.

    Raises:
        PlaylistError: It names no initialization section or no segment, or a range is not one.
    """
    init: Part | None = None
    segments: list[Part] = []
    durations: list[float] = []
    asked = ""
    for line in text.splitlines():
        if (found := MAP.match(line)) is not None:
            init = _part(found[1], found[2] or "", None)
        elif (found := DURATION.match(line)) is not None:
            durations.append(float(found[1]))
        elif line.startswith("#EXT-X-BYTERANGE:"):
            asked = line.partition(":")[2]
        elif line and not line.startswith("#"):
            segments.append(_part(line, asked, segments[-1] if segments else None))
            asked = ""
    if init is None or not segments or len(segments) != len(durations):
        raise PlaylistError("no initialization section, no segment, or one without its duration")
    return MediaPlaylist(init=init, segments=tuple(segments), durations=tuple(durations))


def _part(name: str, asked: str, before: Part | None) -> Part:
    if not asked:
        return Part(name)
    found = RANGE.fullmatch(asked)
    if found is None:
        raise PlaylistError(f"range {asked}")
    if found[2] is not None:
        return Part(name, int(found[2]), int(found[1]))
    # Without an offset it follows the segment before (RFC 8216 §4.3.2.2).
    if before is None or before.name != name or before.end is None:
        raise PlaylistError("a range that follows nothing")
    return Part(name, before.end, int(found[1]))


def _merged(parts: Sequence[Part]) -> list[Part]:
    merged: list[Part] = []
    for part in parts:
        last = merged[-1] if merged else None
        if last is not None and last.name == part.name and last.end == part.offset:
            size = None if last.size is None or part.size is None else last.size + part.size
            merged[-1] = Part(part.name, last.offset, size)
        else:
            merged.append(part)
    return merged


def stored(objects: ObjectStore, folder: str) -> Reader:
    """A reader of the parts of a stored rendition.

    Reading raises `FileNotFoundError` where a part is missing, also when its file ends too early.

    Args:
        folder: The prefix of the rendition's keys, with a slash.
    """

    def read(part: Part) -> Iterator[bytes]:
        with opened(objects, folder + part.name) as found:
            place, end = part.offset, found.size if part.end is None else part.end
            while place < end:
                data = found.read(place, min(CHUNK_BYTES, end - place))
                if not data:
                    raise FileNotFoundError(f"{folder}{part.name} ends before {end}")
                yield data
                place += len(data)

    return read


def stored_playlist(read: Reader) -> MediaPlaylist:
    """A rendition's playlist.

    Raises:
        FileNotFoundError: It is missing.
        PlaylistError: It is not one of ours.
    """
    try:
        return read_playlist(b"".join(read(Part(PLAYLIST_NAME))).decode())
    except UnicodeDecodeError as error:
        raise PlaylistError("not text") from error


def is_whole(read: Callable[[int, int], bytes], size: int) -> bool:
    """Whether the boxes of an ISO media file end where the file ends (ISO/IEC 14496-12 §4.2).

    Args:
        read: Reads bytes of it, given offset and length.
        size: The file's.
    """
    place = 0
    while place < size:
        header = read(place, HEADER_BYTES)
        length = int.from_bytes(header[:4], "big")
        if length == 1:
            length = int.from_bytes(header[8:16], "big")
        if length == 0:  # Extends to the end of the file.
            return True
        if length < 8:
            return False
        place += length
    return place == size and size > 0


def join(read: Reader, target: Path) -> None:
    """Write a packaged rendition as the one file that it was packaged from.

    Raises:
        OSError: A part is missing, or the disk is full.
        PlaylistError: Its playlist is not one of ours.
    """
    parts = stored_playlist(read).parts
    with target.open("wb") as whole:
        for part in parts:
            whole.writelines(read(part))
