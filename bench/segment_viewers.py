"""Viewers who each take a segment every four seconds (`viewers.py`)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import msgspec
from liuying_cluster.films import Segment

EVERY_S = 4.0
BUFFER = 256 * 1024
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
