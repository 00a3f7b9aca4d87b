"""Finished chunks of long films: they outlive the import that encoded them, for the next one of the
same content.

A folder's name identifies content, plan and encoder: other chunks are never used. Whoever works in
a folder holds its lock; a folder that nobody continued for three days is removed. Helpers
(`workflows.chunk_help`) work in it without the lock, so a folder may be removed while they are
inside.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from liuying.kit.errors import LiuyingError
from liuying.kit.files import GONE_PREFIX, remove_shared
from liuying.media.chunk_run import fingerprint
from liuying.media.errors import DiskFullError, TranscoderError
from liuying.media.plan import Plan
from liuying.workflows.job_folders import ImportBusyError, JobFolders, hold_lock, lock_of
from liuying.workflows.preconditions import SystemFaultError

NAME_LENGTH = 32
# A machine may be off over a weekend.
KEPT_S = 72 * 3600.0
# What may differ at the next try. All other refusals are due to the file.
PASSING = (DiskFullError, SystemFaultError, TranscoderError, ImportBusyError)


class ImportCancelledError(SystemExit):
    """The operator cancelled an import: nothing of it is worth keeping."""


class ChunkCache:
    """The chunks of one content under one plan.

    Args:
        folders: The installation's job folders; the chunks are beside them.
        content: The content's hash.
        plan: The plan of the renditions; it has chunks.
    """

    def __init__(self, folders: JobFolders, content: str, plan: Plan) -> None:
        self._folders = folders
        self._content = content[:NAME_LENGTH]
        self.path = folders.chunks / f"{self._content}-{fingerprint(plan)[:NAME_LENGTH]}"
        self._descriptor = -1
        self._is_left = False

    @property
    def bytes(self) -> int:
        """Room that they take."""
        total = 0
        for one in self.path.rglob("*"):
            with suppress(FileNotFoundError):  # A helper of a dead import is finishing its chunk.
                total += one.lstat().st_size
        return total

    def leave(self) -> None:
        """Keep them even without a failure: a later import continues with them."""
        self._is_left = True

    def __enter__(self) -> Path:
        """Lock them and remove chunks of the same content under another plan. Enter behind the
        gate.

        Raises:
            ImportBusyError: Another process holds them.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        self._descriptor = hold_lock(self.path)
        os.utime(self.path)
        for other in self.path.parent.glob(f"{self._content}-*"):
            if other != self.path:
                _remove_unheld(other)
        return self.path

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        with self._folders.gate():
            if (error is None and not self._is_left) or (error is not None and is_final(error)):
                _remove(self.path)
            os.close(self._descriptor)


def is_of_plan(folder: Path, plan: Plan) -> bool:
    """Whether the chunks in a folder are those that this process would encode for a plan.

    Raises:
        TranscoderError: The transcoder does not start.
    """
    return folder.name.endswith(f"-{fingerprint(plan)[:NAME_LENGTH]}")


def is_final(error: BaseException) -> bool:
    """Whether an import that ended like this will not be continued."""
    if isinstance(error, LiuyingError):
        return not isinstance(error, PASSING)
    return isinstance(error, ImportCancelledError)


def forget_chunks(folders: JobFolders, content: str) -> None:
    """Remove the chunks of unwanted content, except those that an import is using.

    Args:
        content: The content's hash.
    """
    with folders.gate():
        for folder in folders.chunks.glob(f"{content[:NAME_LENGTH]}-*"):
            _remove_unheld(folder)


def sweep_chunks(folders: JobFolders) -> None:
    """Remove chunks that nobody continued. Call it behind the gate."""
    before = time.time() - KEPT_S
    for folder in folders.chunks.glob("*-*"):
        # What could not be removed before, or whose remover died; nobody inside needs it any more.
        if folder.name.startswith(GONE_PREFIX) or _touched_at(folder) < before:
            _remove_unheld(folder)


def _touched_at(folder: Path) -> float:
    moments = [folder.lstat().st_mtime]
    for one in folder.iterdir():
        with suppress(FileNotFoundError):  # An import is using it.
            moments.append(one.lstat().st_mtime)
    return max(moments)


def _remove_unheld(folder: Path) -> None:
    try:
        descriptor = lock_of(folder)
    except BlockingIOError:
        return
    _remove(folder)
    os.close(descriptor)


def _remove(folder: Path) -> None:
    remove_shared(folder)
    with suppress(OSError):  # Others are kept there.
        folder.parent.rmdir()
