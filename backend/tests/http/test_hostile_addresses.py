"""Addresses and ranges that nobody means well with: no fault of ours, nothing from outside the
folders, no waiting.
"""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
import uvicorn

from liuying.core.playback.queries.assets import update_asset
from liuying.core.playback.signed_urls import sign_prefix
from liuying.http.application import Application
from liuying.http.server_protocol import protocol_for
from liuying.installation.services import Services
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import LocalFiles
from liuying.kit.server_config import server_config
from tests.catalogue_factory import NOW
from tests.workflows.published import publish_file

PATIENCE_S = 20.0
SLOWEST_S = 5.0
OPEN, LOCKED = "asset00000100", "asset00000300"
CANARY = b"canary-5f2c-outside-of-every-folder"
COUNT = 1500
STEPS = [
    "..", ".", "%2e%2e", "%2E.", "..%2f", "..%5c", "%2e%2e%2f", "%252e%252e%252f", "..%c0%af",
    "..\\", "....//", "..;",
    "%00", "\\", "//", "%2f", "%5c", "~", "C:", "file:", "%ff", "%u002e", "％2e", "%0d%0aX-Evil:1",
    "*", "'", "%7f",
]  # fmt: skip
TARGETS = [
    "canary.txt", "secrets.json", "liuying.db", "etc/passwd", "canary.m4s", "v1.m3u8",
    "proc/self/environ", "",
    f"protected/{LOCKED}/v1.m3u8", f"media/protected/{LOCKED}/v1.m3u8",
]  # fmt: skip
ROOTS = [
    "/", "/media/", f"/media/{OPEN}/", f"/media/{LOCKED}/", "/media/r/",
    f"/media/r/{'A' * 27}/{LOCKED}/", "/enc/",
    "/enc/01/", "/api/", "/api/videoplay/", "/api/share/check?id=", "/assets/", "//",
    "/api/videoSearch?serach=",
]  # fmt: skip
RANGES = [
    "bytes=0-", "bytes=-1", "bytes=-0", "bytes=5-2", "bytes=0-0,1-1", "bytes=" + "0-1," * 2000,
    "bytes=99999999999999-",
    "bytes=" + "9" * 400 + "-", "bytes=a-b", "bytes", "=", "items=0-1", "bytes=--1", "bytes=0-\x7f",
    "bytes=\xff-",
    "bytes=0x0-0x1", "bytes= 0 - 1 ", "bytes=1e3-", "bytes=0-1;q=1", "BYTES=0-1",
    "bytes=-" + "9" * 400,
]  # fmt: skip


def hostile_targets(seed: int) -> Iterator[bytes]:
    """Request targets, always the same for a seed."""
    draw = random.Random(seed)  # noqa: S311  # a corpus, not a secret
    for _ in range(COUNT):
        steps = [draw.choice(STEPS) for _ in range(draw.choice([0, 1, 2, 3, 8, 40]))]
        path = (
            draw.choice(ROOTS)
            + draw.choice(["/", ""]).join(steps)
            + draw.choice(["/", ""])
            + draw.choice(TARGETS)
        )
        if draw.random() < 0.1:
            path += "a" * draw.choice([300, 5000, 60_000])
        if draw.random() < 0.1:
            path = draw.choice(["http://evil.example", "", "//evil.example"]) + path
        yield "".join(path.split(" ")).replace("\r", "").replace("\n", "").encode("utf-8")


@pytest.fixture
def address(filled: Services) -> Iterator[tuple[str, int]]:
    data = filled.data_dir
    with filled.database.write() as connection:
        update_asset(connection, LOCKED, {"is_protected": True})
    publish_file(filled, f"/media/{OPEN}/v1.m3u8", b"#EXTM3U\n" * 100)
    publish_file(filled, f"/media/{LOCKED}/v1.m3u8", CANARY, MediaPlace.PROTECTED)
    (data / "media").mkdir(exist_ok=True)
    for outside in (
        data / "canary.txt",
        data / "canary.m4s",
        data / "media" / "canary.m4s",
        data.parent / "canary.txt",
    ):
        outside.write_bytes(CANARY)
    (data / "enc" / "01").mkdir(parents=True)
    if isinstance(filled.objects, LocalFiles):
        (data / f"media/public/{OPEN}/canary.m4s").symlink_to(data / "canary.m4s")
    application = Application(filled)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(server_config(application, protocol_for(application)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()
    server.should_exit = True
    thread.join(PATIENCE_S)
    listener.close()


def ask(address: tuple[str, int], target: bytes, *headers: bytes) -> tuple[int, bytes]:
    """Status and everything that came; 0 where the connection was ended without an answer."""
    with socket.create_connection(address, timeout=PATIENCE_S) as connection:
        lines = [
            b"GET " + target + b" HTTP/1.1",
            b"host: localhost",
            b"connection: close",
            *headers,
        ]
        with suppress(ConnectionError):
            connection.sendall(b"\r\n".join(lines) + b"\r\n\r\n")
        received = b""
        with suppress(ConnectionResetError):
            while data := connection.recv(65536):
                received += data
    return int(received.split(b" ", 2)[1]) if received.startswith(b"HTTP/1.1 ") else 0, received


def test_no_address_leads_outside(address: tuple[str, int], filled: Services) -> None:
    pepper = filled.secrets.pepper.encode()
    answered = 0
    for target in hostile_targets(20_261_121):
        begin = time.monotonic()
        status, received = ask(address, target)
        assert status < 500, (status, target[:200])
        assert CANARY not in received, target[:200]
        assert pepper not in received, target[:200]
        assert b"x-evil" not in received.lower().partition(b"\r\n\r\n")[0], target[:200]
        assert time.monotonic() - begin < SLOWEST_S, target[:200]
        answered += status > 0
    # Refused by an answer, but for heads so long that the connection may be gone before the answer
    # is read.
    assert answered > COUNT * 0.9


def test_no_range_is_a_fault(address: tuple[str, int], filled: Services) -> None:
    signed_prefix = sign_prefix(filled.hashes, LOCKED, NOW).text
    whole = len(b"#EXTM3U\n" * 100)
    for path in (
        f"/media/{OPEN}/v1.m3u8",
        f"/media/r/{signed_prefix}/{LOCKED}/v1.m3u8",
        "/api/videosort",
        "/",
    ):
        for wanted in RANGES:
            status, received = ask(address, path.encode(), b"range: " + wanted.encode("latin-1"))
            assert status in {200, 206, 416, 400, 0, 403}, (status, path, wanted[:60])
            if path.startswith("/media/asset"):
                assert len(received.partition(b"\r\n\r\n")[2]) <= 2 * whole


def test_slow_connections_do_not_stop_others(address: tuple[str, int]) -> None:
    """200 clients that never finish their request; the next one is answered within a second
    (docs/security.md#t18).
    """
    slow = [socket.create_connection(address, timeout=PATIENCE_S) for _ in range(200)]
    try:
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nhost: local")
        ask(address, b"/api/videosort")
        begin = time.monotonic()
        status, _ = ask(address, b"/api/videosort")
        assert (status, time.monotonic() - begin < 1.0) == (200, True)
    finally:
        for connection in slow:
            connection.close()
