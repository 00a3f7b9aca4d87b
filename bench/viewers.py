"""Viewers of a whole cluster: each takes a segment every four seconds, through one of two nginx
that keep what they fetched from S3. Then the same while parts of the cluster are killed, and at last
from an nginx that has the files and asks nobody.

A segment that comes later than the next one is due, or not at all, stalls its viewer. CPU seconds
are the processes' own. Needs what `make cluster` needs.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import msgspec
from cached_responses import NGINX
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.films import Segment, import_clip, make_clip, segments_of
from liuying_cluster.meter import Meter
from liuying_cluster.ports import free_port
from liuying_cluster.processes import Part, answers, wait_until
from liuying_cluster.table import markdown
from liuying_cluster.visitors import call

EVERY_S = 4.0
BUFFER = 256 * 1024
FILMS, FILM_S, NOISE = 2, 40, 25
# Viewers of one network: nginx limits them.
OF_A_NETWORK = 50


class Taken(msgspec.Struct):
    """What the viewers got: seconds of each segment, stalls, bytes."""

    seconds: list[float] = msgspec.field(default_factory=list)
    stalls: int = 0
    bytes: int = 0


class Connection(asyncio.BufferedProtocol):
    """A connection that is kept, reading bodies into one buffer that all share."""

    buffer = memoryview(bytearray(BUFFER))

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self._head = b""
        self._left = -1
        self._status = 0
        self._answer: asyncio.Future[int] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def ask(self, request: bytes) -> asyncio.Future[int]:
        """Ask for a file; the status of its answer, when all of it is there."""
        if self.transport is None:
            raise ConnectionResetError
        self._head, self._left = b"", -1
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self._answer

    def get_buffer(self, sizehint: int) -> memoryview:
        return self.buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._left < 0:
            self._head += bytes(self.buffer[:nbytes])
            head, found, body = self._head.partition(b"\r\n\r\n")
            if not found:
                return
            self._status = int(head[9:12])
            lengths = [one for one in head.lower().split(b"\r\n") if one.startswith(b"content-le")]
            self._left = int(lengths[0].partition(b":")[2]) - len(body)
        else:
            self._left -= nbytes
        if self._left == 0 and self._answer is not None and not self._answer.done():
            self._answer.set_result(self._status)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionResetError())


async def watch(
    address: str,
    network: str,
    segments: Sequence[Segment],
    begin: float,
    taken: Taken,
) -> None:
    """One viewer, from a moment of the loop's clock on; the film begins again at its end."""
    loop = asyncio.get_running_loop()
    parts = urlsplit(address)
    connection: Connection | None = None
    for turn, (path, asked, size) in enumerate(segments):
        due = begin + turn * EVERY_S
        await asyncio.sleep(due - loop.time())
        heads = f"Host: {parts.netloc}\r\nRange: {asked}\r\n\r\n"
        request = f"GET {path} HTTP/1.1\r\n{heads}".encode()
        status = 0
        try:
            async with asyncio.timeout_at(due + EVERY_S):
                if connection is None or connection.transport is None:
                    _, connection = await loop.create_connection(
                        Connection,
                        str(parts.hostname),
                        parts.port or 80,
                        local_addr=(network, 0),
                    )
                status = await connection.ask(request)
        except (OSError, TimeoutError):
            if connection is not None and connection.transport is not None:
                connection.transport.abort()
            connection = None
        taken.seconds.append(loop.time() - due)
        taken.bytes += size if status == 206 else 0
        taken.stalls += status != 206
    if connection is not None and connection.transport is not None:
        connection.transport.abort()


async def watch_all(
    addresses: Sequence[str],
    films: Sequence[Sequence[Segment]],
    viewers: int,
    seconds: float,
    happen: Callable[[], None],
) -> Taken:
    """Let viewers watch, spread over the four seconds; what happens, happens after a third."""
    taken = Taken()
    loop = asyncio.get_running_loop()
    begin = loop.time() + 1.0
    dice = random.Random(1)  # noqa: S311 - no secret
    tasks = []
    for number in range(viewers):
        film = films[number % len(films)]
        first = dice.randrange(len(film))
        turns = int(seconds / EVERY_S)
        shown = [film[(first + turn) % len(film)] for turn in range(turns)]
        front = addresses[number % len(addresses)]
        network = f"127.{20 + number // OF_A_NETWORK // 250}.{number // OF_A_NETWORK % 250}.9"
        start = begin + number / viewers * EVERY_S
        tasks.append(asyncio.create_task(watch(front, network, shown, start, taken)))
    await asyncio.sleep(seconds / 3)
    await asyncio.to_thread(happen)
    await asyncio.gather(*tasks)
    return taken


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
        run(options.viewers, serving[0])
        run(options.viewers, cluster.store.part)
        run(options.viewers, *serving)
        run(options.many)
        with local_files(films, cluster.fronts[0].address, Path(folder)) as local:
            seen = measure(local, films, options.many, options.seconds, ())
            rows.append((f"{options.many:,}, an nginx with the files", "nothing", *seen))
    print(markdown(HEAD, rows))
    print(
        f"{len(sizes)} segments of {min(sizes) // 1000} to {max(sizes) // 1000} kB,"
        f" {statistics.mean(sizes) / 1000:.0f} on average; what is killed is killed after a third"
        f" of {options.seconds:.0f} s. Whoever serves also says who may read."
    )


if __name__ == "__main__":
    main()
