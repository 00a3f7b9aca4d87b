"""Locks that processes hold on files: the kernel drops those of a process that dies, however it
dies.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def lock_file(path: Path, *, wait: bool) -> int:
    """An open descriptor that holds a file's lock; the file is made where it is missing.

    Args:
        wait: Until it is free, rather than not at all.

    Raises:
        BlockingIOError: Somebody else holds it, and waiting was not asked for.
        OSError: It cannot be made; its folder is missing.
    """
    # Not inherited by the transcoder: a stray child must not keep the lock of a dead import.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def held_if_free(path: Path) -> Iterator[bool]:
    """Hold a file's lock, and tell whether that was possible; not where somebody else holds it.

    Raises:
        OSError: The file cannot be made; its folder is missing.
    """
    descriptor = -1
    with suppress(BlockingIOError):
        descriptor = lock_file(path, wait=False)
    try:
        yield descriptor >= 0
    finally:
        if descriptor >= 0:
            os.close(descriptor)
