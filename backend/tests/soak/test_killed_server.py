"""kill -9 of a real server under writers: what it acknowledged is there, what it removed stays away."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from liuying.main.migrating import migrate
from liuying.main.services import open_services
from liuying.main.settings import Settings
from tests.catalogue_factory import NOW, fill_catalogue

WRITERS = 8
MOST_WRITE_S = 60
VIDEOS = range(100, 130)
SOAK_ROUNDS = int(os.environ.get("SOAK_ROUNDS", "0"))


class FavouriteWriter:
    """One visitor who favourites and removes at random, and knows what was acknowledged.

    Another kind of writer has the same three methods: what it does, and how it is checked.
    """

    def __init__(self, number: int) -> None:
        self.code = f"writer{number:04}"
        self.random = random.Random(number)  # noqa: S311 - a choice of videos, no secret
        self.acknowledged: dict[int, bool] = {}
        self.in_flight: int | None = None
        self.count = 0

    def act(self, call: Callable[..., Any]) -> None:
        """One write; raises OSError or HTTPException where the server is gone."""
        video_id, wanted = self.random.choice(VIDEOS), self.random.random() < 0.6
        self.in_flight = video_id
        call("POST" if wanted else "DELETE", "/api/favorites", self.code, {"id": video_id, "site": "sg"})
        self.acknowledged[video_id] = wanted
        self.in_flight = None
        self.count += 1

    def check(self, call: Callable[..., Any]) -> None:
        """Compare with a server that was started anew, and take over how the last write ended."""
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
                assert (video_id in found) == wanted, f"{self.code}: {video_id} was acknowledged as {wanted}"
        assert set(found) <= {*self.acknowledged, self.in_flight}
        if self.in_flight is not None:
            self.acknowledged[self.in_flight] = self.in_flight in found
            self.in_flight = None


@contextmanager
def caller(address: str) -> Iterator[Callable[..., Any]]:
    """Calls over one connection; the payload of what must be a success."""
    host = urlsplit(address)
    connection = http.client.HTTPConnection(str(host.hostname), host.port, timeout=30)

    def call(method: str, path: str, code: str, body: object = None) -> Any:
        headers = {"x-visitor-code": code}
        if body is not None:
            headers["content-type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        with connection.getresponse() as response:
            answer = json.loads(response.read())
        assert response.status == 200, answer
        return answer["rescont"]

    with closing(connection):
        yield call


@contextmanager
def server(environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process and its address; killed at the end where it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "liuying.main.cli", "serve"], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, line.split()[1]
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def write_until_killed(process: subprocess.Popen[str], address: str, writers: list[FavouriteWriter]) -> None:
    """All writers at once; the server is killed in the middle of it."""
    failures: list[BaseException] = []

    def run(writer: FavouriteWriter) -> None:
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
    wanted = sum(writer.count for writer in writers) + random.SystemRandom().randint(2 * WRITERS, 12 * WRITERS)
    deadline = time.monotonic() + MOST_WRITE_S
    while sum(writer.count for writer in writers) < wanted and time.monotonic() < deadline and not failures:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    for thread in threads:
        thread.join(timeout=60)
    assert not failures, failures[0]


@pytest.mark.parametrize(
    ("engine", "rounds"), [("sqlite", SOAK_ROUNDS or 3), ("postgresql", SOAK_ROUNDS or 1)], ids=["sqlite", "postgresql"]
)
def test_nothing_acknowledged_is_lost(tmp_path: Path, database_url: str, rounds: int) -> None:
    settings = Settings(data_dir=tmp_path / "data", web_dir=tmp_path / "web", database_url=database_url)
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
        "PORT": "0",
        "HOST": "127.0.0.1",
    }
    writers = [FavouriteWriter(number) for number in range(WRITERS)]
    for _ in range(rounds):
        before = sum(writer.count for writer in writers)
        with server(environment) as (process, address):
            write_until_killed(process, address, writers)
        assert sum(writer.count for writer in writers) > before + WRITERS
        with server(environment) as (_, address), caller(address) as call:
            for writer in writers:
                writer.check(call)
