"""How soon every process of a cluster knows of a change: of a hundred a second, of one whose
notification is lost, and of a video that is taken down, up to the last segment and cover that any
nginx sends. Needs what `make cluster` needs.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import statistics
import sys
import threading
import time
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa
from liuying_cluster.cluster import Cluster, running_cluster
from liuying_cluster.films import cover_of, import_clip, make_clip, playlist_of, segments_of
from liuying_cluster.table import markdown
from liuying_cluster.visitors import call

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.change_log import Moment, note_changed
from liuying.core.catalogue.sort_index import SortIndex
from liuying.features.search.memory_index import MemoryIndex
from liuying.http.change_watcher import ChangeWatcher
from liuying.installation.environment import read_settings
from liuying.installation.services import Services, open_services
from liuying.kit import changes
from liuying.kit.changes import CacheTopic, change, newest_change, record_change
from liuying.kit.database import Database
from liuying.workflows.pictures import FRESH_S
from liuying.workflows.purging import purge_video

WATCHERS, A_SECOND, LOST = 8, 100, 10


def watch(environment: dict[str, str], stop: Event, ready: Any, told: Any) -> None:
    """Follow the log as a serving process does; tell when which number was seen."""
    services = open_services(read_settings(environment))
    database = services.database
    seen: list[tuple[int, float]] = []
    orders, texts = SortIndex(database, services.hashes), MemoryIndex(database, change_log)

    def follow(connection: sa.Connection, moment: Moment) -> None:
        orders.follow(connection, moment)
        texts.follow(connection, moment)

    def note(_topics: object) -> None:
        # What the look has found: from now on no answer is older.
        known = watcher._known
        assert known is not None
        seen.append((known.newest, time.time()))

    watcher = ChangeWatcher(
        database, note, lambda _: None, follow, orders.confirm, orders.doubt, orders.forget
    )

    async def run() -> None:
        await watcher.begin()
        orders.build()
        texts.build()
        running = asyncio.create_task(watcher.run())
        ready.release()
        while not stop.is_set():
            await asyncio.sleep(0.2)
        running.cancel()
        # Otherwise it had nothing to follow.
        assert orders.is_ready and texts.is_ready

    asyncio.run(run())
    database.close()
    told.put(seen)


def delays(written: list[tuple[int, float]], seen: list[tuple[int, float]]) -> list[float]:
    """Seconds from the end of each commit until its number was seen first; none is below 0, although
    a notification may be faster than the commit's own answer.
    """
    found = []
    looks = iter(seen)
    look = next(looks)
    for number, moment in written:
        while look[0] < number:
            look = next(looks)
        found.append(max(0.0, look[1] - moment))
    return found


def write(
    database: Database, *, video_id: int | None = None, is_told: bool = True
) -> tuple[int, float]:
    """A change of an advertisement, or of a video; its number, and when it was committed."""
    with database.write() as connection:
        if video_id is not None:
            note_changed(connection, [video_id])
            record_change(connection, CacheTopic.ADS, CacheTopic.CATALOGUE)
        elif is_told:
            record_change(connection, CacheTopic.ADS)
        else:  # As if its notification got lost with a connection.
            connection.execute(sa.insert(change), [{"topic": CacheTopic.ADS.value}])
        number = newest_change(connection, CacheTopic.ADS)
    return number, time.time()


def changed(
    database: Database, seconds: int, video_id: int | None = None
) -> tuple[float, list[tuple[int, float]]]:
    """A hundred changes a second; how many there were a second, and each."""
    written, began = [], time.monotonic()
    for turn in range(seconds * A_SECOND):
        time.sleep(max(0.0, began + turn / A_SECOND - time.monotonic()))
        written.append(write(database, video_id=video_id))
    return len(written) / (time.monotonic() - began), written


def lengthen_logs(database: Database) -> None:
    """Make the logs as long as those of a site that has run for a while, which PostgreSQL knows
    within a minute.
    """
    for _ in range(max(changes.KEPT_AT_LEAST, change_log.KEPT_AT_LEAST) // 10):
        with database.write() as connection:
            note_changed(connection, [1] * 10)
            record_change(connection, *[CacheTopic.SEARCH] * 10)
    with database.read() as connection:
        connection.exec_driver_sql("ANALYZE change, video_change")


def measure_changes(
    services: Services, environment: dict[str, str], seconds: int, video_id: int
) -> list[tuple[str, ...]]:
    """The rows of changes: a hundred a second, then some whose notification is lost."""
    context = multiprocessing.get_context("spawn")
    stop, ready, told = context.Event(), context.Semaphore(0), context.Queue()
    arguments = (environment, stop, ready, told)
    watchers = [context.Process(target=watch, args=arguments) for _ in range(WATCHERS)]
    for one in watchers:
        one.start()
    for _ in watchers:
        ready.acquire()
    rate, written = changed(services.database, seconds)
    rate_of_videos, of_videos = changed(services.database, seconds, video_id)
    untold = []
    for turn in range(LOST):
        # Unevenly, so that it meets every moment between two looks.
        time.sleep(1.3 + 0.1 * turn)
        untold.append(write(services.database, is_told=False))
    time.sleep(3.0)
    stop.set()
    all_seen = [told.get() for _ in watchers]
    for one in watchers:
        one.join()
    rows = []
    for name, some in (
        (f"{rate:.0f} changes of advertisements a second, {WATCHERS} processes", written),
        (f"{rate_of_videos:.0f} changes of a video a second", of_videos),
        ("a change whose notification is lost", untold),
    ):
        found = sorted(second for seen in all_seen for second in delays(some, seen))
        ranks = statistics.quantiles(found, n=100, method="inclusive")
        figures = (ranks[49], ranks[98], found[-1])
        rows.append((name, str(len(found)), *(f"{1000 * figure:.1f} ms" for figure in figures)))
    return rows


class Looker:
    """Asks for something again and again, and keeps when it was last given."""

    def __init__(self, address: str, path: str, asked: str = "") -> None:
        self._address, self._path, self._asked = address, path, asked
        self.last = 0.0
        self.is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        while not self.is_over.is_set():
            if call(self._address, self._path, asked=self._asked).status in {200, 206}:
                self.last = time.time()
            time.sleep(0.01)

    def close(self) -> None:
        self.is_over.set()
        self._thread.join()


def measure_removal(cluster: Cluster, services: Services, video: int) -> dict[str, float]:
    """For how many seconds each is still given of a video that is taken down while everybody asks
    for it.
    """
    playlist, segment = playlist_of(cluster, video), segments_of(cluster, video)[0]
    cover = cover_of(cluster, video)
    addresses = [f"http://127.0.0.1:{one.port}" for one in cluster.serving]
    fronts = [one.address for one in cluster.fronts]
    for front in fronts:
        for path in (playlist, segment.path, cover):
            if call(front, path).status != 200:
                raise RuntimeError(f"{front}{path} is not there")
    lookers = {
        "answers of all processes": [Looker(one, f"/api/videoplay/{video}") for one in addresses],
        "playlist from any nginx": [Looker(one, playlist) for one in fronts],
        "segment from any nginx": [Looker(one, segment.path, segment.asked) for one in fronts],
        "cover from any nginx": [Looker(one, cover) for one in fronts],
    }
    time.sleep(2.0)
    purge_video(services, video, "投诉")
    removed = time.time()
    time.sleep(16.0)
    for one in (one for some in lookers.values() for one in some):
        one.close()
    return {
        name: max(0.0, max(one.last for one in some) - removed) for name, some in lookers.items()
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--videos", type=int, default=3)
    options = parser.parse_args()
    with TemporaryDirectory() as folder, running_cluster(serving=WATCHERS) as cluster:
        data = Path(folder) / "data"
        environment = {**cluster.serving[0].environment, "LIUYING_DATA_DIR": str(data)}
        # The store's certificate has an authority of its own.
        os.environ["SSL_CERT_FILE"] = environment["SSL_CERT_FILE"]
        services = open_services(read_settings(environment))
        try:
            videos = []
            for number in range(options.videos):
                clip = Path(folder) / f"{number}.mp4"
                # Each its own picture: a cover that another video shows as well stays.
                make_clip(clip, 5 + number, noise=5 * number)
                videos.append(import_clip(cluster, clip))
            imported = time.monotonic()
            # Those that are measured follow the log instead.
            for one in cluster.serving:
                one.part.kill()
            lengthen_logs(services.database)
            seen = measure_changes(services, environment, options.seconds, videos[0])
            print(seen, file=sys.stderr)
            for one in cluster.serving:
                one.start()
            # A picture that was just stored may be about to be shown: it is spared for so long.
            time.sleep(max(0.0, FRESH_S + 1.0 - (time.monotonic() - imported)))
            removals = []
            for video in videos:
                removals.append(measure_removal(cluster, services, video))
                print(removals[-1], file=sys.stderr)
        finally:
            services.database.close()
    print(markdown(("what", "times seen", "p50", "p99", "longest"), seen))
    longest = [
        (f"taken down: last {name}", f"{max(one[name] for one in removals):.2f} s")
        for name in removals[0]
    ]
    print(markdown(("what", f"longest of {options.videos}"), longest))
    print(f"{WATCHERS} serving processes, two nginx; every video is asked for all the time.")


if __name__ == "__main__":
    main()
