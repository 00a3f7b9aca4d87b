"""The cage around the transcoder: limits, no network, and it never outlives its parent (
docs/security.md#t15).

Built from the util-linux programs where they are installed; each part is left out where it is
missing or not permitted, because the transcoder's own allow-lists hold everywhere.
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
# The signal is asked for too late where the parent is gone by then: whoever has another parent does
# not begin.
AS_CHILD_OF = ("/bin/sh", "-c", 'test "$PPID" = "$0" && exec "$@"')


class ResourceLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What one process may use.

    Attributes:
        cpu_seconds: Processor time, all threads together.
        file_bytes: Size of any one file it writes.
        memory_bytes: Address space.
    """

    cpu_seconds: int
    file_bytes: int
    memory_bytes: int


@cache
def default_memory_bytes() -> int:
    """Address space that a transcode needs at most: threads have stacks and frame buffers of their
    own.
    """
    return (4 << 30) + (os.cpu_count() or 1) * (256 << 20)


def caged(arguments: list[str], limits: ResourceLimits) -> list[str]:
    """`arguments` behind the programs that hold it in, to be started by this process itself."""
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
        # Last: a change of namespace clears the parent-death signal. Also no new privileges from
        # here on.
        cage += _dying_with_parent(setpriv)
    return cage + arguments


def _at_most(kind: int, wanted: int) -> int:
    # A limit that this process is already under cannot be raised again.
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


@cache
def _without_network() -> list[str]:
    """The way to an empty network namespace that this system permits; empty where none is."""
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
