"""Reads are computed apart from writes, in whatever order they come on one connection."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest
import uvicorn
from litestar.concurrency import get_asyncio_executor, set_asyncio_executor

from liuying.http.application import Application
from liuying.http.server_protocol import protocol_for
from liuying.installation.services import Services
from liuying.kit.answering import READING, AnsweringThreads
from liuying.kit.server_config import server_config

PATIENCE_S = 20.0
REPORT = b'{"content":"pipelined"}'
WRITE = b"POST /api/syssuggest HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
# Each is computed in a thread.
READS = ("/api/topics", "/robots.txt", "/api/sysnotice", "/manifest.webmanifest")


class NotedThreads(AnsweringThreads):
    """Remembers in which threads something was computed, in order of arrival."""

    def __init__(self) -> None:
        super().__init__()
        self.used: list[str] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        def noted() -> Any:
            self.used.append(threading.current_thread().name.partition("_")[0])
            return fn(*args, **kwargs)

        return super().submit(noted)


@pytest.fixture
def threads() -> Iterator[NotedThreads]:
    before = get_asyncio_executor()
    noted = NotedThreads()
    set_asyncio_executor(noted)
    yield noted
    set_asyncio_executor(before)
    noted.shutdown()


@pytest.fixture
def port(filled: Services, threads: NotedThreads) -> Iterator[int]:
    application = Application(filled)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config(application, protocol_for(application)))
    running = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    running.start()
    yield int(listener.getsockname()[1])
    server.should_exit = True
    running.join(PATIENCE_S)
    listener.close()


def test_reads_that_follow_a_write_in_one_packet(port: int, threads: NotedThreads) -> None:
    last = len(READS) - 1
    packet = WRITE + f"content-length: {len(REPORT)}\r\n\r\n".encode() + REPORT
    for number, path in enumerate(READS):
        end = "connection: close\r\n" if number == last else ""
        packet += f"GET {path} HTTP/1.1\r\nhost: x\r\n{end}\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(packet)
        received = b""
        while data := connection.recv(65536):
            received += data
    assert received.count(b"HTTP/1.1 200 OK\r\n") == 1 + len(READS)
    assert threads.used == ["writing"] + ["reading"] * len(READS)


def test_a_call_that_takes_too_long_fails_while_its_work_goes_on() -> None:
    may_end, ended = threading.Event(), threading.Event()

    def write() -> None:
        may_end.wait(PATIENCE_S)
        ended.set()

    async def scenario() -> list[str]:
        loop = asyncio.get_running_loop()
        hanging = [loop.run_in_executor(threads, write) for _ in range(READING)]
        waiting = [loop.run_in_executor(threads, began.append, number) for number in range(3)]
        failed = await asyncio.gather(*hanging, *waiting, return_exceptions=True)
        may_end.set()
        await asyncio.to_thread(ended.wait, PATIENCE_S)
        threads._patience = PATIENCE_S
        assert await loop.run_in_executor(threads, lambda: "again") == "again"
        return [type(one).__name__ for one in failed]

    began: list[int] = []
    threads = AnsweringThreads(patience=0.05)
    names = asyncio.run(asyncio.wait_for(scenario(), PATIENCE_S))
    threads.shutdown()
    assert names == ["SlowDatabaseError"] * (READING + 3)
    assert ended.is_set()
    # Nobody waited any more for what had not begun.
    assert began == []
