"""Machines upgraded one by one, with an added column and another web build, under a hundred
requests a second: nobody notices.
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

from liuying_cluster.cluster import Cluster
from liuying_cluster.table import Table
from liuying_cluster.visitors import call

from liuying.installation.settings import REPOSITORY

VISITORS, A_SECOND = 20, 100
# Before, between and after the steps.
PAUSE_S = 4.0
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


def test_a_rolling_upgrade_is_not_noticed(
    cluster: Cluster, video: int, table: Table, tmp_path: Path
) -> None:
    old = REPOSITORY / "web" / "dist"
    new = shutil.copytree(old, tmp_path / "new")
    gone = sorted((new / "assets").glob("*.js"))[0]
    (new / NEW_ASSET.removeprefix("/")).write_bytes(b"// new")
    gone.unlink()
    load = Load(cluster, video, [f"/assets/{gone.name}"])
    began = time.monotonic()
    with load.running():
        time.sleep(PAUSE_S)
        with cluster.connect() as connection:  # Expand: what the old version does not know.
            connection.execute("SET lock_timeout = '2s'")
            connection.execute("ALTER TABLE video ADD COLUMN of_the_new_version INTEGER")
        for machine in cluster.serving:
            machine.part.environment["LIUYING_WEB_DIR"] = str(new)
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
        "rolling upgrade of two serving processes",
        f"{asked} requests in {lasted:.0f} s, {sum(failed.values())} failed,"
        f" longest {load.longest:.1f} s",
    )
    assert failed == {}
    assert asked / lasted > A_SECOND / 2
