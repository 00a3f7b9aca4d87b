"""Machines upgraded one by one to a version with a migration, an index and another web build, under
a hundred requests a second: nobody notices.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from liuying_cluster.cluster import Cluster
from liuying_cluster.films import broken_files, import_clip, make_clip
from liuying_cluster.next_version import INDEX, REVISION, make_next_version
from liuying_cluster.site import Machine
from liuying_cluster.table import Table
from liuying_cluster.visitors import call

from liuying.installation.settings import REPOSITORY

VISITORS, A_SECOND = 20, 100
# Before, between and after the steps.
PAUSE_S = 4.0
OLD_WEB = REPOSITORY / "web" / "dist"
NEW_ASSET = "/assets/of-the-new-version-NEW00000.js"


class Load:
    """Visitors who read, write and load files of a page."""

    def __init__(self, cluster: Cluster, video: int, assets: list[str]) -> None:
        self._fronts = [one.address for one in cluster.fronts]
        self._video = video
        self._assets = assets
        self._is_over = threading.Event()
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.longest = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Let them go on until the block ends."""
        with ThreadPoolExecutor(VISITORS) as pool:
            tasks = [pool.submit(self._visit, number) for number in range(VISITORS)]
            try:
                yield
            finally:
                self._is_over.set()
            for one in tasks:
                one.result()

    def _visit(self, number: int) -> None:
        paths = [
            "/home",
            f"/api/videoplay/{self._video}",
            "/api/videosort/0?page=1",
            "/api/config",
            *self._assets,
        ]
        code, source = f"upgrade{number:04}", f"127.30.{number}.2"
        began = time.monotonic()
        turn = 0
        while not self._is_over.wait(
            max(0.0, began + turn * VISITORS / A_SECOND - time.monotonic())
        ):
            front = self._fronts[turn % len(self._fronts)]
            if turn % 5 == 4:
                path, body = "/api/favorites", {"id": self._video, "site": "sg"}
                answer = call(front, path, body, code, source)
            else:
                path = paths[(number + turn) % len(paths)]
                answer = call(front, path, None, code, source)
            self.statuses[path, answer.status] += 1
            self.longest = max(self.longest, answer.seconds)
            turn += 1


@pytest.fixture(scope="module")
def next_version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its package. It stays: what was upgraded serves on in later tests."""
    return make_next_version(tmp_path_factory.mktemp("next"))


@pytest.fixture(scope="module")
def next_web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its web build, with a file more and a file less. It stays, too."""
    new = tmp_path_factory.mktemp("web") / "new"
    shutil.copytree(OLD_WEB, new)
    (new / NEW_ASSET.removeprefix("/")).write_bytes(b"// new")
    (new / "assets" / old_asset()).unlink()
    return new


def old_asset() -> str:
    """The name of the file that the next version does not have."""
    return sorted((OLD_WEB / "assets").glob("*.js"))[0].name


def is_migrated(cluster: Cluster) -> bool:
    """Whether the database has the next version's column, and its index whole."""
    with cluster.connect() as connection:
        (revision,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ()
        connection.execute("SELECT of_the_next_version FROM video LIMIT 1")
        index = connection.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [INDEX]
        ).fetchone()
    return revision == REVISION and index == (True,)


def test_a_rolling_upgrade_is_not_noticed(
    cluster: Cluster, video: int, table: Table, next_version: Path, next_web: Path
) -> None:
    load = Load(cluster, video, [f"/assets/{old_asset()}"])
    began = time.monotonic()
    with load.running():
        time.sleep(PAUSE_S)
        # Expand: what the old version does not know. Its processes serve on.
        cluster.serving[0].run_version(next_version)
        cluster.serving[0].run("migrate")
        assert is_migrated(cluster)
        time.sleep(PAUSE_S)
        cluster.working[0].run_version(next_version)
        cluster.working[0].part.stop()
        cluster.working[0].start()
        for machine in cluster.serving[1:]:
            machine.run_version(next_version)
        for machine in cluster.serving:
            machine.part.environment["LIUYING_WEB_DIR"] = str(next_web)
            machine.part.stop()
            machine.start()
            # A page that this one gave away asks the other for its files, and the other way round.
            for front in cluster.fronts * 2:
                assert call(front.address, NEW_ASSET).body == b"// new"
            time.sleep(PAUSE_S)
    lasted = time.monotonic() - began
    asked = load.statuses.total()
    failed = {key: count for key, count in load.statuses.items() if key[1] != 200}
    table.figure(
        "rolling upgrade of two serving processes and a worker",
        f"{asked} requests in {lasted:.0f} s, {sum(failed.values())} failed,"
        f" longest {load.longest:.1f} s",
    )
    assert failed == {}
    assert asked / lasted > A_SECOND / 2


def import_by(cluster: Cluster, worker: Machine, clip: Path) -> int:
    """Let one worker alone import a clip; the video's id."""
    others = [one for one in cluster.working if one is not worker]
    for one in others:
        one.part.stop()
    try:
        return import_clip(cluster, clip)
    finally:
        for one in others:
            one.start()


@pytest.mark.parametrize(("place", "seconds"), [(0, 5.2), (1, 6.4)])
def test_workers_of_both_versions_import(
    cluster: Cluster, tmp_path: Path, next_version: Path, place: int, seconds: float
) -> None:
    """The first one was upgraded by the test before, the second one was not."""
    is_new = [one.part.was_started_with(str(next_version)) for one in cluster.working]
    assert is_new == [True, False]
    clip = tmp_path / "clip.mp4"
    make_clip(clip, seconds, "mandelbrot")  # like nothing that another test takes down
    video = import_by(cluster, cluster.working[place], clip)
    assert broken_files(cluster, video) == []
