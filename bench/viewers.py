"""Viewers of a whole cluster: each takes a segment every four seconds, through one of two nginx
that keep what they fetched from S3. Then the same while parts of the cluster are killed, and at last
from an nginx that has the files and asks nobody.

A segment that comes later than the next one is due, or not at all, stalls its viewer. CPU seconds
are the processes' own. Needs what `make cluster` needs.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from cached_responses import NGINX
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.films import Segment, import_clip, make_clip, segments_of
from liuying_cluster.meter import Meter
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, answers, wait_until
from liuying_cluster.table import markdown
from liuying_cluster.visitors import call
from segment_viewers import watch_all

FILMS, FILM_S, NOISE = 2, 40, 25


def kept_segments(cluster: Cluster, video: int) -> list[Segment]:
    """A video's segments; every nginx keeps them from now on."""
    found = segments_of(cluster, video)
    for one in found:
        answers = [call(front.address, one.path, asked=one.asked) for front in cluster.fronts]
        if any(len(answer.body) != one.size for answer in answers):
            raise RuntimeError(f"{one.path}, {one.asked}: not {one.size} bytes")
    return found


class Setting(msgspec.Struct, frozen=True):
    """Who serves the viewers, and whose CPU counts.

    Attributes:
        addresses: Of the nginx that they ask.
        groups: Parts by name: nginx, application, store.
    """

    addresses: Sequence[str]
    groups: Mapping[str, Sequence[Part]]


def measure(
    setting: Setting,
    films: Sequence[Sequence[Segment]],
    viewers: int,
    seconds: float,
    killed: Sequence[Part],
) -> tuple[str, ...]:
    """One run; what is killed starts again after it. The row of its table but the name."""
    meter = Meter(setting.groups)
    own = resource.getrusage(resource.RUSAGE_SELF)
    began = time.monotonic()

    def happen() -> None:
        meter.read()
        for part in killed:
            part.kill()

    with meter.reading():
        taken = asyncio.run(watch_all(setting.addresses, films, viewers, seconds, happen))
    lasted = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_SELF)
    generator = after.ru_utime + after.ru_stime - own.ru_utime - own.ru_stime
    used = meter.used()
    cores = {name: one / lasted for name, one in used.items()}
    ranks = statistics.quantiles(taken.seconds, n=100)
    return (
        f"{len(taken.seconds):,}",
        f"{taken.stalls} ({taken.stalls / len(taken.seconds):.2%})",
        f"{ranks[49] * 1000:.1f}",
        f"{ranks[98] * 1000:.0f}",
        f"{taken.bytes / lasted / 1e6:.0f}",
        f"{cores['nginx']:.3f}",
        f"{cores['application']:.3f}",
        f"{cores['store']:.3f}",
        f"{(used['nginx'] + used['application']) / (taken.bytes / 1e9):.2f}",
        f"{generator / lasted:.2f}",
    )


def keep_files(films: Sequence[Sequence[Segment]], address: str, target: Path) -> None:
    """Write the renditions' files below a folder, by their paths."""
    for path in {one.path for film in films for one in film}:
        file = target / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(call(address, path).body)


@contextmanager
def local_files(
    films: Sequence[Sequence[Segment]], address: str, folder: Path
) -> Iterator[Setting]:
    """One nginx that has the renditions' files, and asks nobody."""
    keep_files(films, address, folder / "www")
    port = free_port()
    config = folder / "nginx.conf"
    config.write_text(
        NGINX.replace("connections 1024", "connections 8192").format(folder=folder, port=port)
    )
    part = Part("local", ["nginx", "-c", str(config), "-p", str(folder)], folder)
    part.start()
    try:
        wait_until(lambda: answers(port), "nginx 没有就绪", [part])
        yield Setting(
            [f"http://127.0.0.1:{port}"], {"nginx": [part], "application": [], "store": []}
        )
    finally:
        part.stop()


HEAD = (
    "viewers",
    "killed",
    "segments",
    "stalls",
    "p50 ms",
    "p99 ms",
    "MB/s",
    "nginx, cores",
    "application",
    "store",
    "nginx and application, CPU s/GB",
    "generator",
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=1000)
    parser.add_argument("--many", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    rows = []
    with running_cluster() as cluster, TemporaryDirectory() as folder:
        films = []
        for number in range(FILMS):
            clip = Path(folder) / f"{number}.mp4"
            # No two alike, with segments as large as a real film's.
            make_clip(clip, FILM_S + number, noise=NOISE)
            films.append(kept_segments(cluster, import_clip(cluster, clip)))
            print(f"film {number + 1}: {len(films[-1])} segments", file=sys.stderr)
        sizes = [one.size for film in films for one in film]

        setting = Setting(
            [one.address for one in cluster.fronts],
            {
                "nginx": [one.part for one in cluster.fronts],
                "application": [one.part for one in cluster.serving],
                "store": [cluster.store.part],
            },
        )

        def run(viewers: int, *killed: Part) -> None:
            seen = measure(setting, films, viewers, options.seconds, killed)
            names = " and ".join(part.name for part in killed) or "nothing"
            rows.append((f"{viewers:,}", names, *seen))
            print(rows[-1], file=sys.stderr)
            for part in killed:
                part.start()
            cluster.store.wait_until_ready()
            for one in cluster.serving:
                one.wait_until_ready()

        serving = [one.part for one in cluster.serving]
        run(options.viewers)
        # Before anything is killed: what has just started uses more.
        run(options.many)
        with local_files(films, cluster.fronts[0].address, Path(folder)) as local:
            seen = measure(local, films, options.many, options.seconds, ())
            rows.append((f"{options.many:,}, an nginx with the files", "nothing", *seen))
        run(options.viewers, serving[0])
        run(options.viewers, cluster.store.part)
        run(options.viewers, *serving)
    print(markdown(HEAD, rows))
    print(
        f"{len(sizes)} segments of {min(sizes) // 1000} to {max(sizes) // 1000} kB,"
        f" {statistics.mean(sizes) / 1000:.0f} on average; what is killed is killed after a third"
        f" of {options.seconds:.0f} s. Whoever serves also says who may read."
    )


if __name__ == "__main__":
    main()
