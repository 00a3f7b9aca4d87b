"""`liuying deploy nginx` for several serving processes of which one stands still: it takes
connections, and never answers.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import msgspec
import pytest

from liuying.http.application import Application
from liuying.http.framework import uncached_paths
from liuying.installation.nginx_files import Site
from liuying.installation.nginx_site import nginx_site
from liuying.installation.services import Services
from liuying.installation.settings import Settings
from liuying.kit.object_records import ObjectRecords
from liuying.kit.s3_store import S3Store
from tests.deploy.nginx_process import NEEDS_NGINX, command_of, rendered, site_of
from tests.deploy.served import PATIENCE_S, free_port, running, served
from tests.s3_server import S3Server
from tests.waiting import wait_until

# An address is asked of one process: of so many some are asked of the one that stands still.
FILMS = [f"media/asset00000100/360/a1b2c{one}.mp4" for one in range(10)]
BODY = bytes(range(256)) * 100
LISTS = [f"/api/videosort/0?page={one}" for one in range(1, 11)]
# What nginx waits for an answer: of a question, of an answer, of a file. Here it waits less, but
# for the file longer than the 5 s for which nginx holds up whoever else wants it, were it not told.
WITHIN = {"3s": "3s", "7s": "3s", "10s": "8s"}
READERS = 3


class Front(msgspec.Struct):
    """nginx in front of a process that stands still and one that answers.

    Attributes:
        still: Where the former would take connections.
    """

    client: httpx.Client
    still: socket.socket

    def reached(self) -> list[str]:
        """The request lines that have reached the process that stands still, since last asked."""
        lines = []
        with suppress(BlockingIOError):
            while True:
                connection, _ = self.still.accept()
                with connection:
                    connection.settimeout(PATIENCE_S)
                    lines.append(connection.recv(4096).decode().partition(" HTTP/")[0])
        return lines


@pytest.fixture
def front(filled: Services, s3: S3Server, tmp_path: Path) -> Iterator[Front]:
    settings = msgspec.structs.replace(filled.settings, **s3.settings())
    place = settings.s3_place
    assert place is not None
    objects = S3Store(place, ObjectRecords(filled.database))
    services = msgspec.structs.replace(filled, settings=settings, objects=objects)
    for film in FILMS:
        objects.put_if_absent(film, BODY)
    port = free_port()
    (tmp_path / "cache").mkdir()
    with ExitStack() as stack:
        still = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        still.settimeout(0)
        upstream = stack.enter_context(served(services))
        site = site_of(
            tmp_path,
            port=port,
            cache=tmp_path / "cache",
            cache_size="200m",
            applications=tuple(f"127.0.0.1:{one}" for one in (still.getsockname()[1], upstream)),
        )
        text = nginx_site(settings, site)
        for within, here in WITHIN.items():
            assert f" proxy_read_timeout {within};\n" in text
            text = text.replace(f" proxy_read_timeout {within};", f" proxy_read_timeout {here};")
        # Found out anew by every request that comes to it.
        text = text.replace("fail_timeout=2s", "fail_timeout=1s")
        client = stack.enter_context(
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S)
        )
        command = command_of(tmp_path, rendered(tmp_path, text))
        stack.enter_context(running(command, lambda: listens(port)))
        yield Front(client, still)


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@NEEDS_NGINX
def test_what_only_reads_is_asked_of_the_next(front: Front) -> None:
    for one in LISTS:
        assert front.client.get(one).status_code == 200
        if lines := front.reached():
            assert lines == [f"GET {one}"]
            return
    pytest.fail("none was asked of the process that stands still")


@NEEDS_NGINX
def test_an_address_is_asked_of_one_process(front: Front) -> None:
    """Whichever that is: it alone computes the answer, and keeps it."""
    asked_of_still = set()

    def reaches_again() -> bool:
        return front.client.get(one).is_success and bool(front.reached())

    for one in LISTS:
        front.client.get(one)
        if front.reached():
            asked_of_still.add(one)
            wait_until(reaches_again)  # Out of service for a second; then it is asked again.
    assert asked_of_still
    others = [one for one in LISTS if one not in asked_of_still]
    assert others
    for one in 2 * others:
        assert front.client.get(one).status_code == 200
    assert front.reached() == []


@NEEDS_NGINX
def test_a_visitors_own_is_asked_of_any(front: Front) -> None:
    def reaches() -> bool:
        front.client.get("/api/favorites/total")
        return bool(front.reached())

    def reaches_the_other() -> bool:
        found = front.client.get("/api/favorites/total", headers={"x-visitor-code": "visitor00001"})
        return found.status_code == 200 and not front.reached()

    wait_until(reaches)
    wait_until(reaches_the_other)


@NEEDS_NGINX
def test_a_file_is_asked_for_and_fetched_from_the_next(front: Front) -> None:
    """Once for all who want it: the others would wait as long again."""
    reached = []
    for one in FILMS:
        with ThreadPoolExecutor(READERS) as pool:
            films = list(pool.map(front.client.get, [f"/{one}"] * READERS))
        assert {(film.status_code, film.content) for film in films} == {(200, BODY)}
        reached += front.reached()
        if f"GET /{one}" in reached:
            break
    assert reached[0] == "GET /media-access/asset00000100"
    assert reached.count(f"GET /{one}") == 1


def test_what_is_a_visitors_own_is_known(filled: Services) -> None:
    text = nginx_site(filled.settings, Site(applications=("10.0.0.2:8000", "10.0.0.3:8000")))
    (own,) = re.findall(r'"~(\^\(\?:GET\|HEAD\) .*)" \$request_id;', text)
    personal = uncached_paths(Application(filled).framework) - {"/searchList"}
    calls = {one for one in personal if not one.startswith("/api/schema")}
    assert calls
    for path in calls:
        assert re.match(own, f"GET {path}")
    assert not re.match(own, "GET /api/videosort/0")


@NEEDS_NGINX
def test_what_writes_is_not_repeated_for_the_visitor(front: Front) -> None:
    """Nobody knows whether it was done: the visitor's page may repeat it."""
    writes = {"content": "写" * 20}
    wait_until(lambda: front.client.post("/api/syssuggest", json=writes).status_code == 504)
    assert "POST /api/syssuggest" in front.reached()


@pytest.mark.parametrize("applications", [(), ("10.0.0.2:8000",)])
def test_one_process_has_no_next(applications: tuple[str, ...]) -> None:
    text = nginx_site(
        Settings(
            store="s3://media/site",
            s3_endpoint="http://127.0.0.1:1",
            s3_access_key="AK",
            s3_secret_key="SK",  # noqa: S106  # none
        ),
        Site(applications=applications),
    )
    assert "proxy_next_upstream" not in text
    assert "hash" not in text
    assert "liuying_permission" not in text
