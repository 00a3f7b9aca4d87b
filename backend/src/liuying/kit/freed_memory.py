"""Giving freed memory back to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def give_memory_back() -> None:
    """Return what this process has freed to the system; it may take some ten milliseconds.

    The C library keeps what threads free, for more to come (glibc, malloc_trim(3)): after something
    large was built once, nothing more comes. Elsewhere nothing happens.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
