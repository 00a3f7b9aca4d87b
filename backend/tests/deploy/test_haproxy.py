"""A real HAProxy in front of a real server: what a client appends to its request is nobody's word
(docs/security.md#t1, docs/security.md#t4, docs/security.md#t14, docs/security.md#t27).
"""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from liuying.installation.services import Services
from tests.deploy.served import PATIENCE_S, free_port, running, served

HAPROXY = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
CONFIG = """
global
    maxconn 100
defaults
    mode http
    timeout connect 5s
    timeout client 20s
    timeout server 20s
    option forwardfor
frontend site
    bind 127.0.0.1:{port}
    default_backend liuying
backend liuying
    server one 127.0.0.1:{upstream}
"""

pytestmark = pytest.mark.skipif(HAPROXY is None, reason="haproxy is not installed: apt install it")


@pytest.fixture
def port(filled: Services, tmp_path: Path) -> Iterator[int]:
    """Of a HAProxy whose upstream trusts it."""
    front, config = free_port(), tmp_path / "haproxy.cfg"
    with served(filled) as upstream:
        config.write_text(CONFIG.format(port=front, upstream=upstream))
        with running([str(HAPROXY), "-db", "-f", str(config)], lambda: _answers(front)):
            yield front


def _answers(port: int) -> bool:
    try:
        return ask(port, "GET", "/api/config", b"").startswith(b"HTTP/1.1 200")
    except OSError:
        return False


def ask(port: int, method: str, path: str, body: bytes, trailer: bytes = b"") -> bytes:
    """The answer to a request whose body is chunked, with a trailer behind it."""
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    ).encode()
    chunk = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(head + chunk + b"0\r\n" + trailer + b"\r\n")
        received = b""
        while data := connection.recv(65536):
            received += data
    return received


def forged(number: int) -> bytes:
    """A trailer that names another client each time."""
    return b"x-forwarded-for: 198.51.100.%d\r\n" % (number % 250 + 1)


def codes_of(answers: list[bytes]) -> list[int]:
    return [json.loads(one.rpartition(b"\r\n\r\n")[2] or b"{}").get("code", 0) for one in answers]


def test_feedback_is_limited_whatever_the_trailers_say(port: int) -> None:
    body = json.dumps({"content": "这个视频不能播放了，请看看。"}).encode()
    answers = [ask(port, "POST", "/api/syssuggest", body, forged(one)) for one in range(12)]
    assert codes_of(answers) == [200] * 5 + [429] * 7


def test_codes_cannot_be_guessed_behind_trailers(port: int) -> None:
    answers = [
        ask(
            port,
            "POST",
            "/api/favorites",
            json.dumps({"uuid": f"guess{one:04}x", "id": 101}).encode(),
            forged(one),
        )
        for one in range(70)
    ]
    assert codes_of(answers).count(200) == 60
    assert set(codes_of(answers)[60:]) == {429}
