"""`liuying serve` as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def server(environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process and its address; killed at the end where it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "liuying", "serve"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, line.split()[1]
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
