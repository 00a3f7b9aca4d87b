"""The folder of saved texts: what lies in it, and writing it so that nothing half-written counts.

A `base` folder holds the segments that were read at once and never changes. A `state` folder holds
what has changed of them up to one change. Both are written under other names, synced and then
renamed. Who has mapped a file keeps it when it is removed.
"""

from __future__ import annotations

import secrets
import shutil
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from liuying.features.search.segment_files import (
    map_segment,
    map_texts,
    size_of,
    size_of_changes,
    write_changes,
    write_texts,
)
from liuying.features.search.segments import Segment
from liuying.kit.files import sync_folder, sync_tree
from liuying.kit.freed_memory import give_memory_back
from liuying.kit.storage_layout import LOCK_NAME

# Another number where what the files hold gets another meaning. Which characters titles begin with
# depends on the tables of Unicode, too.
VERSION = f"1, Unicode {unicodedata.unidata_version}"
# So many times what is written must be free.
ROOM = 2
BASE, STATE, DRAFT, ABOUT_NAME = "base-", "state-", "draft-", "about.json"
DAMAGED = (OSError, ValueError, EOFError, msgspec.MsgspecError)


class Saved(msgspec.Struct, frozen=True, eq=False):
    """Texts as of one change.

    Attributes:
        seq: The change's number.
        base: What was read at once.
        fresh: What has changed since.
    """

    seq: int
    base: Sequence[Segment]
    fresh: Sequence[Segment] = ()


class About(msgspec.Struct, frozen=True):
    """What a state folder says of itself."""

    version: str
    seq: int
    base: str
    base_segments: int
    fresh_segments: int


class NoRoomError(OSError):
    """What is to be written would leave too little of the disk."""


class SavedFolder:
    """The folder. Whoever calls holds its lock, but for `about` and `read`.

    Args:
        path: Where it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def states(self) -> list[str]:
        """The tokens of all states, the newest first."""
        found = sorted(self.path.glob(f"{STATE}*"), key=_written_at, reverse=True)
        return [one.name.removeprefix(STATE) for one in found]

    def written_at(self, token: str) -> float:
        """When a state was written, seconds since 1970; 0 if it is gone."""
        return _written_at(self.path / state_name(token))

    def about(self, token: str) -> About:
        """What a state says of itself.

        Raises:
            OSError, ValueError, EOFError, msgspec.MsgspecError: It is gone or damaged (`DAMAGED`).
        """
        return msgspec.json.decode(
            (self.path / state_name(token) / ABOUT_NAME).read_bytes(), type=About
        )

    def read(self, token: str) -> tuple[Saved, str]:
        """Map a state and its base.

        Returns:
            What they hold, and the base's name.

        Raises:
            OSError, ValueError, EOFError, msgspec.MsgspecError: As above, or its version is
                another one.
        """
        about, state = self.about(token), self.path / state_name(token)
        if about.version != VERSION:
            raise ValueError(f"version {about.version}")
        segments = []
        for number in range(about.base_segments + about.fresh_segments):
            texts = self.path / about.base if number < about.base_segments else state
            segments.append(map_segment(texts / str(number), state / str(number)))
        base, fresh = segments[: about.base_segments], segments[about.base_segments :]
        return Saved(about.seq, base, fresh), about.base

    def write_base(self, segments: Iterable[Segment], last_id: int) -> tuple[str, list[Segment]]:
        """Write segments, and map each instead of what was in memory.

        Args:
            last_id: The largest number of a video, from which the room is estimated that all need.

        Returns:
            The base's name, and the mapped segments.

        Raises:
            OSError: They cannot be written, or the disk has too little room.
        """
        name = f"{BASE}{secrets.token_hex(16)}"
        mapped: list[Segment] = []
        with self._new_folder(name) as draft:
            for segment in segments:
                if not mapped:
                    share = int(segment.ids[-1]) / max(last_id, 1)
                    self._require_room(int(size_of(segment) / min(max(share, 0.01), 1)))
                place = draft / str(len(mapped))
                place.mkdir(mode=0o700, parents=True)
                write_texts(place, segment)
                mapped.append(map_texts(place, segment.scores, segment.is_there))
                del segment
                give_memory_back()
        return name, mapped

    def write_state(self, saved: Saved, base: str) -> str:
        """Write what has changed of a base.

        Returns:
            The state's token.

        Raises:
            OSError: It cannot be written, or the disk has too little room.
        """
        token = secrets.token_hex(16)
        about = About(VERSION, saved.seq, base, len(saved.base), len(saved.fresh))
        changes = sum(size_of_changes(one) for one in (*saved.base, *saved.fresh))
        self._require_room(changes + sum(size_of(one) for one in saved.fresh))
        with self._new_folder(state_name(token)) as draft:
            for number, segment in enumerate((*saved.base, *saved.fresh)):
                place = draft / str(number)
                place.mkdir(mode=0o700, parents=True)
                write_changes(place, segment)
                if number >= len(saved.base):
                    write_texts(place, segment)
            (draft / ABOUT_NAME).write_bytes(msgspec.json.encode(about))
        return token

    def discard(self, token: str) -> None:
        """Remove a state."""
        shutil.rmtree(self.path / state_name(token), ignore_errors=True)

    def keep_only(self, names: Collection[str]) -> None:
        """Remove all folders but some: what was replaced, and what killed processes left."""
        for entry in self.path.iterdir():
            if entry.name not in names and entry.name != LOCK_NAME:
                shutil.rmtree(entry, ignore_errors=True)

    @contextmanager
    def _new_folder(self, name: str) -> Iterator[Path]:
        """A folder to fill, which has its name and is on the disk once the block has succeeded."""
        draft = self.path / f"{DRAFT}{name}"
        try:
            yield draft
            sync_tree(draft)
            draft.rename(self.path / name)
            sync_folder(self.path)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _require_room(self, size: int) -> None:
        if shutil.disk_usage(self.path).free < ROOM * size:
            raise NoRoomError("the disk has too little room")


def in_memory(read: Callable[[], tuple[int, Iterable[Segment]]]) -> Saved:
    """What is read, without files."""
    seq, segments = read()
    return Saved(seq, list(segments))


def state_name(token: str) -> str:
    """The name of a state's folder."""
    return f"{STATE}{token}"


def _written_at(folder: Path) -> float:
    with suppress(OSError):
        return folder.stat().st_mtime
    return 0.0
