"""Ends the parts of a cluster when its runner ends, in whatever way: a killed runner cannot.

The runner holds the other end of the watcher's standard input, and writes there what it starts and
what has ended. When that end closes, every process that belongs to a part is killed, and the
folders that were named are removed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

# Those that are killed may have started others in the meantime.
ROUNDS, PAUSE_S = 50, 0.1
STARTED, ENDED, FOLDER = "started", "ended", "folder"
# It leaves the session of the Patroni that started it.
POSTGRES = b"postgres"


class Watcher:
    """A process that outlives this one by a moment."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            cwd="/",
            # What ends the runner's group or session does not end it.
            start_new_session=True,
        )

    def started(self, pid: int) -> None:
        """Let a process, the first of a session, end with this one, and its session with it."""
        self._say(STARTED, pid)

    def ended(self, pid: int) -> None:
        """It has ended, with its session: the number may become another process's."""
        self._say(ENDED, pid)

    def owns(self, folder: Path) -> None:
        """Let a folder go with this process, and the PostgreSQL servers whose data lie in it."""
        self._say(FOLDER, folder)

    def close(self) -> None:
        """Let it end what is left; returns when it has."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()

    def _say(self, what: str, about: object) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(f"{what} {about}\n")
            self._process.stdin.flush()


def session_members(session: int) -> list[int]:
    """The processes of a session."""
    return [pid for pid in _others() if _belongs(pid, {session}, set())]


def end_all(sessions: set[int], folders: set[str]) -> None:
    """Kill the processes of some sessions and the PostgreSQL servers of some folders."""
    for _ in range(ROUNDS):
        found = [pid for pid in _others() if _belongs(pid, sessions, folders)]
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return
        time.sleep(PAUSE_S)


def _others() -> Iterator[int]:
    own = os.getpid()
    return (int(one.name) for one in Path("/proc").glob("[0-9]*") if int(one.name) != own)


def _belongs(pid: int, sessions: set[int], folders: set[str]) -> bool:
    with suppress(OSError, ValueError, IndexError):
        # Behind the name in brackets, which may hold anything: state, parent, group, session.
        state, _, _, session = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:4]
        if state == "Z":
            return False
        if int(session) in sessions:
            return True
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        is_postgres = command.split(b"\0")[0].endswith(POSTGRES)
        return is_postgres and any(f"{folder}/".encode() in command for folder in folders)
    return False


def main() -> int:
    """Wait for the end of the runner."""
    about: dict[str, set[str]] = {STARTED: set(), FOLDER: set()}
    for line in sys.stdin:
        what, _, which = line.rstrip("\n").partition(" ")
        if what == ENDED:
            about[STARTED].discard(which)
        else:
            about[what].add(which)
    end_all({int(one) for one in about[STARTED]}, about[FOLDER])
    for folder in about[FOLDER]:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
