"""The sandbox around the transcoder: limits, no network, and it never outlives its parent
(docs/security.md#t15).

It is built from util-linux programs if installed. A part that is missing or not permitted is left
out, because the transcoder's own allow-lists always apply.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from functools import cache

import msgspec

PROBE_TIMEOUT_S = 5
OPEN_FILES = 256
# The signal is requested too late if the parent has died by then: a process with another parent
# does not begin.
AS_CHILD_OF = ("/bin/sh", "-c", 'test "$PPID" = "$0" && exec "$@"')


class ResourceLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What one process may use.

    Attributes:
        cpu_seconds: CPU time of all threads together.
        file_bytes: Maximum size of each file it writes.
        memory_bytes: Address space.
    """

    cpu_seconds: int
    file_bytes: int
    memory_bytes: int


@cache
def default_memory_bytes() -> int:
    """The most address space that a transcode needs: threads have their own stacks and frame
    buffers.
    """
    return (4 << 30) + (os.cpu_count() or 1) * (256 << 20)


def caged(arguments: list[str], limits: ResourceLimits) -> list[str]:
    """`arguments` wrapped in the programs that confine it, to be started by this process itself."""
    cage: list[str] = []
    if (prlimit := shutil.which("prlimit")) is not None:
        cage += [
            prlimit,
            f"--cpu={_at_most(resource.RLIMIT_CPU, limits.cpu_seconds)}",
            f"--fsize={_at_most(resource.RLIMIT_FSIZE, limits.file_bytes)}",
            f"--as={_at_most(resource.RLIMIT_AS, limits.memory_bytes)}",
            f"--nofile={_at_most(resource.RLIMIT_NOFILE, OPEN_FILES)}",
            "--core=0",
        ]
    cage += _without_network()
    if (setpriv := _setpriv()) is not None:
        # Last: changing a namespace clears the parent-death signal. It also rules out new
        # privileges from here on.
        cage += _dying_with_parent(setpriv)
    return cage + arguments


def _at_most(kind: int, wanted: int) -> int:
    # A limit that already applies to this process cannot be raised.
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


@cache
def _without_network() -> list[str]:
    """How this system permits an empty network namespace; empty if it does not."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return []
    for way in ([unshare, "--net"], [unshare, "--net", "--map-current-user"]):
        if _runs([*way, "true"]):
            return way
    return []


@cache
def _setpriv() -> str | None:
    setpriv = shutil.which("setpriv")
    if setpriv is None or not _runs([*_dying_with_parent(setpriv), "true"]):
        return None
    return setpriv


def _dying_with_parent(setpriv: str) -> list[str]:
    return [setpriv, "--pdeathsig", "KILL", "--no-new-privs", *AS_CHILD_OF, str(os.getpid())]


def _runs(arguments: list[str]) -> bool:
    try:
        done = subprocess.run(arguments, capture_output=True, timeout=PROBE_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
