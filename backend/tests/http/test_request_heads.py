"""What a head must be, whether the answer is kept, made, or a file (docs/security.md#t19)."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from litestar.routes import HTTPRoute

from liuying.http.application import Application
from liuying.installation.services import Services
from liuying.kit.deadline_protocol import MAX_HEAD_BYTES
from liuying.kit.responses import CACHE_OPTION
from tests.deploy.served import PATIENCE_S, served

KEPT = "/api/videosort/0?orderby=hot"
SUGGESTIONS = "/api/videosuggest?q=a"
PATHS = [KEPT, "/api/share/unlocked", "/home", "/media/abcdefgh12345678abcd/v1.m3u8", "/nowhere"]
CODE = "visitor0001"


@pytest.fixture(scope="module")
def engine() -> str:
    return "sqlite"


@pytest.fixture
def port(filled: Services) -> Iterator[int]:
    with served(filled) as opened:
        yield opened


def status(port: int, *lines: str, pieces: int = 1) -> int:
    """The status of a request that is sent in so many pieces; 0 where nothing comes back."""
    sent = "\r\n".join([*lines, "", ""]).encode("latin-1")
    size = -(-len(sent) // pieces)
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for start in range(0, len(sent), size):
                connection.sendall(sent[start : start + size])
            answer = connection.recv(64)
        except ConnectionError:
            return 0
    return int(answer.split(b" ")[1]) if answer else 0


def get(port: int, path: str, *headers: str, version: str = "1.1") -> int:
    return status(port, f"GET {path} HTTP/{version}", *headers)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "hosts",
    [
        [],
        ["host: a", "host: a"],
        ["host: a", "Host: b"],
        ["host:"],
        ["host: a b"],
        ["host: a/b"],
        ["host: user@a"],
        ["host: a:b"],
        ["host: a:80:80"],
        ["host: [::1"],
        ["host: ::1"],
        ["host: é"],
        ['host: "a"'],
        ["host: a\\b"],
        ["host: a?b"],
    ],
)
def test_a_host_that_is_none_is_refused_alike(port: int, path: str, hosts: list[str]) -> None:
    """Before anything is kept, and after."""
    assert get(port, path, *hosts) == 400
    for _ in range(3):
        get(port, path, "host: a")
    assert get(port, path, *hosts) == 400


@pytest.mark.parametrize(
    "host", ["a", "127.0.0.1:8000", "[::1]", "[::1]:8000", "sub.example.com.", "xn--a_b:1", "a:"]
)
def test_hosts_as_they_are(port: int, host: str) -> None:
    for _ in range(4):
        assert get(port, KEPT, f"host: {host}") == 200


def test_the_first_version_needs_no_host(port: int) -> None:
    assert get(port, KEPT, version="1.0") == 200


@pytest.mark.parametrize("path", [KEPT, SUGGESTIONS, "/api/videosuggest/related?q=a"])
@pytest.mark.parametrize("code", ["NO", "a" * 99, ""])
def test_a_malformed_code_is_answered_alike(port: int, path: str, code: str) -> None:
    """What is everybody's is not changed by a code, kept or not."""
    for asked in (path, f"{path}&uuid={code}"):
        assert {get(port, asked, "host: a", f"x-visitor-code: {code}") for _ in range(4)} == {200}


def test_no_kept_answer_looks_at_a_code(filled: Services) -> None:
    reading = [
        handler.handler_name
        for route in Application(filled).framework.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if CACHE_OPTION in handler.opt and "caller" in handler.parsed_fn_signature.parameters
    ]
    assert reading == []


@pytest.mark.parametrize("pieces", [1, 2, 40])
@pytest.mark.parametrize("path", [KEPT, "/api/share/unlocked"])
def test_a_head_that_is_too_large_is_431(port: int, path: str, pieces: int) -> None:
    long = "x" * (MAX_HEAD_BYTES // 4)
    large = [f"x-{number}: {long}" for number in range(4)]
    for _ in range(2):
        assert status(port, f"GET {path} HTTP/1.1", "host: a", *large, pieces=pieces) == 431
    target = f"{path}{'&' if '?' in path else '?'}q={'x' * MAX_HEAD_BYTES}"
    assert status(port, f"GET {target} HTTP/1.1", "host: a", pieces=pieces) == 431


@pytest.mark.parametrize("pieces", [1, 2, 40])
def test_a_head_that_just_fits_is_answered(port: int, pieces: int) -> None:
    long = "x" * (MAX_HEAD_BYTES // 4 - 100)
    fitting = [f"x-{number}: {long}" for number in range(4)]
    assert status(port, f"GET {KEPT} HTTP/1.1", "host: a", *fitting, pieces=pieces) == 200


def test_small_requests_in_one_large_packet_are_no_large_head(port: int) -> None:
    body = b"x" * (MAX_HEAD_BYTES + 1000)
    first = b"POST /api/syssuggest HTTP/1.1\r\nhost: a\r\ncontent-length: %d\r\n\r\n" % len(body)
    second = b"GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(first + body + second)
        received = b""
        while data := connection.recv(65536):
            received += data
    assert (received.count(b"HTTP/1.1 415"), received.count(b"HTTP/1.1 404")) == (1, 1)
