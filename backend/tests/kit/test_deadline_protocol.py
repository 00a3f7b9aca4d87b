"""Connections that send slowly are cut; the others are left alone (docs/security.md#t18)."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from liuying.kit.deadline_protocol import DeadlineProtocol

PATIENCE_S = 20.0
LARGE = 32 * 1024 * 1024
REQUEST = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"


class HastyProtocol(DeadlineProtocol):
    """The same with a deadline that a test can wait for."""

    request_deadline = 0.4
    write_deadline = 0.3


async def answer_hello(scope: Any, receive: Any, send: Any) -> None:
    assert scope["type"] == "http"
    while (await receive()).get("more_body"):
        pass
    body = b"x" * LARGE if scope["path"] == "/large" else b"hello"
    length = str(len(body)).encode()
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]}
    )
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        answer_hello, http=HastyProtocol, lifespan="off", log_config=None, timeout_keep_alive=30
    )
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


@pytest.mark.parametrize("piece", [b"x" * 65536, b"y: z\r\n" * 10000])
def test_headers_without_end_are_refused(address: tuple[str, int], piece: bytes) -> None:
    with socket.create_connection(address, timeout=PATIENCE_S) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(b"GET / HTTP/1.1\r\nx: ")
            for _ in range(40):
                connection.sendall(piece)
        received = until_closed(connection)
    assert received.startswith(b"HTTP/1.1 431 ") or received == b""


def test_too_many_waiting_requests_end_the_connection(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=PATIENCE_S) as connection:
        connection.sendall(REQUEST * 500)
        assert until_closed(connection).count(b"hello") < 500


def test_a_client_that_does_not_read_is_cut(address: tuple[str, int]) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE_S)
        connection.connect(address)
        connection.sendall(b"GET /large HTTP/1.1\r\nhost: localhost\r\n\r\n")
        # Its end arrives as a reset before all was read.
        with socket.create_connection(address, timeout=PATIENCE_S) as slow:
            slow.sendall(b"GET")
            until_closed(slow)
        with socket.create_connection(address, timeout=PATIENCE_S) as slow:
            slow.sendall(b"GET")
            until_closed(slow)
        assert len(until_closed(connection)) < LARGE


def test_what_is_no_http_is_refused_in_the_envelope(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=PATIENCE_S) as connection:
        connection.sendall(b"FOO /api/config\r\n\r\n")
        received = until_closed(connection)
    assert received.startswith(b"HTTP/1.1 400 ")
    assert b'"code":400' in received


def test_a_waiting_connection_is_kept_past_the_deadline(address: tuple[str, int]) -> None:
    with socket.create_connection(address, timeout=PATIENCE_S) as kept:
        kept.sendall(REQUEST)
        assert kept.recv(4096).endswith(b"hello")
        # Another connection that is cut tells that the deadline has passed, without sleeping for
        # it.
        with socket.create_connection(address, timeout=PATIENCE_S) as slow:
            slow.sendall(b"GET")
            until_closed(slow)
        kept.sendall(REQUEST)
        assert kept.recv(4096).endswith(b"hello")


def test_trailers_are_no_headers() -> None:
    """What follows a chunked body is not the head's: neither before nor after the body is read."""
    seen: list[list[tuple[bytes, bytes]]] = []

    async def tell_headers(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        seen.append(list(scope["headers"]))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(tell_headers, http=DeadlineProtocol, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    head = b"POST / HTTP/1.1\r\nhost: a\r\nconnection: %b\r\ntransfer-encoding: chunked\r\n\r\n"
    trailer = b"x-forwarded-for: 198.51.100.1\r\nuuid: abcdefgh\r\n\r\n"
    with socket.create_connection(listener.getsockname(), timeout=PATIENCE_S) as connection:
        for state in (b"keep-alive", b"close"):  # the second begins with a head of its own again
            connection.sendall(head % state + b"2\r\nhi\r\n0\r\n" + trailer)
            assert connection.recv(4096).startswith(b"HTTP/1.1 204")
    server.should_exit = True
    thread.join(PATIENCE_S)
    listener.close()
    assert [[name for name, _ in headers] for headers in seen] == [
        [b"host", b"connection", b"transfer-encoding"]
    ] * 2


@pytest.mark.parametrize("sent", [REQUEST, b"", REQUEST[:9]])
def test_what_has_arrived_when_the_server_ends_is_answered(sent: bytes) -> None:
    """Unread, or read as far as it has come."""

    class EndingProtocol(DeadlineProtocol):
        is_ending = True

    async def end(client: socket.socket, accepted: socket.socket) -> bytes:
        config = uvicorn.Config(answer_hello, http=EndingProtocol, lifespan="off", log_config=None)
        config.load()
        loop = asyncio.get_running_loop()
        _, protocol = await loop.connect_accepted_socket(
            lambda: EndingProtocol(config, ServerState(), {}), accepted
        )
        client.sendall(sent)
        if sent and sent != REQUEST:
            await asyncio.sleep(0)  # The loop reads it.
        protocol.shutdown()
        if sent:
            client.sendall(REQUEST[len(sent) :])
        return await asyncio.to_thread(until_closed, client)

    client, accepted = socket.socketpair()
    with client:
        client.settimeout(PATIENCE_S)
        received = asyncio.run(end(client, accepted))
    if sent:
        assert received.startswith(b"HTTP/1.1 200")
        assert b"connection: close" in received
        assert received.endswith(b"hello")
    else:
        assert received == b""
