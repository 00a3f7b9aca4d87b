"""Views at a steady rate at a whole cluster: how many are counted, how long an answer takes, and the
CPU of a view, with PostgreSQL and without the generator. Needs what `make cluster` needs.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
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
from liuying.installation.services import Services, open_services
from liuying.installation.settings import read_settings
from liuying.kit.clock import system_clock

VIDEOS, CONNECTIONS = 5000, 512
# What has not been answered so long after the last was sent never will be.
ANSWERED_S = 120.0


class Counted(msgspec.Struct):
    """What became of the views that were sent."""

    counted: int = 0
    others: int = 0
    seconds: list[float] = msgspec.field(default_factory=list)


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


def request_of(dice: random.Random, turn: int) -> bytes:
    """A view by a visitor of a network of its own, as an nginx in front would pass it on."""
    watched = int(VIDEOS ** dice.random())
    body = b'{"id":%d,"event":"view"}' % watched
    network = f"10.{turn >> 16 & 255}.{turn >> 8 & 255}.{turn & 255}"
    return (
        f"POST /api/play/event HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: {network}\r\n"
        f"X-Visitor-Code: v{turn:09}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body


async def send(port: int, queue: asyncio.Queue[tuple[float, bytes]], counted: Counted) -> None:
    """One connection that is kept; takes what is due next."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while True:
        due, request = await queue.get()
        if not request:
            break
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        body = await reader.readexactly(length)
        counted.seconds.append(time.monotonic() - due)
        if b'"is_counted":true' in body:
            counted.counted += 1
        else:
            counted.others += 1
    writer.close()


async def view(cluster: Cluster, rate: int, seconds: int) -> Counted:
    """Send views in time, whether or not those before are answered."""
    counted, dice = Counted(), random.Random(1)  # noqa: S311 - no secret
    queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
    ports = [one.port for one in cluster.serving]
    senders = [
        asyncio.create_task(send(ports[number % len(ports)], queue, counted))
        for number in range(CONNECTIONS)
    ]
    began = time.monotonic()
    total = rate * seconds
    sent = 0
    while sent < total:
        await asyncio.sleep(0.005)
        now = time.monotonic()
        while sent < total and began + sent / rate <= now:
            queue.put_nowait((began + sent / rate, request_of(dice, sent)))
            sent += 1
    for _ in senders:
        queue.put_nowait((0.0, b""))
    async with asyncio.timeout(ANSWERED_S):
        await asyncio.gather(*senders)
    return counted


def stored(services: Services) -> tuple[int, int]:
    """Views in the database, and marks of visitors."""
    with services.database.read() as connection:
        settled = connection.execute(sa.select(sa.func.sum(video.c.pageviews))).scalar() or 0
        pending = connection.execute(sa.select(sa.func.sum(view_pending.c.views))).scalar() or 0
        marks = connection.execute(sa.select(sa.func.count()).select_from(view_mark)).scalar_one()
    return int(settled) + int(pending), int(marks)


def main() -> None:
    """Measure and print."""
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
            meter = Meter(
                {
                    "application": [one.part for one in cluster.serving],
                    "PostgreSQL, all three": cluster.postgres.parts,
                    "HAProxy": [one.haproxy.part for one in cluster.serving],
                }
            )
            began = time.monotonic()
            with meter.reading():
                counted = asyncio.run(view(cluster, options.rate, options.seconds))
            lasted = time.monotonic() - began
            in_database, marks = stored(services)
        finally:
            services.database.close()
    answered = counted.counted + counted.others
    ranks = statistics.quantiles(counted.seconds, n=100)
    used = meter.used()
    rows = [
        ("sent a second", f"{answered / lasted:,.0f}"),
        ("answered as counted", f"{counted.counted:,} of {answered:,}"),
        ("in the database", f"{in_database:,} views, {marks:,} marks"),
        ("answer p50, p99", f"{ranks[49] * 1000:.0f} ms, {ranks[98] * 1000:.0f} ms"),
        *(
            (f"CPU of a view: {name}", f"{1000 * seconds / answered:.3f} ms")
            for name, seconds in used.items()
        ),
        ("CPU of a view: all", f"{1000 * sum(used.values()) / answered:.3f} ms"),
    ]
    print(markdown(("what", "seen"), rows))
    print(f"Two serving processes; {VIDEOS:,} videos, watched by Zipf's law, for {lasted:.0f} s.")


if __name__ == "__main__":
    main()
