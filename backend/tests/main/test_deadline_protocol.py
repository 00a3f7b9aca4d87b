"""Connections that send slowly are cut; the others are left alone (threats 18)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from liuying.main.web.deadline_protocol import DeadlineProtocol

PATIENCE_S = 20.0
REQUEST = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"


class HastyProtocol(DeadlineProtocol):
    """The same with a deadline that a test can wait for."""

    request_deadline = 0.4


async def answer_hello(scope: Any, receive: Any, send: Any) -> None:
    assert scope["type"] == "http"
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(answer_hello, http=HastyProtocol, lifespan="off", log_config=None, timeout_keep_alive=30)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()
    server.should_exit = True
    thread.join(PATIENCE_S)
    listener.close()


def until_closed(connection: socket.socket) -> bytes:
    received = b""
    try:
        while data := connection.recv(4096):
            received += data
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nhost: local",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n123",
        # The second request of a kept connection is watched like the first.
        REQUEST + b"GET / HTTP/1.1\r\n",
        b"\r\n",
    ],
)
def test_a_request_that_never_ends_is_cut(address: tuple[str, int], sent: bytes) -> None:
    with socket.create_connection(address, timeout=PATIENCE_S) as connection:
        connection.sendall(sent)
        received = until_closed(connection)  # times out, and fails, where nothing cuts
    assert received.count(b"hello") == sent.startswith(REQUEST)


def test_a_waiting_connection_is_kept_past_the_deadline(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=PATIENCE_S) as kept:
        kept.sendall(REQUEST)
        assert kept.recv(4096).endswith(b"hello")
        # Another connection that is cut tells that the deadline has passed, without sleeping for it.
        with socket.create_connection(address, timeout=PATIENCE_S) as slow:
            slow.sendall(b"GET")
            until_closed(slow)
        kept.sendall(REQUEST)
        assert kept.recv(4096).endswith(b"hello")
