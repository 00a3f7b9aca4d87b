"""The protocol's own answers are those of the application, byte for byte, and only where nothing is unusual."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.client import HTTPResponse

import pytest
import uvicorn

from liuying.main.services import Services
from liuying.main.web.application import Application
from liuying.main.web.kept_answer_protocol import protocol_for

PATIENCE_S = 20.0
PATH = "/api/videosort/0?orderby=hot"


class CountingHotPath:
    """How many requests reached the application."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.calls = 0

    async def __call__(self, scope, receive, send):  # type: ignore[no-untyped-def]  # uvicorn's types, passed through
        self.calls += scope["type"] == "http"
        await self.application(scope, receive, send)


@pytest.fixture
def counted(filled: Services) -> CountingHotPath:
    return CountingHotPath(Application(filled))


@pytest.fixture
def connection(counted: CountingHotPath) -> Iterator[socket.socket]:
    listener = socket.create_server(("127.0.0.1", 0))
    protocol = protocol_for(counted.application.hot_path)
    server = uvicorn.Server(uvicorn.Config(counted, http=protocol, ws="none", log_config=None))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    with socket.create_connection(listener.getsockname(), timeout=PATIENCE_S) as opened:
        yield opened
    server.should_exit = True
    thread.join(PATIENCE_S)
    listener.close()


def request(path: str = PATH, *headers: str, method: str = "GET", version: str = "1.1") -> bytes:
    lines = [f"{method} {path} HTTP/{version}", "host: localhost", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def read(connection: socket.socket, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    response = HTTPResponse(connection, method=method)
    response.begin()
    body = response.read()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, body


def ask(connection: socket.socket, sent: bytes, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    connection.sendall(sent)
    status, headers, body = read(connection, method)
    headers.pop("date")
    return status, headers, body


@pytest.mark.parametrize("encoding", ["identity", "br", "gzip", "zstd"])
def test_the_second_answer_is_the_first_one(connection: socket.socket, counted: CountingHotPath, encoding: str) -> None:
    sent = request(PATH, f"accept-encoding: {encoding}")
    first = ask(connection, sent)
    assert first[0] == 200
    assert first[1].get("content-encoding", "identity") == encoding
    assert [ask(connection, sent) for _ in range(3)] == [first] * 3
    assert counted.calls == 1


def test_not_modified(connection: socket.socket, counted: CountingHotPath) -> None:
    etag = ask(connection, request())[1]["etag"]
    status, headers, body = ask(connection, request(PATH, f"if-none-match: {etag}"))
    assert (status, headers["etag"], body) == (304, etag, b"")
    assert counted.calls == 1


def test_requests_in_one_piece_are_answered_in_order(connection: socket.socket) -> None:
    ask(connection, request())
    other = "/api/videosort"
    connection.sendall(request() + request(other) + request() + request(other, method="HEAD"))
    bodies = [read(connection)[2] for _ in range(3)]
    assert bodies[0] == bodies[2] != bodies[1]
    assert read(connection, "HEAD")[1]["content-length"] == str(len(bodies[1]))


@pytest.mark.parametrize(
    "sent",
    [
        request(PATH, "content-length: 3") + b"abc",
        request(PATH, "transfer-encoding: chunked") + b"0\r\n\r\n",
        request(PATH, "range: bytes=0-1"),
        request(PATH, method="HEAD"),
        request(PATH, "connection: close"),
        request(PATH, version="1.0"),
    ],
)
def test_unusual_requests_reach_the_application(
    connection: socket.socket, counted: CountingHotPath, sent: bytes
) -> None:
    ask(connection, request())
    status, _, _ = ask(connection, sent, "HEAD" if sent.startswith(b"HEAD") else "GET")
    assert (status, counted.calls) == (200, 2)


def test_another_method_is_refused(connection: socket.socket) -> None:
    ask(connection, request())
    assert ask(connection, request(PATH, "content-length: 0", method="POST"))[0] == 405
