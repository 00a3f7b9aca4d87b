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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.database import USER
from liuying_cluster.meter import Meter
from liuying_cluster.processes import Part
from liuying_cluster.table import markdown
from load import at_rate, percentile
from visitors import Visitors

from liuying.installation.environment import read_settings
from liuying.installation.services import open_services
from liuying.kit.clock import system_clock
from liuying_seeding.fill import seed
from liuying_seeding.videos import Plan

LOOK_S = 0.05
# Nobody asks for anything.
IDLE_S = 30.0
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


def measure(
    processes: int, videos: int, rates: Sequence[float], warm: float, seconds: float
) -> list[Seen]:
    """One number of serving processes, on a cluster of its own, at each rate."""
    with tempfile.TemporaryDirectory() as folder, running_cluster(serving=processes) as cluster:
        environment = cluster.serving[0].environment
        settings = read_settings({**environment, "LIUYING_DATA_DIR": str(Path(folder) / "data")})
        services = open_services(settings)
        try:
            seed(services.database, Plan(videos, 1, system_clock()))
        finally:
            services.database.close()
        asyncio.run(at_rate(cluster.fronts[0].port, Visitors(videos), rates[-1], warm))
        meter = Meter(groups_of(cluster))
        with meter.reading():
            time.sleep(IDLE_S)
        idle = {name: 1000 * spent / IDLE_S for name, spent in meter.used().items()}
        print(f"{processes}, idle: {idle}", file=sys.stderr)
        return [
            ask(cluster, Visitors(videos, 2), rate, seconds, sum(idle.values())) for rate in rates
        ]


def groups_of(cluster: Cluster) -> dict[str, list[Part]]:
    """Whose CPU counts."""
    return {
        "nginx": [cluster.fronts[0].part],
        "application": [one.part for one in cluster.serving],
        "HAProxy": [one.haproxy.part for one in cluster.serving],
        "PostgreSQL, all three": cluster.postgres.parts,
    }


def ask(cluster: Cluster, visitors: Visitors, rate: float, seconds: float, idle: float) -> Seen:
    """So many requests a second for a while."""
    meter = Meter(groups_of(cluster))
    with looking(cluster) as looks, meter.reading():
        answers = asyncio.run(at_rate(cluster.fronts[0].port, visitors, rate, seconds))
    failed = sum(one.status not in {200, 204, 304} for one in answers)
    seen = Seen(
        {name: 1000 * spent / len(answers) for name, spent in meter.used().items()},
        idle,
        f"{failed} of {len(answers):,}",
        percentile(answers, 0.5),
        percentile(answers, 0.99),
        sum(looks) / max(1, len(looks)),
    )
    print(f"{rate:.0f} a second: {seen}", file=sys.stderr)
    return seen


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=200.0)
    parser.add_argument("--warm", type=float, default=180.0, help="seconds of requests before")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    half, whole = options.rate / 2, options.rate
    rest = options.warm, options.seconds
    as_many_each, alone = measure(1, options.videos, (half, whole), *rest)
    (two,) = measure(2, options.videos, (whole,), *rest)
    rows = [
        (
            str(processes),
            f"{rate:.0f}",
            *(f"{used:.3f}" for used in seen.cpu.values()),
            f"{seen.all:.3f}",
            f"{seen.idle:.0f}",
            f"{seen.p50:.1f}",
            f"{seen.p99:.0f}",
            seen.failed,
            f"{seen.waiting:.2%}",
        )
        for processes, rate, seen in ((1, half, as_many_each), (1, whole, alone), (2, whole, two))
    ]
    groups = [f"{name}, ms" for name in two.cpu]
    head = (
        "processes",
        "requests a second",
        *groups,
        "all, ms",
        "idle, ms a second",
        "p50 ms",
        "p99 ms",
        "failed",
        "looks with a lock waited for",
    )
    print(markdown(head, rows))
    print(
        f"Two processes use {two.all / alone.all:.2f} times what one uses for the same requests, and"
        f" {two.all / as_many_each.all:.2f} times what one uses for half of them, which is what each of the"
        f" two has. The mix of a visit over {options.videos:,} videos, {options.seconds:.0f} s after"
        f" {options.warm:.0f} s of the same; the CPU is that of a request."
        f" Idle: what all of these use when nobody asks, over {IDLE_S:.0f} s."
    )


if __name__ == "__main__":
    main()
