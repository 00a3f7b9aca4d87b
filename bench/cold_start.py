"""The first minute of a server: mixed requests from the moment it listens.

Fills an installation of its own (`liuying bench seed`), starts `liuying serve` with nothing in
memory, and from its first connection on sends what `load.py` sends, each request at its moment.
Beside that it asks for `/readyz` and notes when it first says yes. Milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from load import RATE, Answer, at_rate, percentile
from server import ENDING_S, LIUYING, PATIENCE_S, free_port, memory_of
from visitors import Visitors

from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying_seeding.fill import seed
from liuying_seeding.videos import Plan

ATTEMPT_S = 0.02
# Ends of the first parts of the minute, seconds.
PARTS = (1, 2, 5, 10, 30, 60)


async def _until_listening(port: int) -> float:
    """Seconds (`time.perf_counter`) when the port first took a connection."""
    ends = time.perf_counter() + PATIENCE_S
    while time.perf_counter() < ends:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            await asyncio.sleep(ATTEMPT_S)
        else:
            return time.perf_counter()
    raise SystemExit("the server does not listen")


async def _until_ready(port: int) -> float:
    """Seconds when `/readyz` first said yes."""
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
        status = (await reader.read()).split(b" ", 2)[1]
        writer.close()
        if status == b"200":
            return time.perf_counter()
        await asyncio.sleep(ATTEMPT_S)


async def _first_minute(
    port: int, videos: int, seconds: int, *, waits: bool
) -> tuple[float, float, float, list[Answer]]:
    listening = await _until_listening(port)
    ready = asyncio.create_task(_until_ready(port))
    if waits:
        await ready
    began = time.perf_counter()
    answers = await at_rate(port, Visitors(videos), RATE, seconds)
    return listening, await ready, began, answers


def start(folder: Path, videos: int, seconds: int, *, waits: bool) -> list[str]:
    """Start a server and load it; the figures as rows of a table."""
    port = free_port()
    environment = {
        **os.environ,
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "LIUYING_DATA_DIR": str(folder),
    }
    began = time.perf_counter()
    process = subprocess.Popen(
        [LIUYING, "serve", "--workers", "0"], env=environment, stdout=subprocess.DEVNULL
    )
    try:
        listening, ready, first, answers = asyncio.run(
            _first_minute(port, videos, seconds, waits=waits)
        )
        held = memory_of(process.pid, "VmHWM")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(ENDING_S)
    ends = Counter(one.status for one in answers if one.status != 200)
    rows, since = [], 0
    for until in (*(one for one in PARTS if one <= seconds), None):
        some = [one for one in answers if until is None or since <= one.due - first < until]
        name = "all" if until is None else f"{since}–{until} s"
        cells = " | ".join(f"{percentile(some, share):.1f}" for share in (0.5, 0.95, 0.99, 1))
        rows.append(
            f"| {name} | {len(some):,} | {cells} | {sum(one.status != 200 for one in some)} |"
        )
        since = until or 0
    which = "/readyz says yes" if waits else "it listens"
    return [
        f"From the moment that {which}:\n",
        "| second | requests | p50 | p95 | p99 | most | not 200 |",
        "|---|---|---|---|---|---|---|",
        *rows,
        f"\nListening after {listening - began:.1f} s, ready after {ready - began:.1f} s; at most "
        f"{held} MiB. Not 200, by status (0: no answer): {dict(ends) or 'none'}.\n",
    ]


def main() -> None:
    """Fill, start twice and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--data", type=Path, help="a folder that was filled with --videos")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.data or Path(scratch)
        if chosen.data is None:
            services = open_services(Settings(data_dir=folder))
            migrate(services.database)
            seed(services.database, Plan(chosen.videos, 1, system_clock()))
            services.database.close()
        print(f"{chosen.videos:,} videos, {RATE} requests a second for {chosen.seconds} s.\n")
        for waits in (False, True):
            print("\n".join(start(folder, chosen.videos, chosen.seconds, waits=waits)), flush=True)


if __name__ == "__main__":
    main()
