"""The protocol's own answers are those of the application, byte for byte, and only where nothing is
unusual.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import BinaryIO

import pytest
import uvicorn

from liuying.http.application import Application
from liuying.http.cached_response_protocol import MAX_UNSENT_BYTES, WireDate
from liuying.http.server_protocol import protocol_for
from liuying.installation.services import Services
from liuying.kit.server_config import server_config

PATIENCE_S = 20.0
# Not a list, which would be composed in front of the application.
PATH = "/api/videorecommand?seed=1"


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
def conversation(counted: CountingHotPath) -> Iterator[Conversation]:
    listener = socket.create_server(("127.0.0.1", 0))
    protocol = protocol_for(counted.application)
    server = uvicorn.Server(server_config(counted, protocol))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    with socket.create_connection(listener.getsockname(), timeout=PATIENCE_S) as opened:
        yield Conversation(opened)
    server.should_exit = True
    thread.join(PATIENCE_S)
    listener.close()


def request(path: str = PATH, *headers: str, method: str = "GET", version: str = "1.1") -> bytes:
    lines = [f"{method} {path} HTTP/{version}", "host: localhost", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


Answer = tuple[int, dict[str, str], bytes]


def read(replies: BinaryIO, method: str = "GET") -> Answer:
    status = int(replies.readline().split()[1])
    headers = {}
    while (line := replies.readline().strip()) != b"":
        name, _, value = line.decode().partition(": ")
        headers[name] = value
    length = int(headers.get("content-length", "0"))
    headers.pop("date", None)
    return status, headers, replies.read(length if method == "GET" and status == 200 else 0)


class Conversation:
    """A connection: what is sent, and the answers one after the other."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._replies = connection.makefile("rb")

    def send(self, sent: bytes) -> None:
        self._connection.sendall(sent)

    def read(self, method: str = "GET") -> Answer:
        return read(self._replies, method)

    def ask(self, sent: bytes, method: str = "GET") -> Answer:
        self.send(sent)
        return self.read(method)


@pytest.mark.parametrize("encoding", ["identity", "br", "gzip", "zstd"])
def test_the_second_answer_is_the_first_one(
    conversation: Conversation, counted: CountingHotPath, encoding: str
) -> None:
    sent = request(PATH, f"accept-encoding: {encoding}")
    first = conversation.ask(sent)
    assert first[0] == 200
    assert first[1].get("content-encoding", "identity") == encoding
    assert [conversation.ask(sent) for _ in range(3)] == [first] * 3
    assert counted.calls == 1


def test_not_modified(conversation: Conversation, counted: CountingHotPath) -> None:
    etag = conversation.ask(request())[1]["etag"]
    status, headers, body = conversation.ask(request(PATH, f"if-none-match: {etag}"))
    assert (status, headers["etag"], body) == (304, etag, b"")
    assert counted.calls == 1


def test_requests_in_one_piece_are_answered_in_order(conversation: Conversation) -> None:
    conversation.ask(request())
    other = "/api/videosort"
    conversation.send(request() + request(other) + request() + request(other, method="HEAD"))
    bodies = [conversation.read()[2] for _ in range(3)]
    assert bodies[0] == bodies[2] != bodies[1]
    assert conversation.read("HEAD")[1]["content-length"] == str(len(bodies[1]))


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
    conversation: Conversation, counted: CountingHotPath, sent: bytes
) -> None:
    conversation.ask(request())
    status, _, _ = conversation.ask(sent, "HEAD" if sent.startswith(b"HEAD") else "GET")
    assert (status, counted.calls) == (200, 2)


def test_another_method_is_refused(conversation: Conversation) -> None:
    conversation.ask(request())
    assert conversation.ask(request(PATH, "content-length: 0", method="POST"))[0] == 405


def test_what_waits_goes_before_a_refusal(conversation: Conversation) -> None:
    """Answers wait for the end of the turn; the refusal that ends the connection does not overtake
    them.
    """
    kept = conversation.ask(request())
    conversation.send(request() + request() + b"\x00 no HTTP\r\n\r\n")
    assert [conversation.read() for _ in range(2)] == [kept] * 2
    assert conversation.read()[0] == 400


def test_many_answers_to_one_piece_all_arrive(conversation: Conversation) -> None:
    """More than may wait for the end of the turn, by count and by bytes."""
    sent = request(PATH, "accept-encoding: identity")
    kept = conversation.ask(sent)
    count = 2 * MAX_UNSENT_BYTES // len(kept[2])
    assert count > 16
    conversation.send(sent * count)
    assert [conversation.read() for _ in range(count)] == [kept] * count


def test_the_date_goes_on() -> None:
    date = WireDate()
    headers = [(b"date", b"Sun, 22 Nov 2026 05:00:00 GMT")]
    assert (
        date.text(headers) == date.text(headers) == b"date: Sun, 22 Nov 2026 05:00:00 GMT\r\n\r\n"
    )
    assert (
        date.text([(b"date", b"Sun, 22 Nov 2026 05:00:01 GMT")])
        == b"date: Sun, 22 Nov 2026 05:00:01 GMT\r\n\r\n"
    )
