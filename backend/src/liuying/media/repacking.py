"""Renditions with a file for every segment, as versions before published them, become one file
each. Not a byte of picture or sound changes, and segments begin where they began.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path

from liuying.media.package import NAME_DIGITS
from liuying.media.packaged import (
    MediaPlaylist,
    Part,
    PlaylistError,
    Reader,
    is_whole,
    read_playlist,
)
from liuying.media.playlists import (
    KEYS_NAME,
    PLAYLIST_NAME,
    WITH_SOUND_NAME,
    key_playlist,
    media_playlist,
)
from liuying.media.segments import KeyFrame, Segment

TARGET = re.compile(r"^#EXT-X-TARGETDURATION:([0-9]{1,9})$", re.MULTILINE)
# A folder at the beginning of an address in a master playlist.
FOLDER = re.compile(r'^((?:#.*URI=")?(?:\.\./)?)([0-9A-Za-z_-]+)/', re.MULTILINE)


def repack(read: Reader, playlist: MediaPlaylist, folder: Path, moved: Mapping[str, str]) -> None:
    """Write a rendition as one file, with its playlists.

    Args:
        read: Reads it.
        playlist: Its media playlist.
        folder: An empty or new folder for the files.
        moved: New names of other renditions' folders, by old name.

    Raises:
        OSError: A part is missing, or the disk is full.
        PlaylistError: A playlist is not one of ours, or a file is cut off.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name, sizes = _written(read, playlist, folder)
    places = list(accumulate(sizes, initial=0))
    text = _text(read, PLAYLIST_NAME)
    target = TARGET.search(text)
    segments = [
        Segment(duration, size)
        for duration, size in zip(playlist.durations, sizes[1:], strict=True)
    ]
    written = media_playlist(name, sizes[0], segments, int(target[1]) if target else 0)
    (folder / PLAYLIST_NAME).write_text(written, encoding="utf-8")
    begins = dict(zip(playlist.segments, places[1:], strict=False))
    if (keys := _optional(read, KEYS_NAME)) is not None:
        found = _keys(read_playlist(keys), begins)
        (folder / KEYS_NAME).write_text(key_playlist(name, sizes[0], found), encoding="utf-8")
    if (master := _optional(read, WITH_SOUND_NAME)) is not None:
        (folder / WITH_SOUND_NAME).write_text(moved_master(master, moved), encoding="utf-8")


def moved_master(text: str, moved: Mapping[str, str]) -> str:
    """A master playlist whose renditions lie in other folders.

    Args:
        moved: Their new names, by old name.
    """
    return FOLDER.sub(lambda found: f"{found[1]}{moved.get(found[2], found[2])}/", text)


def _written(read: Reader, playlist: MediaPlaylist, folder: Path) -> tuple[str, list[int]]:
    """Write the file; its name, and the sizes of its initialization section and its segments."""
    draft, digest, sizes = folder / "draft", hashlib.sha256(), []
    with draft.open("wb") as whole:
        for part in (playlist.init, *playlist.segments):
            size = 0
            for piece in read(part):
                digest.update(piece)
                size += whole.write(piece)
            sizes.append(size)
    with draft.open("rb") as file:
        if not is_whole(lambda offset, length: os.pread(file.fileno(), length, offset), sum(sizes)):
            raise PlaylistError("a part is cut off")
    name = f"{digest.hexdigest()[:NAME_DIGITS]}.mp4"
    draft.rename(folder / name)
    return name, sizes


def _keys(keys: MediaPlaylist, begins: Mapping[Part, int]) -> list[KeyFrame]:
    """Key frames by their place in the one file."""
    found = []
    for part, duration in zip(keys.segments, keys.durations, strict=True):
        # They were named by their place in a segment's file; in one file, by that in it.
        begin = begins.get(Part(part.name), 0)
        if part.size is None:
            raise PlaylistError("a key frame without a range")
        found.append(KeyFrame(offset=begin + part.offset, size=part.size, duration=duration))
    return found


def _text(read: Reader, name: str) -> str:
    try:
        return b"".join(read(Part(name))).decode()
    except UnicodeDecodeError as error:
        raise PlaylistError("not text") from error


def _optional(read: Reader, name: str) -> str | None:
    """A playlist that not every rendition has."""
    try:
        return _text(read, name)
    except FileNotFoundError:
        return None
