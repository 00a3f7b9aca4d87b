"""Reading small objects for an answer that does without them where the store is slow.

A store on another machine may hang for seconds. The threads that compute answers are few
(`kit/answering.py`), so they wait but a moment, and not again before the store had time to recover.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor

from liuying.kit.object_store import ObjectStore, opened

# Of all reads that are under way.
READERS = 4
# For one object, in seconds.
PATIENCE_S = 0.5
# How long nothing is asked of a store that failed or did not answer in time.
REST_S = 10.0


class PatientReads:
    """Small objects, the last ones from memory: none changes under its key. Safe for threads.

    Args:
        objects: The store.
        most: Larger objects count as absent, in bytes.
        kept: How many are kept in memory.
    """

    def __init__(self, objects: ObjectStore, most: int, kept: int) -> None:
        self._objects = objects
        self._most = most
        self._most_kept = kept
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._under_way: dict[str, Future[None]] = {}
        self._lock = threading.Lock()
        self._readers = ThreadPoolExecutor(READERS, "patient")
        self._rests_until = 0.0

    def read(self, key: str) -> bytes | None:
        """An object's content; None where it is too large, or cannot be had soon."""
        with self._lock:
            if (found := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return found or None
            if time.monotonic() < self._rests_until:
                return None
            reading = self._under_way.get(key)
            if reading is None:
                reading = self._under_way[key] = self._readers.submit(self._fill, key)
        try:
            reading.result(PATIENCE_S)
        except FileNotFoundError:
            return None
        except OSError:  # Among them that it took too long.
            self._rests_until = time.monotonic() + REST_S
            return None
        with self._lock:
            return self._kept.get(key) or None

    def _fill(self, key: str) -> None:
        """Keep an object; one that is too large as empty."""
        try:
            with opened(self._objects, key) as found:
                content = b"" if found.size > self._most else found.read(0, found.size)
            with self._lock:
                self._kept[key] = content
                while len(self._kept) > self._most_kept:
                    self._kept.popitem(last=False)
        finally:
            with self._lock:
                self._under_way.pop(key, None)
