"""File locks between processes. The kernel releases them when a process dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def lock_file(path: Path, *, wait: bool) -> int:
    """An open descriptor that holds a file's lock; the file is created if missing.

    Args:
        wait: Wait until it is free.

    Raises:
        BlockingIOError: Another holder has it, and `wait` is off.
        OSError: The file cannot be created, or its folder is missing.
    """
    # Not inherited by the transcoder: a stray child must not hold the lock of a dead import.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def held_if_free(path: Path) -> Iterator[bool]:
    """Hold a file's lock if it is free, and tell whether it is held.

    Raises:
        OSError: The file cannot be created, or its folder is missing.
    """
    descriptor = -1
    with suppress(BlockingIOError):
        descriptor = lock_file(path, wait=False)
    try:
        yield descriptor >= 0
    finally:
        if descriptor >= 0:
            os.close(descriptor)
