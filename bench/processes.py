"""What a second serving process costs: CPU of a request through nginx, PostgreSQL included, with
two processes and with one, and how often sessions of the site waited for a lock meanwhile. Needs
what `make cluster` needs.

All turns are on one cluster, again and again, so a machine whose pace changes does so for all. While
one process answers alone, the other and its HAProxy stand still.
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
from liuying_cluster.processes import Part
from liuying_cluster.site import Nginx
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
IDLE_S = 20.0
# What one that stood still has missed is no part of the turn.
BEFORE_S = 6.0
WAITING = (
    "SELECT count(*) FILTER (WHERE wait_event_type = 'Lock') FROM pg_stat_activity"
    f" WHERE usename = '{USER}'"
)


class Way(msgspec.Struct, frozen=True):
    """So many processes under so many requests a second."""

    processes: int
    rate: float


class Seen(msgspec.Struct):
    """What a turn used.

    Attributes:
        cpu: Milliseconds of a request, by group.
        failed: Answers that were no success.
        answers: How many there were.
        p50: Milliseconds.
        p99: Milliseconds.
        waiting: Share of looks at which a session waited for a lock.
    """

    cpu: dict[str, float]
    failed: int
    answers: int
    p50: float
    p99: float
    waiting: float

    @property
    def all(self) -> float:
        return sum(self.cpu.values())


class Bench:
    """One cluster with two serving processes, and an nginx that leads to the first alone."""

    def __init__(self, cluster: Cluster, videos: int) -> None:
        self._cluster = cluster
        self._videos = videos
        self._turn = 0
        self._alone = Nginx("nginx-alone", cluster.folder, cluster.serving[:1])
        self._alone.start()
        # The first one settles views: the second may stand still.
        cluster.serving[1].part.kill()
        time.sleep(BEFORE_S)
        cluster.serving[1].start()

    def close(self) -> None:
        self._alone.part.kill()

    def load(self, rate: float, seconds: float) -> None:
        """Requests to both that are not counted."""
        asyncio.run(at_rate(self._cluster.fronts[0].port, Visitors(self._videos), rate, seconds))

    def idle(self, processes: int) -> float:
        """Milliseconds of the processor in a second without requests."""
        with self._only(processes):
            meter = Meter(self._groups(self._cluster.fronts[0]))
            with meter.reading():
                time.sleep(IDLE_S)
        return 1000 * sum(meter.used().values()) / IDLE_S

    def ask(self, way: Way, seconds: float) -> Seen:
        """So many requests a second for a while."""
        front = self._alone if way.processes == 1 else self._cluster.fronts[0]
        # Others each time: who asks for the same again finds it kept.
        self._turn += 1
        visitors = Visitors(self._videos, 1 + self._turn)
        with self._only(way.processes):
            asyncio.run(at_rate(front.port, visitors, way.rate, BEFORE_S))
            meter = Meter(self._groups(front))
            with self._looking() as looks, meter.reading():
                answers = asyncio.run(at_rate(front.port, visitors, way.rate, seconds))
        return Seen(
            {name: 1000 * spent / len(answers) for name, spent in meter.used().items()},
            sum(one.status not in {200, 204, 304} for one in answers),
            len(answers),
            percentile(answers, 0.5),
            percentile(answers, 0.99),
            sum(looks) / max(1, len(looks)),
        )

    @contextmanager
    def _only(self, processes: int) -> Iterator[None]:
        """Let the others do nothing until the block ends."""
        still = [
            part
            for one in self._cluster.serving[processes:]
            for part in (one.part, one.haproxy.part)
        ]
        for part in still:
            part.freeze()
        try:
            yield
        finally:
            for part in reversed(still):
                part.thaw()

    def _groups(self, front: Nginx) -> dict[str, list[Part]]:
        """Whose CPU counts."""
        return {
            "nginx": [front.part],
            "application": [one.part for one in self._cluster.serving],
            "HAProxy": [one.haproxy.part for one in self._cluster.serving],
            "PostgreSQL, all three": self._cluster.postgres.parts,
        }

    @contextmanager
    def _looking(self) -> Iterator[list[bool]]:
        """Whether a session of the site waits for a lock, again and again until the block ends."""
        looks: list[bool] = []
        is_over = threading.Event()

        def look() -> None:
            with self._cluster.connect() as connection:
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
    options: argparse.Namespace, ways: tuple[Way, ...]
) -> tuple[dict[Way, list[Seen]], dict[int, float]]:
    """The turns of each way, and what one and two processes use idle."""
    found: dict[Way, list[Seen]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder, running_cluster(serving=2) as cluster:
        environment = cluster.serving[0].environment
        settings = read_settings({**environment, "LIUYING_DATA_DIR": str(Path(folder) / "data")})
        services = open_services(settings)
        try:
            seed(services.database, Plan(options.videos, 1, system_clock()))
        finally:
            services.database.close()
        bench = Bench(cluster, options.videos)
        try:
            bench.load(options.rate, options.warm)
            for turn in range(options.turns):
                # There and back.
                for way in ways[:: 1 if turn % 2 == 0 else -1]:
                    found[way].append(bench.ask(way, options.seconds))
                    print(turn, way, found[way][-1], file=sys.stderr)
            idle = {processes: bench.idle(processes) for processes in (1, 2)}
        finally:
            bench.close()
    return found, idle


def row_of(way: Way, turns: list[Seen]) -> tuple[str, ...]:
    """The row of the table of one way: means of its turns, and the range of all CPU."""
    spent = [one.all for one in turns]
    return (
        str(way.processes),
        f"{way.rate:.0f}",
        *(f"{mean([one.cpu[name] for one in turns]):.3f}" for name in turns[0].cpu),
        f"{mean(spent):.3f} ({min(spent):.2f} to {max(spent):.2f})",
        f"{mean([one.p50 for one in turns]):.1f}",
        f"{mean([one.p99 for one in turns]):.0f}",
        f"{sum(one.failed for one in turns)} of {sum(one.answers for one in turns):,}",
        f"{mean([one.waiting for one in turns]):.2%}",
    )


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=5000)
    parser.add_argument("--rate", type=float, default=200.0)
    parser.add_argument("--warm", type=float, default=180.0, help="seconds of requests before")
    parser.add_argument("--seconds", type=float, default=30.0, help="of a turn")
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    alone, two, half = Way(1, options.rate), Way(2, options.rate), Way(1, options.rate / 2)
    found, idle = measure(options, (alone, two, half))
    head = (
        "processes",
        "requests a second",
        *(f"{name}, ms" for name in found[alone][0].cpu),
        "all, ms",
        "p50 ms",
        "p99 ms",
        "failed",
        "looks with a lock waited for",
    )
    print(markdown(head, [row_of(way, turns) for way, turns in found.items()]))
    sums = {way: sum(one.all for one in turns) for way, turns in found.items()}
    pairs = sorted(both.all / one.all for one, both in zip(found[alone], found[two], strict=True))
    print(
        f"Two processes use {sums[two] / sums[alone]:.2f} times what one uses for the same requests"
        f" (turn by turn {pairs[0]:.2f} to {pairs[-1]:.2f}), and {sums[two] / sums[half]:.2f} times"
        f" what one uses for half of them, which is what each of the two has. The mix of a visit over"
        f" {options.videos:,} videos; {options.turns} turns of {options.seconds:.0f} s each, one way"
        f" after the other; the CPU is that of a request. When nobody asks, all of these use"
        f" {idle[1]:.0f} ms a second with one process and {idle[2]:.0f} with two."
    )


if __name__ == "__main__":
    main()
