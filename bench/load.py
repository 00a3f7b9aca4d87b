"""Mixed requests a second against a running server, as visitors send them; then far too many.

Fills an installation of its own (`liuying bench seed`), starts `liuying serve`, and sends requests,
views and favourites among them, at their moment whether or not the ones before were answered: a
wait is counted in full. Then finds out how many requests a second the server answers at most, sends
three times as many, and watches how long the ordinary load takes to be answered as before.
Milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter, defaultdict, deque
from pathlib import Path
from zlib import crc32

import msgspec
from server import cpu_seconds, memory_of, serving
from visitors import NETWORKS, Asked, Visitors

from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying_seeding.fill import seed
from liuying_seeding.videos import Plan

RATE = 300
PATIENCE_S = 10.0
# Of the ordinary load; the server's memory is looked at after each.
PARTS = 5
OVERLOAD_S = 10.0
RECOVERY_S = 30
# Of requests under way when the server's limit is looked for.
TOGETHER = 64


class Answer(msgspec.Struct, frozen=True):
    """How a request ended.

    Attributes:
        due: The moment it was to be sent, seconds.
        took: Milliseconds from then to the last byte.
        status: 0 where there was no answer.
        reason: Why there was none.
    """

    kind: str
    due: float
    took: float
    status: int
    reason: str = ""


class Sender:
    """Sends requests over connections that stay open, from many local addresses.

    As browsers do, it takes the connection that was used last, and where the server has closed it
    meanwhile, sends the request again on a new one (RFC 9112 §9.3.1).
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._idle: defaultdict[int, deque[tuple[asyncio.StreamReader, asyncio.StreamWriter]]] = (
            defaultdict(deque)
        )
        self._dice = random.Random(5)
        self.answers: list[Answer] = []

    async def send(self, asked: Asked, due: float) -> None:
        """Send, and note how it ended."""
        status, reason = 0, ""
        try:
            async with asyncio.timeout(PATIENCE_S):
                status = await self._exchange(asked)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError) as fault:
            reason = type(fault).__name__
        took = (time.perf_counter() - due) * 1000
        self.answers.append(Answer(asked.kind, due, took, status, reason))

    async def _exchange(self, asked: Asked) -> int:
        # A visitor with a code stays where they are: a code is new to every other network.
        network = (
            crc32(asked.code.encode()) if asked.code else self._dice.randrange(NETWORKS)
        ) % NETWORKS
        idle = self._idle[network]
        is_used = bool(idle)
        reader, writer = idle.pop() if idle else await self._connect(network)
        try:
            writer.write(_bytes_of(asked))
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (ConnectionError, asyncio.IncompleteReadError) as fault:
                has_begun = isinstance(fault, asyncio.IncompleteReadError) and fault.partial
                if not is_used or has_begun:
                    raise
                writer.close()
                reader, writer = await self._connect(network)
                writer.write(_bytes_of(asked))
                head = await reader.readuntil(b"\r\n\r\n")
            fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2])
            await reader.readexactly(int(fields.get(b"content-length", 0)))
        except BaseException:
            writer.close()
            raise
        if fields.get(b"connection") == b"close":
            writer.close()
        else:
            idle.append((reader, writer))
        return int(head.split(b" ", 2)[1])

    async def _connect(self, network: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(f"127.0.1.{network + 1}", 0)
        )

    def close(self) -> None:
        for idle in self._idle.values():
            for _, writer in idle:
                writer.close()


def _bytes_of(asked: Asked) -> bytes:
    lines = [
        f"{'POST' if asked.body else 'GET'} {asked.target} HTTP/1.1",
        "host: 127.0.0.1",
        "accept-encoding: gzip",
    ]
    if asked.code:
        lines.append(f"x-visitor-code: {asked.code}")
    if asked.body:
        lines += [
            "content-type: application/json",
            f"content-length: {len(asked.body)}",
        ]
    return "\r\n".join([*lines, "", ""]).encode() + asked.body


async def at_rate(port: int, visitors: Visitors, rate: float, seconds: float) -> list[Answer]:
    """Send so many requests a second, each at its moment."""
    sender, began = Sender(port), time.perf_counter()
    async with asyncio.TaskGroup() as under_way:
        for number in range(int(rate * seconds)):
            due = began + number / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            under_way.create_task(sender.send(visitors.draw(), due))
    sender.close()
    return sender.answers


async def as_fast_as_possible(port: int, visitors: Visitors, seconds: float) -> list[Answer]:
    """A new request with every answer."""
    sender, ends = Sender(port), time.perf_counter() + seconds

    async def ask() -> None:
        while (now := time.perf_counter()) < ends:
            await sender.send(visitors.draw(), now)

    await asyncio.gather(*(ask() for _ in range(TOGETHER)))
    sender.close()
    return sender.answers


def percentile(answers: list[Answer], share: float) -> float:
    """Milliseconds that this share of the answers stayed below."""
    times = sorted(one.took for one in answers)
    return times[min(len(times) - 1, int(len(times) * share))] if times else float("nan")


def ordinary(answers: list[Answer]) -> list[str]:
    """The figures of the ordinary load as a Markdown table."""
    lines = [
        "| call | requests | p50 | p95 | p99 | errors |",
        "|---|---|---|---|---|---|",
    ]
    kinds = ["all", *sorted({one.kind for one in answers})]
    for kind in kinds:
        some = [one for one in answers if kind in {"all", one.kind}]
        cells = " | ".join(f"{percentile(some, share):.1f}" for share in (0.5, 0.95, 0.99))
        lines.append(
            f"| {kind} | {len(some):,} | {cells} | {sum(one.status != 200 for one in some)} |"
        )
    return lines


def recovery(answers: list[Answer], ended: float, limit: float) -> str:
    """After how many seconds a whole second's requests were answered as before the overload."""
    for second in range(RECOVERY_S):
        some = [one for one in answers if ended + second <= one.due < ended + second + 1]
        if some and percentile(some, 0.95) <= limit and all(one.status == 200 for one in some):
            return f"{second} s"
    return f"more than {RECOVERY_S} s"


async def overload(port: int, visitors: Visitors, before: float) -> list[str]:
    """Three times what the server can answer, then the ordinary load again.

    Args:
        before: The 95th percentile of the ordinary load, milliseconds.
    """
    answered = await as_fast_as_possible(port, visitors, OVERLOAD_S)
    capacity = len(answered) / OVERLOAD_S
    hard = await at_rate(port, visitors, 3 * capacity, OVERLOAD_S)
    ended = time.perf_counter()
    after = await at_rate(port, visitors, min(RATE, capacity / 2), RECOVERY_S)
    ends = Counter(one.status for one in hard)
    shares = ", ".join(
        f"{ends[status] / len(hard):.0%} {name}"
        for status, name in ((200, "answered"), (503, "503"))
    )
    others = Counter(one.reason or one.status for one in hard if one.status not in {200, 503})
    rest = others.total() / len(hard)
    told = f" ({', '.join(f'{count} {name}' for name, count in others.items())})" if others else ""
    return [
        f"At most {capacity:,.0f} requests a second. At three times that for {OVERLOAD_S:.0f} s: {shares}, {rest:.1%} "
        f"otherwise{told}. The 95th percentile is within twice what it was after {recovery(after, ended, 2 * before)}."
    ]


def main() -> None:
    """Fill, load and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--videos", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--rate", type=int, default=RATE, help="requests a second")
    parser.add_argument(
        "--data",
        type=Path,
        help="a folder that was filled with --videos; it is written to",
    )
    parser.add_argument(
        "--database",
        default="",
        help="address of an empty PostgreSQL database; SQLite without it",
    )
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.data or Path(scratch)
        if chosen.data is None:
            services = open_services(Settings(data_dir=folder, database_url=chosen.database))
            migrate(services.database)
            seed(services.database, Plan(chosen.videos, 1, system_clock()))
            services.database.close()
        with serving(folder, chosen.database, ("--workers", "0")) as (port, pid):
            visitors, held = Visitors(chosen.videos), [memory_of(pid)]
            used, answers = cpu_seconds(pid), list[Answer]()
            # In parts, one right after the other: caches fill up first, and only then is memory to
            # stand still.
            for _ in range(PARTS):
                answers += asyncio.run(at_rate(port, visitors, chosen.rate, chosen.seconds / PARTS))
                held.append(memory_of(pid))
            used = (cpu_seconds(pid) - used) / chosen.seconds
            print(
                f"{chosen.videos:,} videos, {chosen.rate} requests a second for {chosen.seconds} s.\n"
            )
            print("\n".join(ordinary(answers)))
            ends = Counter(one.status for one in answers if one.status != 200)
            print(f"\nErrors by status (0: no answer): {dict(ends) or 'none'}.")
            each = " → ".join(map(str, held))
            print(
                f"\nThe server's memory at the start and after each fifth: {each} MiB; {used:.2f} of one processor."
            )
            print(
                "\n".join(asyncio.run(overload(port, visitors, percentile(answers, 0.95)))),
                flush=True,
            )


if __name__ == "__main__":
    main()
