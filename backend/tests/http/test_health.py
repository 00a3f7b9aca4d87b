"""`/healthz` and `/readyz`: right, quick, and silent about the reason."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import threading
from collections.abc import Callable

import msgspec
import pytest
import sqlalchemy as sa

from liuying.http.health import Readiness
from liuying.installation.json_logs import JsonFormatter
from liuying.installation.services import Services
from liuying.kit.clock import system_clock
from liuying.kit.database import Database
from liuying.workflows.doctor.database import examine_processes
from liuying.workflows.queries.processes import GONE_MS, note_process
from tests.catalogue_factory import NOW
from tests.conftest import Client


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_sound_server_says_ok_and_no_more(client: Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.text) == (200, "ok\n")
    assert answer.headers["cache-control"] == "no-store"
    assert client.request("HEAD", path).content == b""
    assert client.request("POST", path).status_code == 405


def behind(services: Services) -> None:
    with services.database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))


def empty(services: Services) -> None:
    with services.database.write() as connection:
        connection.execute(sa.text("DROP TABLE alembic_version"))


@pytest.mark.parametrize("spoil", [behind, empty])
def test_an_unready_server_is_alive(client: Client, spoil: Callable[[Services], None]) -> None:
    spoil(client.services)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "unavailable\n")
    assert client.get("/healthz").status_code == 200


def test_a_database_that_is_gone_is_no_fault_of_the_answer() -> None:
    database = Database("postgresql+psycopg://nobody@127.0.0.1:1/none")
    assert asyncio.run(Readiness(database, system_clock).is_ready()) is False


def test_a_database_that_hangs_is_asked_once(
    monkeypatch: pytest.MonkeyPatch, filled: Services
) -> None:
    release, asked = threading.Event(), []

    def hang(_: Database) -> bool:
        asked.append(1)
        release.wait(20)
        return True

    monkeypatch.setattr("liuying.http.health.is_usable", hang)

    async def ask() -> None:
        readiness = Readiness(filled.database, filled.clock, timeout=0.02)
        assert await asyncio.gather(*(readiness.is_ready() for _ in range(5))) == [False] * 5
        assert len(asked) == 1
        release.set()
        patient = Readiness(filled.database, filled.clock, timeout=20)
        assert await asyncio.gather(*(patient.is_ready() for _ in range(5))) == [True] * 5
        assert await patient.is_ready()
        assert len(asked) == 2

    asyncio.run(ask())


def test_it_says_in_which_settings_the_processes_differ(client: Client, engine: str) -> None:
    if engine == "sqlite":
        pytest.skip("SQLite has one serving process")
    services = client.services
    ours = services.settings.seen_by_visitors
    with services.database.write() as connection:
        note_process(connection, "a:8000", ours, NOW)
        note_process(connection, "b:8000", {**ours, "page_size": "12"}, NOW)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (200, "ok\nsettings differ: page_size\n")
    with services.database.read() as connection:
        found = list(examine_processes(connection, NOW))
        assert list(examine_processes(connection, NOW + GONE_MS + 1)) == []
    assert [one.severity for one in found] == ["error"]
    assert "LIUYING_PAGE_SIZE：a:8000 为 8；b:8000 为 12" in found[0].sentence


def test_a_process_that_ends_says_so_and_answers_on(client: Client) -> None:
    client.application.readiness.is_ending = True
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
    assert client.get("/api/videosort/1").status_code == 200


def test_a_fault_has_the_same_name_in_the_answer_and_in_the_log(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of ours")

    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger("liuying.kit.refusals")
    logger.addHandler(handler)
    monkeypatch.setattr("liuying.features.sharing.service.make_share", fail)
    try:
        answers = [
            client.request(
                "POST",
                "/api/share/link",
                {"x-visitor-code": "s3cretcode99", "x-request-id": "mine"},
                {"id": 300},
            )
            for _ in range(2)
        ]
    finally:
        logger.removeHandler(handler)
    names = [answer.headers["x-request-id"] for answer in answers]
    assert [answer.status_code for answer in answers] == [500, 500]
    assert [json.loads(line)["request"] for line in stream.getvalue().splitlines()] == names
    assert len({*names, "mine"}) == 3
    assert "x-request-id" not in client.get("/api/videosort").headers
    assert msgspec.json.decode(answers[0].content)["msg"] == "网络异常，请稍后重试"
