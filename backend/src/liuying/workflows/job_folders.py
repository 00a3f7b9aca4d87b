"""The folder in which one import works: locked while it runs, swept after it died.

The folder's name is the asset's key, so an orphaned folder is also a journal of what its import may
have left elsewhere. The kernel releases the lock of a killed process.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from liuying.kit.errors import LiuyingError
from liuying.kit.file_locks import lock_file
from liuying.kit.storage_layout import CHUNKS_NAME, GATE_NAME, LOCK_NAME


class ImportBusyError(LiuyingError):
    """Another process is importing the same file: 409."""

    code = 409

    def __init__(self) -> None:
        super().__init__("另一个进程正在导入这个文件")


class JobFolders:
    """All job folders of an installation.

    Args:
        root: Their parent (`StorageLayout.jobs`).
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        # Beside the job folders: they outlive the import that encoded them.
        self.chunks = root / CHUNKS_NAME

    @contextmanager
    def gate(self) -> Iterator[None]:
        """Only one process at a time sweeps or begins a job. Held for moments."""
        self.root.mkdir(parents=True, exist_ok=True)
        descriptor = lock_file(self.root / GATE_NAME, wait=True)
        try:
            yield
        finally:
            os.close(descriptor)

    def orphans(self) -> list[str]:
        """Keys of the jobs whose process is gone. Call it behind the gate."""
        found = []
        for folder in sorted(self.root.iterdir()):
            if folder.name.startswith(".") or not folder.is_dir():
                continue
            if not is_held(folder):
                found.append(folder.name)
        return found

    def keys_at_work(self) -> set[str]:
        """Keys of the jobs that living processes of this machine work on."""
        if not self.root.is_dir():
            return set()
        with self.gate():
            dead = set(self.orphans())
            names = {one.name for one in self.root.iterdir() if one.is_dir()}
        return {name for name in names - dead if not name.startswith(".")}

    def remove(self, key: str) -> None:
        """Remove an orphaned folder, as the last of its leftovers."""
        shutil.rmtree(self.root / key, ignore_errors=True)

    def empty(self, key: str) -> None:
        """Free the disk of what an orphaned folder holds; the folder stays, as a mark that its job
        may have left more elsewhere. Call it behind the gate.
        """
        for entry in (self.root / key).iterdir():
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name != LOCK_NAME:
                entry.unlink(missing_ok=True)

    def remove_orphans(self) -> None:
        """Remove the folders of all jobs whose process is gone, where nothing but them is left of
        those. Call it behind the gate.
        """
        for key in self.orphans():
            self.remove(key)

    def begin(self, key: str) -> JobFolder:
        """Create and lock the folder of a job. Call it behind the gate.

        Raises:
            ImportBusyError: A living process has it.
        """
        folder = self.root / key
        folder.mkdir(exist_ok=True)
        return JobFolder(self, folder, hold_lock(folder))


class JobFolder:
    """A locked folder, removed when the block ends, even after a failure."""

    def __init__(self, folders: JobFolders, path: Path, descriptor: int) -> None:
        self._folders = folders
        self.path = path
        self._descriptor = descriptor

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        # Behind the gate: nobody may begin the same job in a folder that is being removed.
        with self._folders.gate():
            self._folders.remove(self.path.name)
            os.close(self._descriptor)


def hold_lock(folder: Path) -> int:
    """Like `lock_of`, for whoever begins to work in a folder.

    Raises:
        ImportBusyError: A living process has it.
    """
    try:
        return lock_of(folder)
    except BlockingIOError:
        raise ImportBusyError from None


def lock_of(folder: Path) -> int:
    """An open descriptor that holds a folder's lock, without waiting for it.

    Raises:
        BlockingIOError: A living process has it.
    """
    return lock_file(folder / LOCK_NAME, wait=False)


def is_held(folder: Path) -> bool:
    """Whether a living process works in a folder. Call it behind the gate: asking takes a free
    lock for a moment.
    """
    try:
        os.close(lock_of(folder))
    except BlockingIOError:
        return True
    return False
