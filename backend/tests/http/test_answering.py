"""Reads are computed apart from writes, in whatever order they come on one connection."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest
import uvicorn
from litestar.concurrency import get_asyncio_executor, set_asyncio_executor

from liuying.http.answering import AnsweringThreads
from liuying.http.application import Application
from liuying.http.server_protocol import protocol_for
from liuying.installation.services import Services

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
    config = uvicorn.Config(application, http=protocol_for(application), log_config=None)
    server = uvicorn.Server(config)
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
