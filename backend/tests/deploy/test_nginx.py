"""`deploy/nginx.conf` with a real nginx in front of a real server: the same rules as without it."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from liuying.core.playback.signed_urls import sign_prefix
from liuying.installation.services import Services
from liuying.installation.settings import REPOSITORY
from tests.catalogue_factory import NOW
from tests.deploy.served import PATIENCE_S, free_port, running, served

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
OPEN, LOCKED = "asset00000100", "asset00000300"
BODY = bytes(range(256)) * 400

pytestmark = pytest.mark.skipif(
    NGINX is None, reason="nginx is not installed: deploy/nginx.conf is not tried"
)


def rendered(folder: Path, data: Path, port: int, upstream: int) -> Path:
    """The configuration with its marked lines changed, and nothing else."""
    text = (REPOSITORY / "deploy" / "nginx.conf").read_text()
    for marked, changed in (
        ("pid /run/nginx.pid;", f"pid {folder}/nginx.pid;"),
        ("/var/log/nginx/liuying.log", f"{folder}/access.log"),
        ("/var/log/nginx/error.log", f"{folder}/error.log"),
        ("server 127.0.0.1:8000;", f"server 127.0.0.1:{upstream};"),
        ("listen 80;", f"listen 127.0.0.1:{port};"),
        ("set $data /srv/liuying/var;", f"set $data {data};"),
    ):
        assert text.count(marked) == 1, marked
        text = text.replace(marked, changed)
    # The workers of a test run as its user, and keep their temporary files beside it.
    scratch = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    target = folder / "nginx.conf"
    target.write_text(user + text.replace("http {\n", "http {\n" + scratch, 1))
    return target


@pytest.fixture
def front(filled: Services, tmp_path: Path) -> Iterator[httpx.Client]:
    for folder, key in (("public", OPEN), ("protected", LOCKED)):
        for name in ("v1.m3u8", "360/s00001.m4s", "sub.vtt"):
            file = filled.data_dir / "media" / folder / key / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(BODY)
    encrypted = filled.data_dir / "enc" / "01" / "0123456789abcdef0123456789abcdef.bin"
    encrypted.parent.mkdir(parents=True)
    encrypted.write_bytes(b"CV")
    (filled.data_dir / "media" / "public" / OPEN / "link.m4s").symlink_to(
        filled.data_dir / "secrets.json"
    )
    port = free_port()
    with served(filled, accel_prefix="/protected") as upstream:
        config = rendered(tmp_path, filled.data_dir, port, upstream)
        places = ["-p", str(tmp_path), "-c", str(config), "-e", str(tmp_path / "first.log")]
        command = [str(NGINX), *places, "-g", "daemon off;"]
        with (
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S) as client,
            running(command, lambda: _answers(client)),
        ):
            yield client


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/api/config").status_code == 200
    except httpx.TransportError:
        return False


def test_media_by_the_same_rules(front: httpx.Client, filled: Services, tmp_path: Path) -> None:
    signed_prefix = sign_prefix(filled.hashes, LOCKED, NOW).text
    for name in ("v1.m3u8", "360/s00001.m4s", "sub.vtt"):
        found = front.get(f"/media/{OPEN}/{name}")
        assert (found.status_code, found.content) == (200, BODY)
        assert "immutable" in found.headers["cache-control"]
        # Locked: not by the open address, not by another's right, not by nginx's own name of the
        # folder.
        for path in (
            f"/media/{LOCKED}/{name}",
            f"/media/r/{'A' * 27}/{LOCKED}/{name}",
            f"/media/r/{sign_prefix(filled.hashes, OPEN, NOW).text}/{LOCKED}/{name}",
        ):
            refused = front.get(path)
            assert (refused.status_code, refused.json()["msg"]) == (403, "解锁后才能观看")
        assert BODY not in front.get(f"/protected/{LOCKED}/{name}").content
        unlocked = front.get(f"/media/r/{signed_prefix}/{LOCKED}/{name}")
        assert (unlocked.status_code, unlocked.content) == (200, BODY)
        assert unlocked.headers["cache-control"].startswith("private, ")
        assert unlocked.headers["content-type"] == found.headers["content-type"]
        assert "x-accel-redirect" not in unlocked.headers
        part = front.get(
            f"/media/r/{signed_prefix}/{LOCKED}/{name}", headers={"range": "bytes=2-3"}
        )
        assert (part.status_code, part.content) == (206, BODY[2:4])
    assert front.get("/enc/0123456789abcdef0123456789abcdef.bin").content == b"CV"
    assert front.get(f"/media/{OPEN}/nothing.m4s").status_code == 404
    assert front.get(f"/media/r/{signed_prefix}/{LOCKED}/nothing.m4s").status_code == 404
    pepper = filled.secrets.pepper
    for path in (
        f"/media/{OPEN}/link.m4s",
        f"/media/{OPEN}/../../../secrets.json",
        f"/media/{OPEN}/..%2f..%2f..%2fsecrets.json",
        "/enc/../secrets.json",
        "/protected/../../secrets.json",
        "/protected../secrets.json",
    ):
        answer = front.get(path)
        assert answer.status_code >= 400
        assert pepper not in answer.text
    log = (tmp_path / "access.log").read_text()
    assert signed_prefix not in log
    assert "127.0.0.1" not in log


def test_the_client_is_who_connects(front: httpx.Client) -> None:
    """Forged forwarding headers are one and the same network: two visits do not count twice."""
    link = front.post(
        "/api/share/link", json={"id": 300}, headers={"x-visitor-code": "sharer000001"}
    ).json()["rescont"]
    for number in range(3):
        forged = {
            "x-forwarded-for": f"198.51.100.{number}",
            "forwarded": f"for=198.51.100.{number}",
        }
        answer = front.post("/api/share/visit", headers=forged, json={"id": link["id"]})
        assert answer.json()["rescont"]["ip_count"] == 0  # the sharer's own network


def test_a_network_holds_so_many_connections_and_no_more(front: httpx.Client) -> None:
    """Whoever holds requests that do not end is refused beyond the limit, and nobody else's limit
    is his.
    """
    unfinished = b"POST /api/syssuggest HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n"
    port = front.base_url.port
    assert port is not None
    until = time.monotonic() + PATIENCE_S
    with ExitStack() as held:
        for _ in range(512):
            one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
            held.enter_context(one)
            one.sendall(unfinished)
        while front.get("/api/config").status_code != 503:
            assert time.monotonic() < until
        elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=front.base_url, transport=elsewhere) as other:
            assert other.get("/api/config").status_code == 200
