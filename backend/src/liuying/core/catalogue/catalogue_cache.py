"""A cache of what was read of videos that no view changes: valid until the catalogue changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from math import inf
from time import monotonic
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")
# No change has this number.
NONE = -1


class _Kept(msgspec.Struct, Generic[T], frozen=True):
    """A value, and the moment when it was read (`time.monotonic`)."""

    value: T
    moment: float


class CatalogueCache(Generic[T]):
    """Caches one value per video for the most recently requested videos. Any change of the
    catalogue drops all of them, in every process.

    Args:
        most: Maximum number of videos.
        lifetime_s: Seconds after which a value is outdated in any case.
    """

    def __init__(self, most: int, lifetime_s: float = inf) -> None:
        self._most = most
        self._lifetime_s = lifetime_s
        self._of_catalogue = NONE
        self._kept: OrderedDict[int, _Kept[T]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, video_id: int, of_catalogue: int) -> T | None:
        """The value of a video; None if it is not cached or outdated.

        Args:
            of_catalogue: Number of the catalogue's newest change, as just read
                (`change_log.newest_numbers`).
        """
        with self._lock:
            # Also a smaller one: an older database was restored, whose numbers come again. Whoever
            # reads an older state of SQLite drops everything, too, but that is rare.
            if of_catalogue != self._of_catalogue:
                self._kept.clear()
                self._of_catalogue = of_catalogue
            kept = self._kept.get(video_id)
            if kept is None or monotonic() - kept.moment >= self._lifetime_s:
                return None
            self._kept.move_to_end(video_id)
            return kept.value

    def keep(self, video_id: int, of_catalogue: int, value: T) -> None:
        """Cache a value that was read after this number, unless the catalogue changed meanwhile."""
        with self._lock:
            if of_catalogue != self._of_catalogue:
                return
            self._kept[video_id] = _Kept(value, monotonic())
            self._kept.move_to_end(video_id)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def forget(self) -> None:
        """Drop everything: the log may be another one with the same numbers."""
        with self._lock:
            self._kept.clear()
            # Nor is kept what is being read now.
            self._of_catalogue = NONE
