"""What each call of a visit costs where its answer is not kept: one request at a time, each another. Milliseconds."""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path

from load import Answer, Sender, percentile, serving
from visitors import Asked, Visitors

# The server's share beside the answer itself: connection, framework, compression. Nothing is kept of these.
TRIES = 20


async def measure(port: int, visitors: Visitors, count: int) -> list[Answer]:
    """Some different requests of each kind, one after the other."""
    sender = Sender(port)
    for _share, make in visitors.kinds.values():
        asked: dict[tuple[str, str], Asked] = {}
        for _ in range(count * TRIES):
            one = make()
            asked[one.target, one.code] = one
            if len(asked) == count:
                break
        for one in asked.values():
            await sender.send(one, time.perf_counter())
    sender.close()
    return sender.answers


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="a folder that `liuying bench seed` has filled; it is written to")
    parser.add_argument("--videos", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=50, help="of each kind")
    parser.add_argument("--database", default="", help="address of a PostgreSQL database; SQLite without it")
    chosen = parser.parse_args()
    with serving(chosen.data, chosen.database) as (port, _pid):
        answers = asyncio.run(measure(port, Visitors(chosen.videos), chosen.requests))
    print("| call | different requests | p50 | p99 | most | errors |\n|---|---|---|---|---|---|")
    for kind in dict.fromkeys(one.kind for one in answers):
        some = [one for one in answers if one.kind == kind]
        cells = " | ".join(f"{percentile(some, share):.1f}" for share in (0.5, 0.99, 1))
        print(f"| {kind} | {len(some)} | {cells} | {sum(one.status != 200 for one in some)} |")


if __name__ == "__main__":
    main()
