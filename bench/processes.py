"""What a second serving process costs: CPU of a request through nginx, PostgreSQL included, with two
processes and with one, and how often sessions of the site waited for a lock meanwhile. Needs what
`make cluster` needs.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.database import USER
from liuying_cluster.meter import Meter
from liuying_cluster.table import markdown
from load import at_rate, percentile
from visitors import Visitors

from liuying.installation.environment import read_settings
from liuying.installation.services import open_services
from liuying.kit.clock import system_clock
from liuying_seeding.fill import seed
from liuying_seeding.videos import Plan

LOOK_S = 0.05
# Before measuring: caches fill, orders are built; then nobody asks for anything.
WARM_S, IDLE_S = 15.0, 30.0
WAITING = (
    "SELECT count(*) FILTER (WHERE wait_event_type = 'Lock') FROM pg_stat_activity"
    f" WHERE usename = '{USER}'"
)


class Seen(msgspec.Struct):
    """What one number of processes used.

    Attributes:
        cpu: Milliseconds of a request, by group.
        idle: Milliseconds of the processor in a second without requests, of all groups.
        failed: Answers that were no success, of all.
        p50: Milliseconds.
        p99: Milliseconds.
        waiting: Share of looks at which a session waited for a lock.
    """

    cpu: dict[str, float]
    idle: float
    failed: str
    p50: float
    p99: float
    waiting: float

    @property
    def all(self) -> float:
        return sum(self.cpu.values())


@contextmanager
def looking(cluster: Cluster) -> Iterator[list[bool]]:
    """Whether a session of the site waits for a lock, again and again until the block ends."""
    looks: list[bool] = []
    is_over = threading.Event()

    def look() -> None:
        with cluster.connect() as connection:
            connection.autocommit = True
            while not is_over.wait(LOOK_S):
                row = connection.execute(WAITING).fetchone()
                looks.append(bool(row and row[0]))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield looks
    finally:
        is_over.set()
        thread.join()


def measure(processes: int, videos: int, rate: float, seconds: float) -> Seen:
    """One number of serving processes, each on a cluster of its own."""
    with tempfile.TemporaryDirectory() as folder, running_cluster(serving=processes) as cluster:
        environment = cluster.serving[0].environment
        settings = read_settings({**environment, "LIUYING_DATA_DIR": str(Path(folder) / "data")})
        services = open_services(settings)
        try:
            seed(services.database, Plan(videos, 1, system_clock()))
        finally:
            services.database.close()
        front = cluster.fronts[0].port
        asyncio.run(at_rate(front, Visitors(videos), rate, WARM_S))
        groups = {
            "nginx": [cluster.fronts[0].part],
            "application": [one.part for one in cluster.serving],
            "HAProxy": [one.haproxy.part for one in cluster.serving],
            "PostgreSQL, all three": cluster.postgres.parts,
        }
        meter = Meter(groups)
        with meter.reading():
            time.sleep(IDLE_S)
        idle = {name: 1000 * spent / IDLE_S for name, spent in meter.used().items()}
        print(f"{processes}, idle: {idle}", file=sys.stderr)
        meter = Meter(groups)
        with looking(cluster) as looks, meter.reading():
            answers = asyncio.run(at_rate(front, Visitors(videos, 2), rate, seconds))
        used = {name: 1000 * spent / len(answers) for name, spent in meter.used().items()}
    failed = sum(one.status not in {200, 204, 304} for one in answers)
    return Seen(
        used,
        sum(idle.values()),
        f"{failed} of {len(answers):,}",
        percentile(answers, 0.5),
        percentile(answers, 0.99),
        sum(looks) / max(1, len(looks)),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=200.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    found = {}
    for processes in (1, 2):
        began = time.monotonic()
        found[processes] = measure(processes, options.videos, options.rate, options.seconds)
        print(f"{processes}: {found[processes]}, {time.monotonic() - began:.0f} s", file=sys.stderr)
    rows = [
        (
            str(processes),
            *(f"{used:.3f}" for used in seen.cpu.values()),
            f"{seen.all:.3f}",
            f"{seen.all / found[1].all:.2f}",
            f"{seen.idle:.0f}",
            f"{seen.p50:.1f}",
            f"{seen.p99:.0f}",
            seen.failed,
            f"{seen.waiting:.2%}",
        )
        for processes, seen in found.items()
    ]
    groups = [f"{name}, ms" for name in found[1].cpu]
    head = (
        "processes",
        *groups,
        "all, ms",
        "against one",
        "idle, ms a second",
        "p50 ms",
        "p99 ms",
        "failed",
    )
    print(markdown((*head, "looks with a lock waited for"), rows))
    print(
        f"{options.rate:.0f} requests a second in the mix of a visit over {options.videos:,} videos,"
        f" {options.seconds:.0f} s; the CPU is that of a request."
        f" Idle: what all of these use when nobody asks, over {IDLE_S:.0f} s."
    )


if __name__ == "__main__":
    main()
