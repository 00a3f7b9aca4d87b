"""Visitors who read and write while parts of the cluster fail."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from itertools import pairwise
from urllib.parse import urlsplit

import msgspec
import psycopg

from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.secrets import load_secrets
from liuying_cluster.cluster import Cluster
from liuying_cluster.processes import wait_until

WRITERS = 8
# Answers that go on while the database is away.
CACHED = ("/api/videosort/0?page=1", "/api/config", "/home")
# Seconds: no call may take longer; between two calls of one visitor.
LONGEST_CALL_S = 8.0
PAUSE_S = 0.1
# Seconds: a fault lasts at least so long, and until visitors have been writing for so long again.
LEAST_S, SETTLED_S = 10.0, 3.0


class Answer(msgspec.Struct, frozen=True):
    """What a call got; status 0 where nobody answered."""

    status: int
    body: bytes
    seconds: float


def call(
    address: str,
    path: str,
    body: object = None,
    code: str = "visitor0001",
    source: str = "127.0.0.1",
    asked: str = "",
    within: float = LONGEST_CALL_S,
) -> Answer:
    """One call over a connection of its own.

    Args:
        address: Origin.
        path: With the query.
        body: What is posted; None for GET.
        code: The visitor's data code.
        source: The visitor's address, one of loopback's; 127.0.0.1 is a proxy.
        asked: The `Range` header; empty for the whole.
        within: Seconds after which the visitor gives up.
    """
    began = time.monotonic()
    parts = urlsplit(address)
    connection = HTTPConnection(
        str(parts.hostname), parts.port, timeout=within, source_address=(source, 0)
    )
    headers = {"x-visitor-code": code, "content-type": "application/json"}
    if asked:
        headers["range"] = asked
    data = None if body is None else json.dumps(body)
    try:
        connection.request("GET" if data is None else "POST", path, data, headers)
        answer = connection.getresponse()
        body_read = answer.read()
    except (OSError, HTTPException):
        return Answer(0, b"", time.monotonic() - began)
    finally:
        connection.close()
    return Answer(answer.status, body_read, time.monotonic() - began)


class Writers:
    """Visitors who keep favourites, and remember which of them were acknowledged.

    Args:
        cluster: Where they write, through each nginx in turn.
        video: What they keep.
    """

    def __init__(self, cluster: Cluster, video: int) -> None:
        self._cluster = cluster
        self._video = video
        self._is_over = threading.Event()
        self.acknowledged: set[str] = set()
        self.refused: Counter[int] = Counter()
        self.longest = 0.0
        # When each write was acknowledged.
        self.moments: list[float] = []

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Let them write until the block ends.

        Raises:
            TimeoutError: Nothing is acknowledged at first.
        """
        with ThreadPoolExecutor(WRITERS) as pool:
            running = [pool.submit(self._write, number) for number in range(WRITERS)]
            try:
                wait_until(lambda: len(self.moments) > WRITERS, "没有一次写入成功")
                yield
            finally:
                self._is_over.set()
            for one in running:
                one.result()

    def written_since(self, moment: float) -> int:
        """How many writes were acknowledged since a moment."""
        return sum(one >= moment for one in list(self.moments))

    def gap(self) -> float:
        """The longest time without an acknowledged write, in seconds."""
        moments = sorted(self.moments)
        return max((after - before for before, after in pairwise(moments)), default=0.0)

    def _write(self, number: int) -> None:
        """Write until it is over, each time as another visitor."""
        turn = 0
        while not self._is_over.is_set():
            turn += 1
            code = f"w{number}{time.time_ns() // 1000 % 10**10:010}"
            front = self._cluster.fronts[turn % len(self._cluster.fronts)]
            body = {"id": self._video, "site": "sg"}
            # Codes that are new from one network are limited.
            source = f"127.{number + 1}.{int(time.time()) // 5 % 250}.2"
            answer = call(front.address, "/api/favorites", body, code, source)
            self.longest = max(self.longest, answer.seconds)
            if answer.status == 200:
                self.acknowledged.add(code)
                self.moments.append(time.monotonic())
            else:
                self.refused[answer.status] += 1
            self._is_over.wait(PAUSE_S)


class Seen(msgspec.Struct):
    """What visitors saw of a fault.

    Attributes:
        happened: When, in UTC.
        writers: Those who wrote.
        cached: Statuses of cached answers.
        slowest: The longest of these, in seconds.
    """

    happened: datetime
    writers: Writers
    cached: Counter[int]
    slowest: float = 0.0


def see_fault(
    cluster: Cluster, video: int, happen: Callable[[], None], mend: Callable[[], None]
) -> Seen:
    """Let something fail while visitors write and read, until they write again; then mend it. What
    is cached is asked of every nginx that runs.

    Raises:
        TimeoutError: They never write again.
    """
    writers = Writers(cluster, video)
    for path in CACHED:
        for front in cluster.fronts * 2:
            call(front.address, path)
    with writers.writing():
        seen = Seen(datetime.now(UTC), writers, Counter())
        happen()
        began = time.monotonic()

        def is_over() -> bool:
            for front in (one for one in cluster.fronts if one.part.is_running):
                for path in CACHED:
                    answer = call(front.address, path)
                    seen.cached[answer.status] += 1
                    seen.slowest = max(seen.slowest, answer.seconds)
            now = time.monotonic()
            return (
                now - began > LEAST_S
                and seen.writers.written_since(now - SETTLED_S) > WRITERS
                and seen.writers.written_since(now - SETTLED_S / 2) > 0
            )

        wait_until(is_over, "没有人能再写入")
        mend()
        again = time.monotonic()
        wait_until(lambda: seen.writers.written_since(again) > WRITERS, "没有人能再写入")
    return seen


def lost_writes(cluster: Cluster, video: int, codes: set[str]) -> set[str]:
    """Acknowledged favourites that the database does not have.

    Raises:
        TimeoutError: The database does not answer.
    """
    secrets = load_secrets(cluster.secrets)
    if secrets is None:
        raise FileNotFoundError(cluster.secrets)
    hashes = KeyedHashes(base64.b64decode(secrets.pepper))
    found: list[set[str]] = []

    def is_read() -> bool:
        with suppress(psycopg.Error), cluster.connect() as connection:
            rows = connection.execute(
                "SELECT code_hash FROM visitor JOIN favourite ON visitor_id = visitor.id"
                " WHERE video_id = %s",
                [video],
            )
            found.append({str(row[0]) for row in rows})
        return bool(found)

    wait_until(is_read, "数据库没有回答")
    return {code for code in codes if hashes.code(code) not in found[-1]}
