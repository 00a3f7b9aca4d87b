"""Which files of a folder are ready: those that nobody is still writing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

Find = Callable[[Path], Iterable[Path]]
# Size and modification time of a file and of all companions with its name.
Stamp = tuple[tuple[str, int, int], ...]


class _Seen(msgspec.Struct):
    stamp: Stamp
    since: float
    is_taken: bool = False


class FolderWatch:
    """Remembers what files looked like, and reports each once it has rested.

    A file that changes afterwards is reported again; a missing one is forgotten.

    Args:
        folders: The watched folders.
        find: Lists the videos below a folder.
        rest: Seconds for which size and time of a file and its companions must stay the same.
        clock: Monotonic seconds.
    """

    def __init__(
        self, folders: list[Path], find: Find, rest: float, clock: Callable[[], float]
    ) -> None:
        self._folders = folders
        self._find = find
        self._rest = rest
        self._clock = clock
        self._seen: dict[Path, _Seen] = {}

    def look(self) -> list[Path]:
        """Files that became ready since the last look, by folder and name."""
        now = self._clock()
        held = _Folders()
        found = (path for folder in self._folders for path in self._find(folder))
        stamps = {path: stamp for path in found if (stamp := held.stamp(path))}
        self._seen = {path: seen for path, seen in self._seen.items() if path in stamps}
        ready = []
        for path, stamp in stamps.items():
            seen = self._seen.get(path)
            if seen is None or seen.stamp != stamp:
                self._seen[path] = _Seen(stamp, now)
            elif not seen.is_taken and now - seen.since >= self._rest:
                seen.is_taken = True
                ready.append(path)
        return ready

    @property
    def waiting(self) -> int:
        """Number of files that have not rested yet."""
        return sum(1 for seen in self._seen.values() if not seen.is_taken)


class _Folders:
    """The contents of folders, each read once: files by the name that a video and its companions
    share.
    """

    def __init__(self) -> None:
        self._known: dict[Path, dict[str, list[tuple[str, int, int]]]] = {}

    def stamp(self, path: Path) -> Stamp:
        """Empty if the file is missing, or empty itself: somebody has just created it."""
        if path.parent not in self._known:
            self._known[path.parent] = self._read(path.parent)
        parts = self._known[path.parent].get(_shared_name(path.name), [])
        return (
            tuple(sorted(parts))
            if any(name == path.name and size for name, size, _ in parts)
            else ()
        )

    @staticmethod
    def _read(folder: Path) -> dict[str, list[tuple[str, int, int]]]:
        found: dict[str, list[tuple[str, int, int]]] = {}
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):
                        status = entry.stat()
                        part = (entry.name, status.st_size, status.st_mtime_ns)
                        found.setdefault(_shared_name(entry.name), []).append(part)
        except OSError:
            return {}
        return found


def _shared_name(name: str) -> str:
    """`clip` of `clip.mp4`, `clip.info.json` and `clip-poster.jpg`."""
    return name.partition(".")[0].removesuffix("-poster").removesuffix("-thumb")
