"""What each call of a visit costs where its answer is not kept: one request at a time, each
another.

Milliseconds; `CPU` is the mean of all that the server did meanwhile, which other work on the
machine disturbs less.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path

from load import Answer, Sender, percentile
from server import cpu_seconds, serving
from visitors import Asked, Visitors

# The server's share beside the answer itself: connection, framework, compression. Nothing is kept
# of these.
TRIES = 20


async def measure(
    port: int, pid: int, visitors: Visitors, count: int
) -> dict[str, tuple[float, list[Answer]]]:
    """Some different requests of each kind, one after the other: CPU milliseconds of each, and the
    answers.
    """
    sender = Sender(port)
    found: dict[str, tuple[float, list[Answer]]] = {}
    for kind, (_share, make) in visitors.kinds.items():
        asked: dict[tuple[str, str], Asked] = {}
        for _ in range(count * TRIES):
            one = make()
            asked[one.target, one.code] = one
            if len(asked) == count:
                break
        before, sender.answers = cpu_seconds(pid), []
        for one in asked.values():
            await sender.send(one, time.perf_counter())
        found[kind] = (cpu_seconds(pid) - before) * 1000 / len(asked), sender.answers
    sender.close()
    return found


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "data",
        type=Path,
        help="a folder that `liuying bench seed` has filled; it is written to",
    )
    parser.add_argument("--videos", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=50, help="of each kind")
    parser.add_argument(
        "--database",
        default="",
        help="address of a PostgreSQL database; SQLite without it",
    )
    chosen = parser.parse_args()
    with serving(chosen.data, chosen.database, ("--workers", "0")) as (port, pid):
        found = asyncio.run(measure(port, pid, Visitors(chosen.videos), chosen.requests))
    print(
        "| call | different requests | CPU | p50 | p99 | most | errors |\n|---|---|---|---|---|---|---|"
    )
    for kind, (used, some) in found.items():
        cells = " | ".join(f"{percentile(some, share):.1f}" for share in (0.5, 0.99, 1))
        print(
            f"| {kind} | {len(some)} | {used:.1f} | {cells} | {sum(one.status != 200 for one in some)} |"
        )


if __name__ == "__main__":
    main()
