"""Limits over two and eight serving processes that share a database, asked all at once; and what
idle processes cost their PostgreSQL. Needs what `make cluster` needs.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.database import USER
from liuying_cluster.films import import_clip, make_clip
from liuying_cluster.processes import cpu_of
from liuying_cluster.table import markdown
from liuying_cluster.visitors import call

PROCESSES = 8
AT_ONCE = 16
# Backends whose CPU is read may end and begin meanwhile; those that last are the pools'.
SETTLE_S = 10.0


def accepted(
    cluster: Cluster, processes: int, requests: int, path: str, body: object, source: str
) -> Counter[int]:
    """Statuses of requests that one network sends to all processes in turn, many at a time."""
    addresses = [f"http://127.0.0.1:{one.port}" for one in cluster.serving[:processes]]

    def ask(turn: int) -> int:
        code = f"l{abs(hash((source, turn))) % 10**9:09}"
        address = addresses[turn % len(addresses)]
        answer = call(address, path, body, code, source)
        if path == "/api/play/event":
            # Beyond the limit it is answered, and not counted.
            return 200 if b'"is_counted":true' in answer.body else 429
        return answer.status

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(ask, range(requests)))


def measure_limits(cluster: Cluster, video: int, rounds: int) -> list[tuple[str, ...]]:
    """The rows of the limits."""
    view = {"id": video, "event": "view"}
    kinds = (
        ("feedback, 5 a minute", 5, 40, "/api/syssuggest", {"content": "x" * 20}),
        ("unseen codes, 60 a minute", 60, 150, "/api/favorites", None),
        ("views of a video, 30 an hour", 30, 58, "/api/play/event", view),
    )
    rows: list[tuple[str, ...]] = []
    for processes in (2, PROCESSES):
        for place, (name, limit, requests, path, body) in enumerate(kinds):
            found = []
            for turn in range(rounds):
                source = f"127.{40 + processes}.{place}.{turn + 2}"
                statuses = accepted(cluster, processes, requests, path, body, source)
                if set(statuses) - {200, 429}:
                    raise RuntimeError(f"{name}: {statuses}")
                found.append(statuses[200])
            rows.append(
                (name, str(processes), str(requests), str(limit), ", ".join(map(str, found)))
            )
    return rows


def measure_idle(cluster: Cluster, seconds: float) -> list[tuple[str, str]]:
    """What serving processes that nobody asks anything cost the leader."""
    time.sleep(SETTLE_S)
    leader = cluster.postgres.leader()
    if leader is None:
        raise RuntimeError("nobody leads")

    def backends() -> dict[int, float]:
        with psycopg.connect(cluster.postgres.address(leader)) as connection:
            rows = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE usename = %s", [USER]
            ).fetchall()
        return {int(row[0]): cpu_of(int(row[0])) for row in rows}

    part = cluster.postgres.parts[leader]
    before, all_before = backends(), part.cpu()
    began = time.monotonic()
    time.sleep(seconds)
    after, all_after, lasted = backends(), part.cpu(), time.monotonic() - began
    used = sum(after[pid] - before.get(pid, 0.0) for pid in after)
    whole = sum(all_after[pid] - all_before.get(pid, 0.0) for pid in all_after)
    return [
        ("connections of the site", str(len(after))),
        ("their CPU, of a core", f"{used / lasted:.3%}"),
        ("of it a serving process", f"{used / lasted / len(cluster.serving):.3%}"),
        ("the leader and its Patroni in all", f"{whole / lasted:.2%}"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    with TemporaryDirectory() as folder, running_cluster(serving=PROCESSES) as cluster:
        clip = Path(folder) / "clip.mp4"
        make_clip(clip, 5)
        limits = measure_limits(cluster, import_clip(cluster, clip), options.rounds)
        for worker in cluster.working:
            worker.part.stop()
        idle = measure_idle(cluster, options.seconds)
    print(markdown(("limit", "processes", "asked", "allowed", "accepted"), limits))
    print(markdown((f"{PROCESSES} idle serving processes, {options.seconds:.0f} s", "seen"), idle))


if __name__ == "__main__":
    main()
