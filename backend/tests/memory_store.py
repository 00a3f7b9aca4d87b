"""Objects in memory: what an object store is that has no files, no folders and no renaming."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import msgspec

from liuying.kit.object_keys import MEDIA_BY_ROW
from liuying.kit.object_store import OpenObject, StoredObject, check_key, check_prefix


class Held(msgspec.Struct):
    """An object, and when it was put last."""

    content: bytes
    stored_at: float

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.content)

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from an offset on."""
        return self.content[offset : offset + length]

    def close(self) -> None:
        """Nothing is open."""


class MemoryStore:
    """The objects of one process."""

    media = MEDIA_BY_ROW

    def __init__(self) -> None:
        self._held: dict[str, Held] = {}
        self._lock = Lock()

    @property
    def failures(self) -> dict[str, int]:
        return {}

    def now(self) -> float:
        return time.time()

    def put_if_absent(self, key: str, source: Path | bytes) -> bool:
        content = source if isinstance(source, bytes) else source.read_bytes()
        with self._lock:
            if (found := self._held.get(check_key(key))) is not None:
                found.stored_at = time.time()
                return False
            self._held[key] = Held(content, time.time())
        return True

    def put_folder(self, prefix: str, folder: Path) -> None:
        if self.has_any(prefix):
            raise FileExistsError(prefix)
        files = [path for path in folder.rglob("*") if path.is_file()]
        for path in sorted(files, key=lambda one: one.suffix == ".m3u8"):  # playlists last
            self.put_if_absent(f"{prefix}{path.relative_to(folder).as_posix()}", path)

    def open(self, key: str) -> OpenObject | None:
        return self._held.get(check_key(key))

    def delete(self, key: str, *, stored_before: float | None = None) -> bool:
        with self._lock:
            found = self._held.get(check_key(key))
            if found is None or (stored_before is not None and found.stored_at >= stored_before):
                return False
            del self._held[key]
        return True

    def delete_prefix(self, prefix: str) -> None:
        for found in self.objects(prefix):
            self.delete(found.key)

    def delete_unfinished(self, prefix: str, before: float) -> int:
        check_prefix(prefix)
        return 0  # nothing is ever half put

    def has_any(self, prefix: str) -> bool:
        return next(self.objects(prefix), None) is not None

    def children(self, prefix: str) -> set[str]:
        return {found.key.removeprefix(prefix).partition("/")[0] for found in self.objects(prefix)}

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        check_prefix(prefix)
        with self._lock:
            found = [(key, one) for key, one in self._held.items() if key.startswith(prefix)]
        return iter([StoredObject(key, one.size, one.stored_at) for key, one in found])
