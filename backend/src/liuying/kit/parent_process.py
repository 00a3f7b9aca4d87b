"""Ending with the process that started this one."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

# https://man7.org/linux/man-pages/man2/prctl.2.html
PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int) -> None:
    """Ask the kernel for SIGTERM when the parent dies, however it dies.

    Only Linux does; elsewhere the parent must do it.

    Args:
        parent: Its process id; this process ends at once where it is gone already.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(0)
