"""PostgreSQL that is gone or stands still: what is cached is answered, everything else is 503 soon,
and afterwards everything is as it should be.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from urllib.parse import urlsplit

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries.change_log import Moment, newest_numbers, note_changed
from liuying.http import change_watcher
from liuying.http.change_watcher import EVERYTHING, ChangeWatcher
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, record_change
from tests.postgres_proxy import PostgresProxy, postgres_proxy
from tests.server_process import server
from tests.waiting import wait_until

# No call takes longer; the machine of the tests may.
LONGEST_S = 20.0
CACHED = ("/api/videosort/1?page=1", "/home", "/api/config", "/api/videoplay/101")


@pytest.fixture
def engine() -> str:
    return "postgresql"


@pytest.fixture
def proxy(filled: Services) -> Iterator[PostgresProxy]:
    with postgres_proxy(filled.settings.database_url) as proxy:
        yield proxy


@pytest.fixture
def address(filled: Services, proxy: PostgresProxy) -> Iterator[str]:
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(filled.data_dir),
        "LIUYING_WEB_DIR": str(filled.settings.web_dir),
        "LIUYING_DATABASE_URL": proxy.url,
        "LIUYING_WORKERS": "0",
        "PORT": "0",
        "HOST": "127.0.0.1",
    }
    with server(environment) as (_, found):
        yield found


def call(address: str, path: str, body: object = None) -> tuple[int, str | None]:
    """Status and `Retry-After` of a call over a connection of its own."""
    parts = urlsplit(address)
    connection = HTTPConnection(str(parts.hostname), parts.port, timeout=LONGEST_S)
    headers = {"x-visitor-code": "visitor0001", "content-type": "application/json"}
    data = None if body is None else msgspec.json.encode(body)
    try:
        connection.request("GET" if body is None else "POST", path, data, headers)
        with connection.getresponse() as response:
            response.read()
            return response.status, response.headers.get("retry-after")
    finally:
        connection.close()


def add_favourite(address: str) -> tuple[int, str | None]:
    return call(address, "/api/favorites", {"id": 102, "site": "sg"})


@pytest.mark.parametrize("fault", ["cut", "hold_up"])
def test_cached_answers_go_on_and_the_rest_is_503(
    address: str, proxy: PostgresProxy, fault: str
) -> None:
    assert {call(address, path)[0] for path in CACHED} == {200}
    assert add_favourite(address)[0] == 200
    getattr(proxy, fault)()
    cached = [call(address, path)[0] for _ in range(5) for path in CACHED]
    refused = [add_favourite(address), call(address, "/api/favorites?site=sg&page=1")]
    proxy.restore()
    assert set(cached) == {200}
    assert {status for status, _ in refused} == {503}
    assert all(retry is not None and int(retry) > 0 for _, retry in refused)
    wait_until(lambda: add_favourite(address)[0] == 200)
    wait_until(lambda: call(address, "/readyz")[0] == 200)


def follow_nothing(_connection: sa.Connection) -> None:
    pass


class Follower:
    """A watcher, and what it told."""

    def __init__(self, services: Services) -> None:
        self.told: list[frozenset[CacheTopic]] = []
        self.begun_anew = 0
        # One letter a look: followed, or confirmed that there was nothing to follow.
        self.looks = ""
        self.followed = (-1, -1)
        self.fault: Callable[[], None] = lambda: None
        self.watcher = ChangeWatcher(
            services.database,
            self.told.append,
            follow_nothing,
            self.follow,
            self.confirm,
            lambda: None,
            self.begin_anew,
        )

    def follow(self, connection: sa.Connection, moment: Moment) -> None:
        self.looks += "f"
        self.fault()
        assert moment.newest == newest_numbers(connection)
        self.followed = moment.newest

    def confirm(self, *newest: int) -> bool:
        self.looks += "c" if newest == self.followed else ""
        return newest == self.followed

    def begin_anew(self) -> None:
        self.begun_anew += 1


def change(services: Services, *topics: CacheTopic) -> None:
    with services.database.write() as connection:
        record_change(connection, *topics)


def test_a_change_wakes_and_a_broken_connection_loses_none(filled: Services) -> None:
    """Without its connection a look a second finds the change; with it the change itself wakes."""

    async def scenario() -> list[frozenset[CacheTopic]]:
        follower = Follower(filled)
        await follower.watcher.begin()
        running = asyncio.create_task(follower.watcher.run())
        await asyncio.sleep(0)
        for number, topic in enumerate((CacheTopic.ADS, CacheTopic.NOTICES), 1):
            await asyncio.to_thread(change, filled, topic)
            while len(follower.told) < number:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(end_other_connections, filled)
        running.cancel()
        return follower.told

    told = asyncio.run(asyncio.wait_for(scenario(), LONGEST_S))
    assert told == [frozenset({CacheTopic.ADS}), frozenset({CacheTopic.NOTICES})]


def end_other_connections(services: Services) -> None:
    statement = (
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with services.database.read() as connection:
        connection.exec_driver_sql(statement)


@pytest.mark.parametrize("is_broken", [False, True])
def test_notifications_wake_without_a_look(
    filled: Services, monkeypatch: pytest.MonkeyPatch, *, is_broken: bool
) -> None:
    """Were it not for them, nothing would be seen for an hour; also over the next connection, where
    one broke.
    """
    monkeypatch.setattr("liuying.http.change_signal.LONGEST_WAIT_S", 3600.0)

    async def scenario() -> None:
        follower = Follower(filled)
        await follower.watcher.begin()
        running = asyncio.create_task(follower.watcher.run())
        for number in range(1, 6):
            await asyncio.to_thread(change, filled, CacheTopic.ADS)
            while len(follower.told) < number:
                await asyncio.sleep(0.01)
            if is_broken:
                await asyncio.to_thread(end_other_connections, filled)
        running.cancel()

    asyncio.run(asyncio.wait_for(scenario(), LONGEST_S))


def test_numbers_that_go_back_are_another_database(filled: Services) -> None:
    follower = Follower(filled)
    change(filled, CacheTopic.ADS)
    follower.watcher.look_now()
    with filled.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM change WHERE seq = (SELECT max(seq) FROM change)")
    follower.watcher.look_now()
    assert (follower.told[-1], follower.begun_anew) == (EVERYTHING, 1)


def test_another_server_means_that_everything_may_have_changed(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    follower = Follower(filled)
    follower.watcher.look_now()
    monkeypatch.setattr(follower.watcher, "_of_server", ("SELECT 1",))
    follower.watcher.look_now()
    follower.watcher.look_now()
    assert (follower.begun_anew, follower.told[-1], follower.looks) == (1, EVERYTHING, "ffc")


def test_what_was_followed_is_followed_again_only_after_a_change(filled: Services) -> None:
    follower = Follower(filled)
    writes: tuple[Callable[[sa.Connection], None], ...] = (
        lambda _: None,
        lambda connection: record_change(connection, CacheTopic.ADS),
        lambda connection: record_change(connection, CacheTopic.CATALOGUE),
        lambda connection: note_changed(connection, [100]),
        lambda _: None,
    )
    for write in writes:
        with filled.database.write() as connection:
            write(connection)
        follower.watcher.look_now()
    follower.watcher.look_now()
    assert follower.looks == "fcffcc"


def test_what_could_not_be_followed_is_followed_again(filled: Services) -> None:
    follower = Follower(filled)
    follower.watcher.look_now()
    change(filled, CacheTopic.CATALOGUE)

    def fail() -> None:
        raise RuntimeError("no memory")

    follower.fault = fail
    with pytest.raises(RuntimeError):
        follower.watcher.look_now()
    follower.fault = lambda: None
    follower.told.clear()
    follower.watcher.look_now()
    assert (follower.told, follower.looks) == ([frozenset({CacheTopic.CATALOGUE})], "fff")


def test_after_a_minute_without_a_look_nothing_is_trusted(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    follower = Follower(filled)
    follower.watcher.look_now()
    follower.told.clear()

    def away() -> frozenset[CacheTopic]:
        raise sa.exc.OperationalError("SELECT", {}, Exception("connection refused"))

    monkeypatch.setattr(follower.watcher, "_look", away)
    asyncio.run(follower.watcher.look())
    assert (follower.told, follower.watcher.is_blind) == ([], True)
    later = time.monotonic() + change_watcher.MAX_BLIND_S
    monkeypatch.setattr(change_watcher, "monotonic", lambda: later)
    asyncio.run(follower.watcher.look())
    assert follower.told == [EVERYTHING]
