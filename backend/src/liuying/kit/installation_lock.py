"""Who uses a data folder: any number of programs together, or a single one that replaces its
contents.

The kernel releases the locks of a process that dies, however it dies.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from liuying.kit.errors import LiuyingError
from liuying.kit.storage_layout import StorageLayout


class InstallationBusyError(LiuyingError):
    """Another program uses the data folder in a way that excludes this one.

    Args:
        message: One sentence in Chinese.
    """


@contextmanager
def use_alone(layout: StorageLayout) -> Iterator[None]:
    """Hold a data folder exclusively; it is created if missing.

    Raises:
        InstallationBusyError: Another program uses it.
    """
    with _held(layout, fcntl.LOCK_EX, "流影正在运行，或有别的命令在执行：请先停止，再重试"):
        yield


@contextmanager
def use_together(layout: StorageLayout) -> Iterator[None]:
    """Hold a data folder together with others; it is created if missing.

    Raises:
        InstallationBusyError: Another program holds it exclusively.
    """
    with _held(layout, fcntl.LOCK_SH, "正在恢复备份，请稍后再试"):
        yield


@contextmanager
def _held(layout: StorageLayout, kind: int, complaint: str) -> Iterator[None]:
    layout.data_dir.mkdir(parents=True, exist_ok=True)
    # Not inherited: a stray child must not hold the lock of a dead server.
    descriptor = os.open(layout.in_use, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InstallationBusyError(complaint) from None
        yield
    finally:
        os.close(descriptor)
