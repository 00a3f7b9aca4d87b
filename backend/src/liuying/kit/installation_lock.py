"""Who uses a data folder: any number of programs at once, or one alone that replaces it.

The kernel drops the locks of a process that dies, however it dies.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from liuying.kit.errors import LiuyingError
from liuying.kit.storage_layout import StorageLayout


class InstallationBusyError(LiuyingError):
    """Another program uses the data folder in a way that this one cannot bear.

    Args:
        message: One sentence in Chinese.
    """


@contextmanager
def use_alone(layout: StorageLayout) -> Iterator[None]:
    """Hold a data folder alone; it is made where it is missing.

    Raises:
        InstallationBusyError: Another program uses it.
    """
    with _held(layout, fcntl.LOCK_EX, "流影正在运行，或有别的命令在执行：请先停止，再重试"):
        yield


@contextmanager
def use_together(layout: StorageLayout) -> Iterator[None]:
    """Hold a data folder beside others; it is made where it is missing.

    Raises:
        InstallationBusyError: A program holds it alone.
    """
    with _held(layout, fcntl.LOCK_SH, "正在恢复备份，请稍后再试"):
        yield


@contextmanager
def _held(layout: StorageLayout, kind: int, complaint: str) -> Iterator[None]:
    layout.data_dir.mkdir(parents=True, exist_ok=True)
    # Not inherited: a stray child must not keep the lock of a dead server.
    descriptor = os.open(layout.in_use, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InstallationBusyError(complaint) from None
        yield
    finally:
        os.close(descriptor)
