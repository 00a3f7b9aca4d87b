"""A segment's arrays as files that are mapped into memory (numpy's `.npy`, one for each array)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from liuying.features.search.postings import Array, Blocks, Postings
from liuying.features.search.segments import Segment
from liuying.features.search.title_places import TitlePlaces

PARTS = {"blocks": Blocks, "singles": Postings, "pairs": Postings, "titles": TitlePlaces}
WORDS_NAME = "common.words.json"


def write_texts(folder: Path, segment: Segment) -> None:
    """Write whatever never changes of a segment.

    Raises:
        OSError: The disk is full, or the folder not writable.
    """
    for name, array in _arrays(segment):
        np.save(folder / f"{name}.npy", array)
    words = [word.hex() for word in segment.common]
    (folder / WORDS_NAME).write_bytes(msgspec.json.encode(words))


def write_changes(folder: Path, segment: Segment) -> None:
    """Write the scores of its slots, and which texts still exist.

    Raises:
        OSError: As above.
    """
    np.save(folder / "scores.npy", segment.scores)
    np.save(folder / "is_there.npy", segment.is_there)


def map_texts(folder: Path, scores: Array, is_there: Array) -> Segment:
    """A segment whose arrays lie in files; `write_texts` wrote them.

    Raises:
        OSError: One of them is missing.
        ValueError: One of them is damaged.
    """
    parts = {
        part: kind(*(_mapped(folder, f"{part}.{field}") for field in kind.__struct_fields__))
        for part, kind in PARTS.items()
    }
    words = msgspec.json.decode((folder / WORDS_NAME).read_bytes(), type=list[str])
    ends, marks = _mapped(folder, "common.ends").tolist(), _mapped(folder, "common.marks")
    common = {
        bytes.fromhex(word): marks[start:end]
        for word, start, end in zip(words, [0, *ends], ends, strict=False)
    }
    return Segment(
        ids=_mapped(folder, "ids"),
        scores=scores,
        is_there=is_there,
        is_whole=bool(is_there.all()),
        common=common,
        **parts,
    )


def map_segment(texts: Path, changes: Path) -> Segment:
    """A segment from its texts in one folder and its changes in another.

    Raises:
        OSError: A file is missing.
        ValueError: A file is damaged.
    """
    return map_texts(texts, np.load(changes / "scores.npy"), np.load(changes / "is_there.npy"))


def size_of(segment: Segment) -> int:
    """Bytes of what `write_texts` writes."""
    return sum(array.nbytes for _, array in _arrays(segment))


def size_of_changes(segment: Segment) -> int:
    """Bytes of what `write_changes` writes."""
    return int(segment.scores.nbytes + segment.is_there.nbytes)


def _arrays(segment: Segment) -> Iterator[tuple[str, Array]]:
    yield "ids", segment.ids
    for part, kind in PARTS.items():
        for field in kind.__struct_fields__:
            yield f"{part}.{field}", getattr(getattr(segment, part), field)
    marks = list(segment.common.values())
    yield "common.ends", np.cumsum([len(one) for one in marks], dtype=np.int64)
    yield "common.marks", np.concatenate([np.zeros(0, np.int32), *marks])


def _mapped(folder: Path, name: str) -> Array:
    path = folder / f"{name}.npy"
    with path.open("rb") as file:
        # After the machine has started, the file is on the disk alone.
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)
    # A plain array: numpy's own kind for mapped ones makes each small step slower.
    return np.asarray(np.load(path, mmap_mode="r"))
