"""The files of one encoded chunk: which there are, and whether they are what the plan says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from liuying.media import transcode
from liuying.media.chunks import Chunk, first_number
from liuying.media.errors import ChunkError
from liuying.media.ladder import Rung

# How many pictures of the source were damaged; not there where none was.
DAMAGE_NAME, NUMBER = "damaged", re.compile(rb"[0-9]{1,9}")


def are_chunk_files(names: AbstractSet[str], rungs: Sequence[Rung]) -> bool:
    """Whether a folder with these file names may contain a chunk: all renditions, and beside them
    only candidates for the cover and a note of damage.
    """
    beside = names - {transcode.rung_file(rung) for rung in rungs}
    return len(names) == len(beside) + len(rungs) and all(
        name == DAMAGE_NAME or transcode.PICTURE_NAME.fullmatch(name) for name in beside
    )


def check_chunk(folder: Path, chunk: Chunk, rungs: Sequence[Rung]) -> None:
    """Make sure that a folder contains a chunk.

    Raises:
        ChunkError: A rendition is no video or has other pictures, or the damage is no number.
    """
    from liuying.media.joining import count_pictures

    damaged_in(folder)
    for rung in rungs:
        found, expected = (
            count_pictures(folder / transcode.rung_file(rung)),
            pictures_of(chunk, rung),
        )
        if found < 1 or expected not in (None, found):
            raise ChunkError(f"{chunk.name}/{rung.name}: {found} != {expected}")


def damaged_in(folder: Path) -> int:
    """How many pictures of the source were damaged where a chunk was made of them.

    Raises:
        ChunkError: It does not say so with a number.
    """
    note = folder / DAMAGE_NAME
    if not note.exists():
        return 0
    if not NUMBER.fullmatch(said := note.read_bytes()):
        raise ChunkError(f"{folder.name}/{DAMAGE_NAME}")
    return int(said)


def pictures_of(chunk: Chunk, rung: Rung) -> int | None:
    """Number of a chunk's pictures in a rendition; None if only encoding can tell."""
    if rung.rate is None:
        return chunk.pictures
    if chunk.start is None or chunk.end is None:
        return None
    return first_number(chunk.end.moment, rung.rate) - first_number(chunk.start.moment, rung.rate)
