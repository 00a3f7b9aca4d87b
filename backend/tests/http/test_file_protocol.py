"""Files that the protocol sends by itself: the application's answers, byte for byte, whatever the
client, the disk or the connection does meanwhile.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import pytest
import uvicorn

from liuying.core.playback.signed_urls import sign_prefix
from liuying.http import file_transfer
from liuying.http.application import Application
from liuying.http.file_protocol import MAX_FILES_A_TURN
from liuying.http.server_protocol import protocol_for
from liuying.installation.services import Services
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import LocalFiles
from liuying.kit.server_config import server_config
from liuying.workflows.catalogue_rows import register_asset
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.waiting import wait_until
from tests.workflows.published import publish_file

PATIENCE_S = 20.0
KEY, LOCKED = "abcdefgh12345678abcd", "lockedlocked12345678"
SEGMENT = f"/media/{KEY}/360/s00001.m4s"
FILM = f"/media/{KEY}/film.mp4"
PICTURE = "/enc/0123456789abcdef0123456789abcdef.bin"
BODY = bytes(range(256)) * 1024
FILM_BODY = os.urandom(8 * 1024 * 1024)
# Far below what a file takes: the server has to wait for its client.
SMALL_BUFFER = 64 * 1024
OF_LOCAL_FILES = pytest.mark.data_folder(
    "the kernel sends its files; a bucket's objects are no files"
)


class Served:
    """A running server, and how many requests reached its application."""

    def __init__(self, services: Services, **members: object) -> None:
        self.services = services
        self.application = Application(services)
        self.calls = 0
        protocol = type("Tried", (protocol_for(self.application),), members)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.server = uvicorn.Server(server_config(self, protocol))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]})

    async def __call__(self, scope, receive, send):  # type: ignore[no-untyped-def]  # passed through
        self.calls += scope["type"] == "http"
        await self.application(scope, receive, send)

    def __enter__(self) -> Served:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE_S)
        self.listener.close()

    def connect(self) -> socket.socket:
        connection = socket.socket()
        connection.settimeout(PATIENCE_S)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        connection.connect(self.listener.getsockname())
        return connection


@pytest.fixture
def stored(services: Services) -> Services:
    publish_file(services, SEGMENT, BODY)
    publish_file(services, FILM, FILM_BODY)
    publish_file(services, f"/media/{KEY}/empty.m4s", b"")
    publish_file(services, f"/media/{LOCKED}/v1.m3u8", b"#EXTM3U\n", MediaPlace.PROTECTED)
    services.objects.put_if_absent("enc/01/0123456789abcdef0123456789abcdef.bin", b"CV encrypted")
    with services.database.write() as connection:
        for key in (KEY, LOCKED):
            register_asset(connection, key, f"content of {key}", "a.mp4", key == LOCKED)
    return services


@pytest.fixture
def server(stored: Services) -> Iterator[Served]:
    with Served(stored) as served:
        yield served


def request(path: str, *headers: str, method: str = "GET") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def read(replies: BinaryIO, *, has_body: bool = True) -> tuple[int, dict[str, str], bytes]:
    status = int(replies.readline().split()[1])
    headers = {}
    while (line := replies.readline().strip()) != b"":
        name, _, value = line.decode().partition(": ")
        headers[name] = value
    headers.pop("date", None)
    length = int(headers.get("content-length", "0")) if has_body and status != 304 else 0
    return status, headers, replies.read(length)


def ask(server: Served, path: str, *headers: str) -> tuple[int, dict[str, str], bytes]:
    with server.connect() as connection, connection.makefile("rb") as replies:
        connection.sendall(request(path, *headers))
        return read(replies)


def calls_for_a_file(server: Served) -> int:
    """How many requests for one file reach the application: none, where there are files."""
    return 0 if isinstance(server.services.objects, LocalFiles) else 1


@pytest.mark.parametrize(
    ("path", "header"),
    [
        (SEGMENT, ""),
        (FILM, ""),
        (PICTURE, ""),
        (f"/media/{KEY}/empty.m4s", ""),
        (SEGMENT, "range: bytes=0-0"),
        (SEGMENT, "range: bytes=100-200000"),
        (FILM, "range: bytes=-3000000"),
        (SEGMENT, "range: bytes=9-5"),
        (SEGMENT, "range: bytes=0-1,3-4"),
        (SEGMENT, 'if-none-match: "360-s00001-40000"'),
        (SEGMENT, "if-none-match: *"),
        (SEGMENT, "origin: https://elsewhere.example"),
    ],
)
def test_answers_are_those_of_the_application(server: Served, path: str, header: str) -> None:
    name, _, value = header.partition(": ")
    client = Client(server.services)
    expected = client.get(path, {name: value} if name else {})
    client.close()
    status, headers, body = ask(server, path, *([header] if header else []))
    assert (status, body) == (expected.status_code, expected.content)
    assert headers == {
        name: value for name, value in expected.headers.items() if name not in {"date"}
    }
    assert server.calls == calls_for_a_file(server)


@pytest.mark.parametrize(
    ("path", "header", "status"),
    [
        (f"/media/{KEY}/none.m4s", "accept: */*", 404),
        (f"/media/{KEY}/%66ilm.mp4", "accept: */*", 200),
        (f"{SEGMENT}?x=1", "accept: */*", 200),
        (f"/media/{LOCKED}/v1.m3u8", "accept: */*", 403),
        (SEGMENT, "range: bytes=999999999-", 416),
        (SEGMENT, "connection: close", 200),
        (SEGMENT, "content-length: 0", 200),
    ],
)
def test_everything_else_is_the_applications(
    server: Served, path: str, header: str, status: int
) -> None:
    assert ask(server, path, header)[0] == status
    assert server.calls == 1


def test_a_locked_film_is_read_by_its_signed_address_alone(server: Served) -> None:
    prefix = sign_prefix(server.services.hashes, LOCKED, NOW).text
    path = f"/media/r/{prefix}/{LOCKED}/v1.m3u8"
    status, headers, body = ask(server, path)
    assert (status, body, server.calls) == (200, b"#EXTM3U\n", calls_for_a_file(server))
    assert headers["cache-control"] == "private, no-store"
    altered = ("b" if prefix[0] == "a" else "a") + prefix[1:]
    assert ask(server, path.replace(prefix, altered))[0] == 403


def test_requests_in_one_piece_are_answered_in_their_order(server: Served) -> None:
    with server.connect() as connection, connection.makefile("rb") as replies:
        connection.sendall(request(FILM) + request("/healthz") + request(SEGMENT) + request(FILM))
        answers = [read(replies) for _ in range(4)]
        connection.sendall(request(SEGMENT))
        answers.append(read(replies))
    assert [body for _, _, body in answers] == [FILM_BODY, b"ok\n", BODY, FILM_BODY, BODY]


@OF_LOCAL_FILES
def test_a_file_on_a_cold_disk_is_read_by_a_thread(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_transfer, "_is_cached", lambda _descriptor, _offset: False)
    assert ask(server, FILM)[2] == FILM_BODY
    assert server.calls == 0


def is_open(path: Path) -> bool:
    """Whether this process holds a file open."""
    for one in Path("/proc/self/fd").iterdir():
        try:
            if one.readlink() == path:
                return True
        except FileNotFoundError:
            continue
    return False


@OF_LOCAL_FILES
@pytest.mark.parametrize("is_cold", [False, True])
def test_a_client_that_goes_away_leaves_nothing_open(
    server: Served, is_cold: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_cold:
        monkeypatch.setattr(file_transfer, "_is_cached", lambda _descriptor, _offset: False)
    path = server.services.layout.at(f"media/public/{KEY}/film.mp4")
    connection = server.connect()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.sendall(request(FILM))
    assert connection.recv(4096).startswith(b"HTTP/1.1 200")
    assert is_open(path)
    connection.close()  # With a reset.
    wait_until(lambda: not is_open(path))
    assert ask(server, SEGMENT)[2] == BODY


@OF_LOCAL_FILES
def test_a_client_that_does_not_read_is_cut_off(stored: Services) -> None:
    with Served(stored, write_deadline=0.2) as server, server.connect() as connection:
        connection.sendall(request(FILM))
        wait_until(lambda: is_open(stored.layout.at(f"media/public/{KEY}/film.mp4")))
        wait_until(lambda: not is_open(stored.layout.at(f"media/public/{KEY}/film.mp4")))
        received = 0
        with suppress(ConnectionResetError):  # Or an orderly end, short of the file.
            while taken := connection.recv(1 << 20):
                received += len(taken)
        assert received < len(FILM_BODY)


def test_a_server_that_ends_lets_a_film_be_read_to_its_end(stored: Services) -> None:
    with Served(stored) as server, server.connect() as connection:
        connection.sendall(request(FILM))
        with connection.makefile("rb") as replies:
            head = replies.readline()
            server.server.should_exit = True
            rest = replies.read()
    assert head.startswith(b"HTTP/1.1 200")
    assert rest.endswith(FILM_BODY)


@OF_LOCAL_FILES
def test_without_a_descriptor_the_application_answers(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> int:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr("liuying.http.file_protocol.os.dup", refuse)
    assert ask(server, SEGMENT)[2] == BODY
    assert server.calls == 1
    # It is closed after its last byte has left, on a thread of its own.
    wait_until(lambda: not is_open(server.services.layout.at(f"media/public/{KEY}/360/s00001.m4s")))


@OF_LOCAL_FILES
def test_many_files_in_one_packet_take_turns_with_others(server: Served) -> None:
    with server.connect() as connection, connection.makefile("rb") as replies:
        connection.sendall(request(PICTURE) * (MAX_FILES_A_TURN + 3))
        answers = [read(replies) for _ in range(MAX_FILES_A_TURN + 3)]
    assert {(status, body) for status, _, body in answers} == {(200, b"CV encrypted")}
    assert server.calls == 3


@OF_LOCAL_FILES
@pytest.mark.parametrize("rest", [b"no request\r\n\r\n", request(FILM) * 40])
def test_nothing_is_written_into_the_middle_of_a_file(server: Served, rest: bytes) -> None:
    with server.connect() as connection:
        connection.sendall(request(FILM) + rest)
        received = b""
        with suppress(ConnectionResetError):
            while taken := connection.recv(1 << 20):
                received += taken
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert FILM_BODY.startswith(body)


@OF_LOCAL_FILES
@pytest.mark.parametrize("header", ["accept: */*", "content-length: 0"])
def test_requests_of_a_client_that_is_gone_leave_no_complaint(
    server: Served, header: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = server.services.layout.at(f"media/public/{KEY}/film.mp4")
    for _ in range(5):
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.sendall(request(FILM, header) * 10)
        assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        connection.close()  # With a reset.
        wait_until(lambda: not is_open(path))
    assert ask(server, SEGMENT)[2] == BODY
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []


def test_what_the_protocol_sends_is_counted(server: Served) -> None:
    ask(server, SEGMENT)
    ask(server, PICTURE)
    ask(server, PICTURE, "connection: close")  # By the application.
    text = server.application.metrics.text()
    assert 'liuying_requests_total{route="media",status="200"} 1' in text
    assert 'liuying_requests_total{route="pictures",status="200"} 2' in text
