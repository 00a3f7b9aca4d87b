"""What a cluster must bear: each process killed once, under writers. Prints its table last.

Not part of `make test`: it takes minutes and Debian's servers (`make cluster-test`).
"""

from __future__ import annotations

import json
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import psycopg
import pytest
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.database import DATABASE, LOOP_WAIT_S, RETRY_S, TTL_S, USER, client_context
from liuying_cluster.processes import Part, wait_until

from liuying.media.ffmpeg import ffmpeg_binary

WRITERS = 8
# Seconds: longer than any failover here.
FAULT_LASTS_S = 45.0
LONGEST_CALL_S = 8.0
TABLE: list[str] = []


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def video(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> int:
    """A clip that was queued on one machine and imported by a worker on another."""
    clip = tmp_path_factory.mktemp("clips") / "clip.mp4"
    make_clip(clip, 6)
    cluster.serving[0].run("import", str(clip), "--queue", "--wait", "--category", "集群")
    wait_until(lambda: first_video(cluster), "it was not imported")
    return first_video(cluster)


def make_clip(target: Path, seconds: int, pattern: str = "testsrc2") -> None:
    """A clip with sound."""
    sources = [
        f"-f lavfi -t {seconds} -i {pattern}=size=640x360:rate=25",
        f"-f lavfi -i sine=frequency=440:duration={seconds}",
    ]
    command = f"{ffmpeg_binary()} -v error {' '.join(sources)} -c:v libx264 -c:a aac {target}"
    subprocess.run(command.split(), check=True)


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
) -> Answer:
    """One call over a connection of its own.

    Args:
        source: The visitor's address, one of loopback's; 127.0.0.1 is a proxy.
    """
    began = time.monotonic()
    parts = urlsplit(address)
    connection = HTTPConnection(
        str(parts.hostname), parts.port, timeout=LONGEST_CALL_S, source_address=(source, 0)
    )
    headers = {"x-visitor-code": code, "content-type": "application/json"}
    data = None if body is None else json.dumps(body)
    try:
        connection.request("GET" if data is None else "POST", path, data, headers)
        answer = connection.getresponse()
        body_read = answer.read()
    except OSError:
        return Answer(0, b"", time.monotonic() - began)
    finally:
        connection.close()
    return Answer(answer.status, body_read, time.monotonic() - began)


def first_video(cluster: Cluster) -> int:
    found = json.loads(call(cluster.fronts[0].address, "/api/videosort/0").body)
    return int(found["rescont"]["data"][0]["id"]) if found["rescont"]["data"] else 0


class Writers:
    """Visitors who keep favourites, and remember which of them were acknowledged."""

    def __init__(self, cluster: Cluster, video: int) -> None:
        self._cluster = cluster
        self._video = video
        self._is_over = threading.Event()
        self.acknowledged: set[str] = set()
        self.refused: Counter[int] = Counter()
        self.longest = 0.0
        # When each write was acknowledged.
        self.moments: list[float] = []

    def run(self, number: int) -> None:
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
            self._is_over.wait(0.1)

    def stop(self) -> None:
        self._is_over.set()

    def gap(self) -> float:
        """The longest time without an acknowledged write, in seconds."""
        moments = sorted(self.moments)
        return max((after - before for before, after in pairwise(moments)), default=0.0)


def lost(cluster: Cluster, video: int, codes: set[str]) -> int:
    """Acknowledged favourites that are not there, asked of the database itself."""
    found: list[int] = []

    def count() -> bool:
        with suppress(psycopg.OperationalError):
            found.append(favourites(cluster, video))
        return bool(found)

    wait_until(count, "the database does not answer")
    return max(0, len(codes) - found[-1])


def favourites(cluster: Cluster, video: int) -> int:
    host = cluster.serving[0].haproxy.port
    password = cluster.postgres.passwords[USER]
    with psycopg.connect(
        f"host=127.0.0.1 port={host} user={USER} dbname={DATABASE} password={password}"
        f" sslmode=verify-full sslrootcert={cluster.certificates.authority} connect_timeout=3"
    ) as connection:
        statement = "SELECT count(*) FROM favourite WHERE video_id = %s"
        row = connection.execute(statement, [video]).fetchone()
    assert row is not None
    return int(row[0])


ALL_CODES: set[str] = set()


def under_writers(
    cluster: Cluster, video: int, fault: Callable[[], None], mend: Callable[[], None]
) -> tuple[Writers, Counter[int], float]:
    """A fault while visitors write and read; then everything as it was.

    Returns:
        The writers; statuses of cached answers; the longest of these in seconds.
    """
    writers = Writers(cluster, video)
    cached: Counter[int] = Counter()
    slowest = 0.0
    for path in CACHED:
        for front in cluster.fronts * 2:
            call(front.address, path)
    with ThreadPoolExecutor(WRITERS) as pool:
        running = [pool.submit(writers.run, number) for number in range(WRITERS)]
        try:
            wait_until(lambda: len(writers.moments) > WRITERS, "nobody writes")
            fault()
            until = time.monotonic() + FAULT_LASTS_S
            while time.monotonic() < until:
                for path in CACHED:
                    answer = call(cluster.fronts[0].address, path)
                    cached[answer.status] += 1
                    slowest = max(slowest, answer.seconds)
                time.sleep(0.2)
            mend()
            began = len(writers.moments)
            wait_until(lambda: len(writers.moments) > began + WRITERS, "nobody writes any more")
        finally:
            writers.stop()
        for one in running:
            one.result()
    ALL_CODES.update(writers.acknowledged)
    return writers, cached, slowest


CACHED = ("/api/videosort/0?page=1", "/api/config", "/home")


def tell(name: str, writers: Writers, cached: Counter[int], slowest: float, missing: int) -> None:
    """A line of the table."""
    TABLE.append(
        f"| {name} | {len(writers.acknowledged)} | {missing} | {writers.gap():.1f} s |"
        f" {dict(writers.refused)} | {writers.longest:.1f} s | {dict(cached)} | {slowest:.1f} s |"
    )


def whole(parts: list[Part]) -> None:
    """Start again what was ended."""
    for part in parts:
        if not part.is_running:
            part.start()


def leader_part(cluster: Cluster) -> Part:
    leader = cluster.postgres.leader()
    assert leader is not None
    return cluster.postgres.parts[leader]


@pytest.mark.parametrize(
    "name",
    [
        "leader killed",
        "leader frozen",
        "Patroni of the leader killed",
        "Patroni of the leader frozen",
        "etcd member killed",
        "serving process killed",
        "store killed",
        "nginx killed",
    ],
)
def test_a_process_that_fails_loses_nothing(cluster: Cluster, video: int, name: str) -> None:
    wait_until(lambda: "sync_standby" in cluster.postgres.roles(), "no synchronous standby")
    part = {
        "etcd member killed": cluster.etcd.parts[0],
        "serving process killed": cluster.serving[1].part,
        "store killed": cluster.store.part,
        "nginx killed": cluster.fronts[1].part,
    }.get(name) or leader_part(cluster)
    fault = {
        "leader frozen": part.freeze,
        "Patroni of the leader killed": part.kill_alone,
        "Patroni of the leader frozen": part.freeze_alone,
    }.get(name, part.kill)

    def mend() -> None:
        if name.endswith("frozen"):
            part.thaw()
        else:
            part.kill()
            part.start()
        if part is cluster.store.part:
            wait_until(cluster.store.is_ready, "the store did not come back")

    writers, cached, slowest = under_writers(cluster, video, fault, mend)
    missing = lost(cluster, video, ALL_CODES)
    tell(name, writers, cached, slowest, missing)
    assert missing == 0
    assert writers.gap() <= 1.1 * TTL_S + RETRY_S + LOOP_WAIT_S
    assert set(cached) == {200}
    assert set(writers.refused) <= {0, 502, 503, 504}


def test_limits_count_for_all_processes_together(cluster: Cluster) -> None:
    addresses = [f"http://127.0.0.1:{one.port}" for one in cluster.serving]
    asked = [
        call(
            addresses[number % len(addresses)],
            "/api/syssuggest",
            {"content": "x" * 20},
            source="127.9.0.2",
        ).status
        for number in range(12)
    ]
    TABLE.append(f"| feedback, 12 times over {len(addresses)} processes | {Counter(asked)} |")
    assert Counter(asked) == {200: 5, 429: 7}


def test_nothing_answers_without_its_password(cluster: Cluster) -> None:
    for port in cluster.postgres.ports:
        for address in (
            f"host=127.0.0.1 port={port} user=postgres dbname=postgres sslmode=disable",
            f"host=127.0.0.1 port={port} user=postgres dbname=postgres password=x",
            f"host=127.0.0.1 port={port} user={USER} dbname={DATABASE}",
        ):
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(address, connect_timeout=5)
    for port in cluster.etcd.clients:
        stranger = ssl.create_default_context(cafile=str(cluster.certificates.authority))
        with pytest.raises(OSError, match="certificate"):
            urllib.request.urlopen(f"https://127.0.0.1:{port}/version", timeout=5, context=stranger)
    context = client_context(cluster.certificates)
    for port in cluster.postgres.rest:
        request = urllib.request.Request(f"https://127.0.0.1:{port}/restart", b"{}", method="POST")
        with pytest.raises(urllib.error.HTTPError, match=r"401|403"):
            urllib.request.urlopen(request, timeout=5, context=context)  # noqa: S310
    assert cluster.store.status_without_key() == 403


def test_a_worker_that_dies_is_followed_by_another(cluster: Cluster, tmp_path: Path) -> None:
    clip = tmp_path / "long.mp4"
    make_clip(clip, 20, "mandelbrot")
    cluster.serving[0].run("import", str(clip), "--queue", "--category", "集群")
    before = json.loads(call(cluster.fronts[0].address, "/api/videosort/0").body)["rescont"][
        "total"
    ]
    wait_until(
        lambda: '"running"' in cluster.serving[0].run("jobs", "list", "--json"), "nobody works"
    )
    cluster.working[0].part.kill()
    cluster.working[1].part.kill()
    began = time.monotonic()
    cluster.working[1].part.start()

    def is_there() -> bool:
        found = json.loads(call(cluster.fronts[0].address, "/api/videosort/0").body)
        return bool(found["rescont"]["total"] == before + 1)

    wait_until(is_there, "nobody went on")
    TABLE.append(f"| both workers killed, one started again | {time.monotonic() - began:.0f} s |")
    cluster.working[0].part.start()


def test_a_video_taken_down_ends_everywhere(cluster: Cluster, video: int) -> None:
    front = cluster.fronts[0].address
    playlist = json.loads(call(front, f"/api/videoplay/{video}").body)["rescont"]["videopath"]
    assert call(front, playlist).status == 200
    cluster.serving[1].run("video", "hide", str(video))
    began = time.monotonic()
    wait_until(lambda: call(front, f"/api/videoplay/{video}").status == 404, "it is still shown")
    answers = time.monotonic() - began
    wait_until(lambda: call(front, playlist).status in {403, 404}, "it is still sent")
    media = time.monotonic() - began
    TABLE.append(f"| taken down: answers, media | {answers:.2f} s | {media:.1f} s |")
    assert media <= 12.0


def test_the_table() -> None:
    """Last of all: what was seen."""
    columns = ("fault", "acknowledged", "lost", "longest gap", "refused", "longest call")
    print(f"\n| {' | '.join((*columns, 'cached', 'slowest'))} |")
    print("|---|---|---|---|---|---|---|---|")
    print("\n".join(TABLE))
