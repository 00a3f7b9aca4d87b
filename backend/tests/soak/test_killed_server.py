"""kill -9 of a real server under writers: what it acknowledged is there, what it removed stays
away.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest

from liuying.installation.migrating import migrate
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from tests.catalogue_factory import NOW, fill_catalogue
from tests.server_process import server

FAVOURITE_WRITERS, SHARE_WRITERS = 5, 3
WRITERS = FAVOURITE_WRITERS + SHARE_WRITERS
MAX_WRITE_S = 60
VIDEOS = range(100, 130)
SHARED = range(300, 305)
NETWORKS = 200
SOAK_ROUNDS = int(os.environ.get("SOAK_ROUNDS", "0"))


class Writer(Protocol):
    """One visitor: what it does, and how it is checked."""

    count: int

    def act(self, call: Callable[..., Any]) -> None:
        """One write; raises OSError or HTTPException where the server is gone."""

    def check(self, call: Callable[..., Any]) -> None:
        """Compare with a server that was started anew, and take over how the last write ended."""


class FavouriteWriter:
    """Favourites and removes at random, and knows what was acknowledged."""

    def __init__(self, number: int) -> None:
        self.code = f"writer{number:04}"
        self.network = f"192.0.2.{number}"
        self.random = random.Random(number)  # noqa: S311 - a choice of videos, no secret
        self.acknowledged: dict[int, bool] = {}
        self.in_flight: int | None = None
        self.count = 0

    def act(self, call: Callable[..., Any]) -> None:
        video_id, wanted = self.random.choice(VIDEOS), self.random.random() < 0.6
        self.in_flight = video_id
        body = {"id": video_id, "site": "sg"}
        call("POST" if wanted else "DELETE", "/api/favorites", self.code, body, self.network)
        self.acknowledged[video_id] = wanted
        self.in_flight = None
        self.count += 1

    def check(self, call: Callable[..., Any]) -> None:
        found: list[int] = []
        path: str | None = "/api/favorites?site=sg&page=1"
        total = 0
        while path is not None:
            page = call("GET", path, self.code)
            total = page["total"]
            found += [one["id"] for one in page["data"]]
            path = page["next_page_url"]
        ids = call("POST", "/api/favorites/ids", self.code, {"id": list(VIDEOS)})["ids"]
        assert sorted(found) == sorted(ids)
        assert total == len(found) == call("GET", "/api/favorites/total", self.code)["total"]
        for video_id, wanted in self.acknowledged.items():
            if video_id != self.in_flight:
                assert (video_id in found) == wanted, (
                    f"{self.code}: {video_id} was acknowledged as {wanted}"
                )
        assert set(found) <= {*self.acknowledged, self.in_flight}
        if self.in_flight is not None:
            self.acknowledged[self.in_flight] = self.in_flight in found
            self.in_flight = None


class ShareWriter:
    """Shares videos and has friends of many networks open the links; nobody else opens them."""

    def __init__(self, number: int) -> None:
        self.code = f"sharer{number:04}"
        self.network = f"192.0.2.{100 + number}"
        self.random = random.Random(1000 + number)  # noqa: S311 - a choice of networks, no secret
        self.links: dict[int, str] = {}
        self.acknowledged: dict[int, set[str]] = {video_id: set() for video_id in SHARED}
        self.in_flight: tuple[int, str] | None = None
        self.count = 0

    def act(self, call: Callable[..., Any]) -> None:
        video_id = self.random.choice(SHARED)
        if video_id not in self.links:
            self.links[video_id] = self.link(call, video_id)["id"]
        friend = self.friend(self.random.randrange(NETWORKS))
        known = self.acknowledged[video_id]
        self.in_flight = (video_id, friend)
        counted = call(
            "POST", "/api/share/visit", "friend0001", {"id": self.links[video_id]}, friend
        )["ip_count"]
        known.add(friend)
        self.in_flight = None
        assert counted == len(known), (
            f"{self.code}: {counted} visits of {video_id} instead of {len(known)}"
        )
        self.count += 1

    def check(self, call: Callable[..., Any]) -> None:
        for video_id, link in self.links.items():
            known = self.acknowledged[video_id]
            told = call("GET", f"/api/share/check?id={link}", self.code)["ip_count"]
            if (
                self.in_flight is not None
                and self.in_flight[0] == video_id
                and told == len(known) + 1
            ):
                known.add(self.in_flight[1])
            assert told == len(known), (
                f"{self.code}: {told} visits of {video_id} instead of {len(known)}"
            )
            mine = self.link(call, video_id)
            assert (mine["id"], mine["ip_count"], mine["is_unlocked"]) == (link, told, told >= 2)
            for friend in sorted(known)[:3]:  # who was counted is not counted again
                body = {"id": link}
                assert (
                    call("POST", "/api/share/visit", "friend0001", body, friend)["ip_count"] == told
                )
        counts = call("GET", "/api/share/unlocked", self.code)["counts"]
        assert {video_id: counts[str(video_id)] for video_id in self.links} == {
            video_id: len(self.acknowledged[video_id]) for video_id in self.links
        }
        self.in_flight = None

    def link(self, call: Callable[..., Any], video_id: int) -> Any:
        return call("POST", "/api/share/link", self.code, {"id": video_id}, self.network)

    @staticmethod
    def friend(number: int) -> str:
        return f"198.51.100.{number}" if number % 2 else f"2001:db8:0:{number:x}::1"


@contextmanager
def caller(address: str) -> Iterator[Callable[..., Any]]:
    """Calls over one connection; the payload of what must be a success."""
    host = urlsplit(address)
    connection = http.client.HTTPConnection(str(host.hostname), host.port, timeout=30)

    def call(
        method: str, path: str, code: str, body: object = None, network: str = "203.0.113.1"
    ) -> Any:
        headers = {"x-visitor-code": code, "x-forwarded-for": network}
        if body is not None:
            headers["content-type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        with connection.getresponse() as response:
            answer = json.loads(response.read())
        assert response.status == 200, answer
        return answer["rescont"]

    with closing(connection):
        yield call


def write_until_killed(process: subprocess.Popen[str], address: str, writers: list[Writer]) -> None:
    """All writers at once; the server is killed in the middle of it."""
    failures: list[BaseException] = []

    def run(writer: Writer) -> None:
        try:
            with caller(address) as call:
                while True:
                    writer.act(call)
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            return  # the server is gone
        except BaseException as error:  # noqa: BLE001 - told to the test's own thread below
            failures.append(error)

    threads = [threading.Thread(target=run, args=(writer,)) for writer in writers]
    for thread in threads:
        thread.start()
    wanted = sum(writer.count for writer in writers) + random.SystemRandom().randint(
        2 * WRITERS, 12 * WRITERS
    )
    deadline = time.monotonic() + MAX_WRITE_S
    while (
        sum(writer.count for writer in writers) < wanted
        and time.monotonic() < deadline
        and not failures
    ):
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    for thread in threads:
        thread.join(timeout=60)
    assert not failures, failures[0]


@pytest.mark.parametrize(
    ("engine", "rounds"),
    [("sqlite", SOAK_ROUNDS or 3), ("postgresql", SOAK_ROUNDS or 1)],
    ids=["sqlite", "postgresql"],
)
def test_nothing_acknowledged_is_lost(tmp_path: Path, database_url: str, rounds: int) -> None:
    settings = Settings(
        data_dir=tmp_path / "data", web_dir=tmp_path / "web", database_url=database_url
    )
    services = open_services(settings, clock=lambda: NOW)
    migrate(services.database)
    with services.database.write() as connection:
        fill_catalogue(connection)
    services.database.close()
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(settings.data_dir),
        "LIUYING_WEB_DIR": str(settings.web_dir),
        "LIUYING_DATABASE_URL": database_url,
        "LIUYING_TRUSTED_PROXIES": "127.0.0.1/32",
        "PORT": "0",
        "HOST": "127.0.0.1",
    }
    writers: list[Writer] = [FavouriteWriter(number) for number in range(FAVOURITE_WRITERS)]
    writers += [ShareWriter(number) for number in range(SHARE_WRITERS)]
    for _ in range(rounds):
        before = sum(writer.count for writer in writers)
        with server(environment) as (process, address):
            write_until_killed(process, address, writers)
        assert sum(writer.count for writer in writers) > before + WRITERS
        with server(environment) as (_, address), caller(address) as call:
            for writer in writers:
                writer.check(call)
