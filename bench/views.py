"""Views at a steady rate at a whole cluster: how many are counted, how long an answer takes, and the
CPU of a view, with PostgreSQL and without the generator. Needs what `make cluster` needs.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import sqlalchemy as sa
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.films import CATEGORY
from liuying_cluster.meter import Meter
from liuying_cluster.table import markdown

from liuying.core.catalogue.named_categories import category_id_of
from liuying.core.catalogue.tables import video
from liuying.features.views.tables import view_mark, view_pending
from liuying.installation.environment import read_settings
from liuying.installation.services import Services, open_services
from liuying.kit.clock import system_clock

VIDEOS, CONNECTIONS, VIEWS_OF_ONE = 5000, 512, 5
WARM_S = 30
# What has not been answered so long after the last was sent never will be.
ANSWERED_S = 120.0
# Answers, below which there is no p99 to speak of.
LEAST = 100


class Counted(msgspec.Struct):
    """What became of the views that were sent.

    Attributes:
        counted: Answered as counted.
        others: Answered otherwise, by status.
        lost: Their connection ended before the answer, by the error.
        waiting: Not answered at all.
        seconds: From the moment it was due to its answer, of each that was answered.
    """

    counted: int = 0
    others: Counter[str] = msgspec.field(default_factory=Counter)
    lost: Counter[str] = msgspec.field(default_factory=Counter)
    waiting: int = 0
    seconds: list[float] = msgspec.field(default_factory=list)

    def complaint(self) -> str:
        """What went wrong, in one line; empty where all were counted."""
        parts = [
            *(f"{number:,} answered {status}" for status, number in self.others.items()),
            *(f"{number:,} lost ({error})" for error, number in self.lost.items()),
            *([f"{self.waiting:,} not answered in {ANSWERED_S:.0f} s"] if self.waiting else []),
        ]
        return ", ".join(parts)


def add_videos(services: Services) -> None:
    """Listed videos without files."""
    now = system_clock()
    with services.database.write() as connection:
        category = category_id_of(connection, CATEGORY)
        rows = [
            {
                "category_id": category,
                "title": f"影片 {number}",
                "is_listed": True,
                "created_at": now,
                "updated_at": now,
            }
            for number in range(VIDEOS)
        ]
        connection.execute(sa.insert(video), rows)


def requests_of(count: int) -> list[bytes]:
    """Views as an nginx in front passes them on, in any order: each visitor, of a network of their
    own, watches some videos, of which a few are watched by many (Zipf's law).
    """
    dice = random.Random(1)  # noqa: S311 - no secret
    requests: list[bytes] = []
    while len(requests) < count:
        visitor, watched = len(requests) // VIEWS_OF_ONE, set[int]()
        while len(watched) < VIEWS_OF_ONE:
            watched.add(int(VIDEOS ** dice.random()))
        requests += (request_of(visitor, one) for one in watched)
    dice.shuffle(requests)
    return requests[:count]


def request_of(visitor: int, video_id: int) -> bytes:
    """With the headers of a phone's browser."""
    body = b'{"id":%d,"event":"view","wait":0}' % video_id
    network = f"10.{visitor >> 16 & 255}.{visitor >> 8 & 255}.{visitor & 255}"
    return (
        f"POST /api/play/event HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: {network}\r\n"
        f"X-Forwarded-Proto: https\r\nX-Visitor-Code: v{visitor:09}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        "User-Agent: Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko)"
        " Chrome/131.0.0.0 Mobile Safari/537.36\r\nAccept: */*\r\nOrigin: https://bench\r\n"
        f"Referer: https://bench/videoplay/{video_id}\r\nSec-Fetch-Site: same-origin\r\n"
        "Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n"
        "Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: zh-CN,zh;q=0.9\r\n\r\n"
    ).encode() + body


async def ask(
    streams: tuple[asyncio.StreamReader, asyncio.StreamWriter], request: bytes
) -> tuple[str, bytes]:
    """The status and the body of an answer."""
    reader, writer = streams
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    return head.split(b" ", 2)[1].decode(), await reader.readexactly(length)


async def send(port: int, queue: asyncio.Queue[tuple[float, bytes]], counted: Counted) -> None:
    """One connection that is kept, and made anew where it ends; takes what is due next."""
    streams = None
    while True:
        due, request = await queue.get()
        if not request:
            break
        try:
            # One that was closed since its last answer has not taken this request.
            if streams is None or streams[0].at_eof():
                streams = await asyncio.open_connection("127.0.0.1", port)
            status, body = await ask(streams, request)
        except (OSError, EOFError, ValueError) as error:
            counted.lost[type(error).__name__] += 1
            if streams is not None:
                streams[1].close()
            streams = None
            continue
        counted.seconds.append(time.monotonic() - due)
        if b'"is_counted":true' in body:
            counted.counted += 1
        else:
            counted.others[status] += 1
    if streams is not None:
        streams[1].close()


async def view(cluster: Cluster, rate: int, requests: list[bytes]) -> Counted:
    """Send views in time, whether or not those before are answered."""
    counted = Counted()
    queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
    ports = [one.port for one in cluster.serving]
    senders = [
        asyncio.create_task(send(ports[number % len(ports)], queue, counted))
        for number in range(CONNECTIONS)
    ]
    began = time.monotonic()
    total, sent = len(requests), 0
    while sent < total:
        await asyncio.sleep(0.005)
        now = time.monotonic()
        while sent < total and began + sent / rate <= now:
            queue.put_nowait((began + sent / rate, requests[sent]))
            sent += 1
    for _ in senders:
        queue.put_nowait((0.0, b""))
    ended, late = await asyncio.wait(senders, timeout=ANSWERED_S)
    for one in late:
        one.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    for one in ended:
        one.result()  # Raises what it did not expect.
    counted.waiting = total - len(counted.seconds) - counted.lost.total()
    return counted


def stored(services: Services) -> tuple[int, int]:
    """Views in the database, and marks of visitors."""
    with services.database.read() as connection:
        settled = connection.execute(sa.select(sa.func.sum(video.c.pageviews))).scalar() or 0
        pending = connection.execute(sa.select(sa.func.sum(view_pending.c.views))).scalar() or 0
        marks = connection.execute(sa.select(sa.func.count()).select_from(view_mark)).scalar_one()
    return int(settled) + int(pending), int(marks)


def main() -> int:
    """Measure and print; 1 where there is nothing to measure, and a line says why."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=int, default=2000)
    parser.add_argument("--seconds", type=int, default=30)
    options = parser.parse_args()
    with TemporaryDirectory() as folder, running_cluster() as cluster:
        data = Path(folder) / "data"
        environment = {**cluster.serving[0].environment, "LIUYING_DATA_DIR": str(data)}
        services = open_services(read_settings(environment))
        try:
            add_videos(services)
            warming = options.rate * WARM_S
            requests = requests_of(warming + options.rate * options.seconds)
            # The servers have just been started, and learn of all those videos.
            asyncio.run(view(cluster, options.rate, requests[:warming]))
            before, _ = stored(services)
            meter = Meter(
                {
                    "application": [one.part for one in cluster.serving],
                    "PostgreSQL, all three": cluster.postgres.parts,
                    "HAProxy": [one.haproxy.part for one in cluster.serving],
                }
            )
            began = time.monotonic()
            with meter.reading():
                counted = asyncio.run(view(cluster, options.rate, requests[warming:]))
            lasted = time.monotonic() - began
            in_database, marks = stored(services)
        finally:
            services.database.close()
    complaint, answered = counted.complaint(), len(counted.seconds)
    if answered < LEAST:
        print(f"views: {answered} answers are too few to measure: {complaint}", file=sys.stderr)
        return 1
    ranks = statistics.quantiles(counted.seconds, n=100)
    used = meter.used()
    rows = [
        ("sent a second", f"{answered / lasted:,.0f}"),
        ("answered as counted", f"{counted.counted:,} of {answered:,}"),
        ("in the database", f"{in_database - before:,} more views; {marks:,} marks in all"),
        ("answer p50, p99", f"{ranks[49] * 1000:.0f} ms, {ranks[98] * 1000:.0f} ms"),
        *(
            (f"CPU of a view: {name}", f"{1000 * seconds / answered:.3f} ms")
            for name, seconds in used.items()
        ),
        ("CPU of a view: all", f"{1000 * sum(used.values()) / answered:.3f} ms"),
    ]
    print(markdown(("what", "seen"), rows))
    print(
        f"Two serving processes; {VIDEOS:,} videos, watched by Zipf's law; {VIEWS_OF_ONE} views a"
        f" visitor, {lasted:.0f} s."
    )
    if complaint:
        print(f"Not counted: {complaint}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
