"""A cache of what was read of videos, valid until one of them changes: most answers show what
others have shown before.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec
import sqlalchemy as sa

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.change_log import VideoLog

# Up to so many changed videos are dropped one by one; beyond that everything is read again.
MAX_CHANGES = 5_000

T = TypeVar("T")


class _Stamp(msgspec.Struct, frozen=True):
    """The newest changes that the cache has applied: of the catalogue, and of single videos."""

    catalogue: int = -1
    videos: int = -1

    def is_older_than(self, other: _Stamp) -> bool:
        return self.catalogue < other.catalogue or self.videos < other.videos


class VideoCache(Generic[T]):
    """Caches one value per video for the most recently requested videos.

    It is exact in every process, because each look-up checks the change logs: a change of a video
    alone (its views) drops that entry; any other change of the catalogue (a label's name, a
    category's position) drops everything.

    Args:
        most: Maximum number of videos.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._stamp = _Stamp()
        self._cached: OrderedDict[int, T] = OrderedDict()
        # Cached until they changed, and not reported by `take_dropped` yet.
        self._dropped: set[int] = set()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._cached)

    def find(
        self,
        connection: sa.Connection,
        ids: Sequence[int],
        read: Callable[[sa.Connection, Sequence[int]], Mapping[int, T]],
    ) -> dict[int, T]:
        """Values of some videos by id.

        Args:
            read: Reads missing values from the database; videos that it leaves out are missing in
                the result.
        """
        # Read the stamp first: what is read afterwards is at least as new.
        stamp = _stamp_of(connection, change_log)
        found: dict[int, T] = {}
        with self._lock:
            is_current = self._follow(connection, stamp, change_log)
            if is_current:
                stamp = self._stamp
                for id_ in ids:
                    if id_ in self._cached:
                        self._cached.move_to_end(id_)
                        found[id_] = self._cached[id_]
        missing = [id_ for id_ in ids if id_ not in found]
        if missing:
            fresh = read(connection, missing)
            found.update(fresh)
            with self._lock:
                if is_current and stamp == self._stamp:
                    self._keep(fresh)
        return found

    def known(self, ids: Sequence[int]) -> list[T] | None:
        """Cached values of all of some videos as of the last check of the logs, without checking
        again.

        None if one of them is not cached or another thread holds the lock: this never waits.
        """
        if not self._lock.acquire(blocking=False):
            return None
        try:
            found = [self._cached[id_] for id_ in ids]
            # Which were requested most recently matters only when some must go.
            if len(self._cached) >= self._most:
                for id_ in ids:
                    self._cached.move_to_end(id_)
        except KeyError:
            return None
        else:
            return found
        finally:
            self._lock.release()

    def take_dropped(self) -> list[int]:
        """The videos whose values were dropped since the last call because something changed."""
        with self._lock:
            dropped, self._dropped = self._dropped, set()
        return list(dropped)

    def follow(self, connection: sa.Connection, log: VideoLog = change_log) -> None:
        """Drop what changed; everything if an older database was restored."""
        if self._is_ahead_of(connection, log):
            # Either another reader has followed meanwhile, or the database was restored.
            connection.rollback()
            if self._is_ahead_of(connection, change_log):
                self.forget()

    def forget(self) -> None:
        """Drop everything, whatever the logs say."""
        with self._lock:
            self._drop(list(self._cached))
            self._stamp = _Stamp()

    def is_as_of(self, of_catalogue: int, of_videos: int) -> bool:
        """Whether these newest changes are the last ones that were applied."""
        with self._lock:
            return self._stamp == _Stamp(of_catalogue, of_videos)

    def _is_ahead_of(self, connection: sa.Connection, log: VideoLog) -> bool:
        """Follow a log; whether the cache had applied more than it says."""
        # Looked at first: meanwhile others may follow what the log did not say yet.
        with self._lock:
            applied = self._stamp
        stamp = _stamp_of(connection, log)
        with self._lock:
            self._follow(connection, stamp, log)
        return stamp.is_older_than(applied)

    def _follow(self, connection: sa.Connection, stamp: _Stamp, log: VideoLog) -> bool:
        """Drop what changed up to `stamp`; False for a reader who sees an older state than the
        cache.
        """
        if stamp == self._stamp:
            return True
        if stamp.is_older_than(self._stamp):
            return False
        changes = None
        if stamp.catalogue == self._stamp.catalogue:
            changes = log.changes_after(connection, self._stamp.videos, MAX_CHANGES)
        if changes is None or changes.seq < stamp.videos:
            self._drop(list(self._cached))
        else:
            stamp = _Stamp(stamp.catalogue, changes.seq)
            self._drop(changes.video_ids)
        self._stamp = stamp
        return True

    def _drop(self, ids: Iterable[int]) -> None:
        for id_ in ids:
            if self._cached.pop(id_, None) is not None and len(self._dropped) < self._most:
                self._dropped.add(id_)

    def _keep(self, fresh: Mapping[int, T]) -> None:
        self._cached.update(fresh)
        while len(self._cached) > self._most:
            self._cached.popitem(last=False)


def _stamp_of(connection: sa.Connection, log: VideoLog) -> _Stamp:
    return _Stamp(*log.newest_numbers(connection))
