"""Runs `liuying serve --demo` and restarts it when a source of the back end changes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "backend" / "src"
INTERVAL_S = 0.5


def newest_change() -> float:
    """When a source file was last written, in seconds since 1970."""
    return max(file.stat().st_mtime for file in SOURCES.rglob("*.py"))


def main() -> None:
    """Serve until interrupted."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    command = [str(Path(sys.executable).parent / "liuying"), "serve", "--demo"]
    while True:
        seen = newest_change()
        process = subprocess.Popen(command)
        try:
            while process.poll() is None and newest_change() == seen:
                time.sleep(INTERVAL_S)
            while process.poll() is not None and newest_change() == seen:
                time.sleep(INTERVAL_S)
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(0)
