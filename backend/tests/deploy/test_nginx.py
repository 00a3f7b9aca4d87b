"""`liuying deploy nginx` with a real nginx in front of a real server: the same rules as without."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import uvicorn

from liuying.cli import serving
from liuying.console import serving as console_serving
from liuying.console.application import ConsoleApplication
from liuying.console.uploads.protocol import UploadProtocol
from liuying.core.playback.queries.assets import update_asset
from liuying.core.playback.signed_urls import sign_prefix
from liuying.installation.nginx_files import Site
from liuying.installation.nginx_site import nginx_site, nginx_version, nginx_whole
from liuying.installation.services import Services
from liuying.installation.settings import REPOSITORY, Settings
from liuying.kit.object_keys import MediaPlace
from liuying.kit.object_store import LocalFiles
from liuying.kit.server_config import server_config
from tests.catalogue_factory import NOW
from tests.deploy.certificates import certificate_of
from tests.deploy.nginx_process import NEEDS_NGINX, command_of, rendered, site_of
from tests.deploy.served import PATIENCE_S, free_port, running, served
from tests.workflows.published import publish_file

OPEN, LOCKED = "asset00000100", "asset00000300"
BODY = bytes(range(256)) * 400
FILM = "360/a1b2c3.mp4"
FILES = ("v1.m3u8", FILM, "360/s00001.m4s", "sub.vtt")
LIMIT = 16
"""Connections of one network at a time: few, so that no queue of the system has a part in it."""

pytestmark = NEEDS_NGINX


@pytest.fixture
def front(filled: Services, tmp_path: Path) -> Iterator[httpx.Client]:
    with filled.database.write() as connection:
        update_asset(connection, LOCKED, {"is_protected": True})
    for key, place in ((OPEN, MediaPlace.OPEN), (LOCKED, MediaPlace.PROTECTED)):
        for name in FILES:
            publish_file(filled, f"/media/{key}/{name}", BODY, place)
    filled.objects.put_if_absent("enc/01/0123456789abcdef0123456789abcdef.bin", b"CV")
    if isinstance(filled.objects, LocalFiles):
        (filled.data_dir / "media" / "public" / OPEN / "link.m4s").symlink_to(
            filled.data_dir / "secrets.json"
        )
    port = free_port()
    with served(filled, accel_prefix="/protected") as upstream:
        settings = msgspec.structs.replace(
            filled.settings, port=upstream, connections_per_network=LIMIT
        )
        config = rendered(tmp_path, nginx_site(settings, site_of(tmp_path, port=port)))
        command = command_of(tmp_path, config)
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


@pytest.mark.data_folder("nginx sends its files; test_nginx_bucket has the rules of a bucket")
def test_media_by_the_same_rules(front: httpx.Client, filled: Services, tmp_path: Path) -> None:
    signed_prefix = sign_prefix(filled.hashes, LOCKED, NOW).text
    for name in FILES:
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
    for film in (f"/media/{OPEN}/{FILM}", f"/media/r/{signed_prefix}/{LOCKED}/{FILM}"):
        beyond = front.get(film, headers={"range": f"bytes={len(BODY)}-"})
        assert (beyond.status_code, beyond.headers["content-range"]) == (
            416,
            f"bytes */{len(BODY)}",
        )
        etag = front.head(film).headers["etag"]
        for condition, status in ((etag, 206), ('"another"', 200)):
            found = front.get(film, headers={"range": "bytes=2-3", "if-range": condition})
            assert found.status_code == status
        asked_first = front.options(film, headers={"origin": "https://x.example"})
        assert asked_first.status_code == 204
        assert "Range" in asked_first.headers["access-control-allow-headers"]
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
        opened = 0
        # A request counts until nginx has put it away, after its answer has arrived: one of those
        # that were to be held is then refused, and another one takes its place.
        while opened < LIMIT or front.get("/api/config").status_code != 503:
            one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
            held.enter_context(one)
            one.sendall(unfinished)
            opened += 1
            assert time.monotonic() < until
        elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=front.base_url, transport=elsewhere) as other:
            assert other.get("/api/config").status_code == 200


DOMAIN = "video.example.test"


def test_a_site_in_public(filled: Services, tmp_path: Path) -> None:
    """TLS with HTTP/2, HTTP led to it, HSTS on pages and files, certbot's answers by HTTP."""
    publish_file(filled, f"/media/{OPEN}/v1.m3u8", BODY)
    answers = tmp_path / "web" / ".well-known" / "acme-challenge"
    answers.mkdir(parents=True)
    (answers / "token").write_text("answer")
    chain, key = certificate_of(tmp_path, DOMAIN)
    port, tls_port = free_port(), free_port()
    trusting = ssl.create_default_context(cafile=str(chain))
    asked: dict[str, Any] = {"headers": {"host": DOMAIN}, "extensions": {"sni_hostname": DOMAIN}}
    with served(filled, accel_prefix="/protected", hsts_seconds=31_536_000) as upstream:
        settings = msgspec.structs.replace(filled.settings, port=upstream, hsts_seconds=31_536_000)
        site = site_of(
            tmp_path,
            domain=DOMAIN,
            certificate=chain,
            key=key,
            port=port,
            tls_port=tls_port,
            webroot=tmp_path / "web",
        )
        config = rendered(tmp_path, nginx_site(settings, site, nginx_version()))
        with (
            httpx.Client(verify=trusting, timeout=PATIENCE_S) as client,
            running(
                command_of(tmp_path, config),
                lambda: is_listening(port) and is_listening(tls_port),
            ),
        ):
            led = client.get(
                f"http://127.0.0.1:{port}/list?typeId=0", headers={"host": "evil.example"}
            )
            assert led.status_code == 301
            assert led.headers["location"] == f"https://{DOMAIN}:{tls_port}/list?typeId=0"
            found = client.get(f"http://127.0.0.1:{port}/.well-known/acme-challenge/token")
            assert (found.status_code, found.text) == (200, "answer")
            base = f"https://127.0.0.1:{tls_port}"
            for path in ("/home", "/api/config", f"/media/{OPEN}/v1.m3u8"):
                answer = client.get(f"{base}{path}", **asked)
                assert answer.status_code == 200
                hsts = answer.headers.get_list("strict-transport-security")
                assert hsts == ["max-age=31536000"], path
            trusting.set_alpn_protocols(["h2", "http/1.1"])
            with (
                socket.create_connection(("127.0.0.1", tls_port), timeout=PATIENCE_S) as plain,
                trusting.wrap_socket(plain, server_hostname=DOMAIN) as secured,
            ):
                assert (secured.selected_alpn_protocol(), secured.version()) == ("h2", "TLSv1.3")


CONSOLE = "console.example.com"


@contextmanager
def console_served(services: Services, tls_port: int) -> Iterator[Settings]:
    """A console behind a proxy on this machine; gives the settings that nginx is written from."""
    listener = socket.create_server(("127.0.0.1", 0))
    settings = msgspec.structs.replace(
        services.settings,
        console_port=int(listener.getsockname()[1]),
        console_origin=f"https://{CONSOLE}:{tls_port}",
        console_dir=services.data_dir / "console",
        trusted_proxies="127.0.0.1",
    )
    application = ConsoleApplication(msgspec.structs.replace(services, settings=settings))
    server = uvicorn.Server(server_config(application, UploadProtocol))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield settings
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        listener.close()


@pytest.mark.parametrize(
    ("networks", "status"), [(("127.0.0.0/8",), 401), (("192.0.2.0/24", "::1"), 403)]
)
def test_the_console_has_a_server_of_its_own(
    services: Services, tmp_path: Path, networks: tuple[str, ...], status: int
) -> None:
    """Under its own name, over TLS, for the allowed networks alone."""
    chain, key = certificate_of(tmp_path, DOMAIN)
    port, tls_port = free_port(), free_port()
    with console_served(services, tls_port) as settings:
        site = site_of(
            tmp_path,
            domain=DOMAIN,
            certificate=chain,
            key=key,
            port=port,
            tls_port=tls_port,
            console_certificate=chain,
            console_key=key,
            console_networks=networks,
        )
        config = rendered(tmp_path, nginx_site(settings, site, nginx_version()))
        named: dict[str, Any] = {"extensions": {"sni_hostname": CONSOLE}}
        host = {"host": f"{CONSOLE}:{tls_port}"}
        with (
            httpx.Client(verify=False, timeout=PATIENCE_S) as client,  # noqa: S501 - of the test
            running(
                command_of(tmp_path, config),
                lambda: is_listening(port) and is_listening(tls_port),
            ),
        ):
            base = f"https://127.0.0.1:{tls_port}"
            answer = client.get(f"{base}/api/session", headers=host, **named)
            assert answer.status_code == status
            assert ("x-content-type-options" in answer.headers) == (status == 401)
            assert client.get(f"{base}/api/session", headers={"host": DOMAIN}).status_code == 502
            plain = client.get(f"http://127.0.0.1:{port}/api/session", headers={"host": CONSOLE})
            assert plain.status_code == 404


def test_a_console_over_a_tunnel_has_no_server(tmp_path: Path) -> None:
    chain, key = certificate_of(tmp_path, DOMAIN)
    site = site_of(tmp_path, console_certificate=chain, console_key=key)
    for given in (
        {},
        {"console_port": 9100},
        {"console_port": 9100, "console_origin": "http://localhost:9100"},
        {"console_origin": f"https://{CONSOLE}"},
    ):
        settings = Settings(data_dir=tmp_path, **given)
        assert "liuying_console" not in nginx_site(settings, site, nginx_version())


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


BUCKET: dict[str, Any] = {
    "store": "s3://media/site",
    "s3_endpoint": "http://127.0.0.1:9000",
    "s3_access_key": "AK",
    "s3_secret_key": "SK",
}
SEVERAL = ("127.0.0.1:8000", "10.0.0.2:8000", "[fd00::3]:8000")


@pytest.mark.parametrize("has_tls", [False, True])
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({}, {}),
        ({}, {"applications": SEVERAL}),
        (BUCKET, {}),
        (BUCKET, {"applications": SEVERAL}),
        (BUCKET, {"applications": SEVERAL, "store_origin": "http://127.0.0.1:9000"}),
    ],
)
def test_nginx_takes_what_is_written(
    tmp_path: Path, has_tls: bool, settings: dict[str, Any], told: dict[str, Any]
) -> None:
    """On all addresses, as on a machine in public; only read, not started."""
    given: dict[str, Any] = {"domain": DOMAIN, "port": free_port(), "tls_port": free_port(), **told}
    if has_tls:
        given["certificate"], given["key"] = certificate_of(tmp_path, DOMAIN)
    given |= {"log": tmp_path / "access.log", "errors": tmp_path / "error.log"}
    given["cache"] = tmp_path / "cache"
    given["cache"].mkdir()
    for version in {(), nginx_version()}:
        site = nginx_site(Settings(data_dir=tmp_path, **settings), Site(**given), version)
        config = rendered(tmp_path, site)
        command = [*command_of(tmp_path, config)[:-2], "-t"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_committed_file_is_what_the_command_writes() -> None:
    settings = Settings(data_dir=Path("/srv/liuying/var"))
    written = (REPOSITORY / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    assert written == nginx_whole(nginx_site(settings, Site()))


@pytest.mark.parametrize(
    ("name", "ours_s"),
    [
        ("site", serving.KEEP_ALIVE_S),
        ("permission", serving.KEEP_ALIVE_S),
        ("console", console_serving.KEEP_ALIVE_S),
    ],
)
def test_nginx_lets_idle_connections_go_before_we_do(name: str, ours_s: int) -> None:
    """What is written may not be sent again when it meets a connection that is being closed."""
    templates = REPOSITORY / "backend" / "src" / "liuying" / "installation" / "templates"
    config = (templates / f"nginx-{name}.conf").read_text(encoding="utf-8")
    upstream = config.partition("upstream liuying")[2].partition("}")[0]
    kept = re.findall(r"keepalive_timeout (\d+)s;", upstream)
    assert [int(seconds) < ours_s for seconds in kept] == [True]
