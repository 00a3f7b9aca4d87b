"""A database that cannot be written: whoever writes is told so soon, whoever reads notices nothing.

A real server, a lock that another connection really holds, a disk that is really full.
"""

from __future__ import annotations

import inspect
import json
import os
import resource
import shutil
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
import sqlalchemy as sa
from litestar.routes import HTTPRoute

from liuying.http.application import Application
from liuying.installation.services import Services
from liuying.kit.responses import WRITING_OPTION
from tests.conftest import Client
from tests.server_process import server

PATIENCE_S = 60
WRITERS = 12
FAVOURITES = "/api/favorites?site=sg&page=1"


class Answer(msgspec.Struct, frozen=True):
    """What came back."""

    status: int
    retry_after: str | None
    body: bytes


def call(
    address: str, method: str, path: str, body: object = None, code: str = "visitor0001"
) -> Answer:
    """One call over a connection of its own."""
    parts = urlsplit(address)
    connection = HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE_S)
    headers = {"x-visitor-code": code}
    if body is not None:
        headers["content-type"] = "application/json"
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        with connection.getresponse() as response:
            return Answer(response.status, response.headers.get("retry-after"), response.read())
    finally:
        connection.close()


def add_favourite(address: str, code: str = "visitor0001") -> Answer:
    return call(address, "POST", "/api/favorites", {"id": 101, "site": "sg"}, code)


def give_feedback(address: str) -> Answer:
    return call(address, "POST", "/api/syssuggest", {"content": "x" * 180})


@contextmanager
def serving(services: Services) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process of the installation."""
    services.database.close()
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(services.data_dir),
        "LIUYING_WEB_DIR": str(services.settings.web_dir),
        "LIUYING_DATABASE_URL": services.settings.database_url,
        "LIUYING_WORKERS": "0",
        "PORT": "0",
        "HOST": "127.0.0.1",
    }
    with server(environment) as running:
        yield running


@contextmanager
def lock_held(services: Services) -> Iterator[None]:
    """Another connection holds what every favourite needs."""
    with services.database.engine.connect() as connection:
        if services.database.is_sqlite:
            with services.database.write():
                yield
        else:
            connection.exec_driver_sql("BEGIN")
            connection.exec_driver_sql("LOCK TABLE favourite IN SHARE MODE")
            yield
            connection.rollback()


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_who_waits_for_the_lock_stops_no_reader(filled: Services, engine: str) -> None:
    done: list[str] = []
    with serving(filled) as (_, address), ThreadPoolExecutor(WRITERS) as pool, ExitStack() as held:
        assert add_favourite(address).status == 200
        held.enter_context(lock_held(filled))
        sent = threading.Barrier(WRITERS + 1)

        def write(number: int) -> Answer:
            sent.wait(PATIENCE_S)
            answer = add_favourite(address, f"writer{number:04}")
            done.append("write")
            return answer

        writing = [pool.submit(write, number) for number in range(WRITERS)]
        sent.wait(PATIENCE_S)
        # A call and a list that no cache holds, each in a thread.
        reads = [call(address, "GET", FAVOURITES) for _ in range(3)]
        reads += [call(address, "GET", f"/api/videoplay/{number}") for number in (101, 102, 103)]
        done.append("reads")
        refused = [one.result(PATIENCE_S) for one in writing]
        # It is still held: nothing waited for its end.
        held.close()
        after = add_favourite(address, "writer0001")
    assert {one.status for one in reads} == {200}, engine
    assert {(one.status, one.retry_after) for one in refused} == {(503, "2")}
    assert {msgspec.json.decode(one.body)["code"] for one in refused} == {503}
    # Before all writers were answered; with threads in common the readers came last.
    assert done.index("reads") < len(done) - 1
    assert after.status == 200


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """Nothing more fits onto the disk of a folder."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    continue
            yield
        finally:
            filler.unlink()


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Put a disk of 48 MB below a folder's contents, which it takes over."""
    kept = folder.with_name("kept")
    folder.rename(kept)
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=48m", "liuying-test", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a disk")
    try:
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607 - the system's


def refused_for_now(answers: list[Answer]) -> None:
    assert {(one.status, one.retry_after) for one in answers} == {(503, "30")}


@pytest.mark.data_folder("fills the disk that SQLite's file lies on")
def test_a_full_disk_is_503_and_readers_go_on(filled: Services) -> None:
    with small_disk(filled.data_dir), serving(filled) as (_, address):
        assert add_favourite(address).status == 200
        with full_disk(filled.data_dir):
            # What fits into pages that are there already is still written.
            refused_for_now(
                [one for one in (give_feedback(address) for _ in range(5)) if one.status != 200][:1]
                or [add_favourite(address, f"full{number:04}") for number in range(40)][-1:]
            )
            reads = [call(address, "GET", path) for path in (FAVOURITES, "/api/videoplay/101")]
            assert [one.status for one in reads] == [200, 200]
        assert add_favourite(address, "after00001").status == 200


@pytest.mark.data_folder("keeps SQLite's file from growing")
def test_a_file_that_may_not_grow_is_503(filled: Services) -> None:
    """The same for everybody, without a disk: the process may write no file beyond its size now."""
    with serving(filled) as (process, address):
        assert add_favourite(address).status == 200
        before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        log = filled.data_dir / "liuying.db-wal"
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size // 2, before[1]))
        refused_for_now([add_favourite(address, "full000001"), give_feedback(address)])
        assert call(address, "GET", FAVOURITES).status == 200
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)
        assert add_favourite(address, "after00001").status == 200


def test_every_route_that_writes_says_so(filled: Services) -> None:
    wrong = [
        handler.handler_name
        for route in Application(filled).framework.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if ("database.write()" in source_of(handler.fn)) != (WRITING_OPTION in handler.opt)
    ]
    assert wrong == []


def source_of(function: Any) -> str:
    """A handler's text, out of what the framework wrapped it in."""
    while hasattr(function, "func"):
        function = function.func
    return inspect.getsource(function)


def test_a_fault_of_the_statement_stays_a_fault(
    filled: Services, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> object:
        raise sa.exc.OperationalError("SELECT", None, Exception("no such table"))

    monkeypatch.setattr("liuying.features.favourites.queries.count", fail)
    client = Client(filled)
    try:
        answer = client.get("/api/favorites/total?site=sg", {"x-visitor-code": "visitor0001"})
    finally:
        client.close()
    assert (answer.status_code, "retry-after" in answer.headers) == (500, False)
    assert "a request failed" in caplog.text
