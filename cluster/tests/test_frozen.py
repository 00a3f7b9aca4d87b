"""A serving process that stands still: it takes connections and never answers. What only reads is
asked of the other one.
"""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from liuying_cluster.cluster import Cluster
from liuying_cluster.films import Segment, import_clip, make_clip, segments_of
from liuying_cluster.table import Table
from liuying_cluster.visitors import Answer, call

READERS = 8
# Seconds.
LASTS_S, PAUSE_S, SLOW_S = 20.0, 0.1, 1.0
# What nginx waits for a file, and for its question before; and then the other process answers.
LONGEST_S = 10.0 + 3.0 + 2.0


@pytest.fixture
def unread(cluster: Cluster, tmp_path: Path) -> list[Segment]:
    """Segments that no nginx has fetched yet."""
    clip = tmp_path / "unread.mp4"
    make_clip(clip, 8, "testsrc", noise=20)
    return segments_of(cluster, import_clip(cluster, clip))


def test_reading_goes_on(cluster: Cluster, unread: list[Segment], table: Table) -> None:
    fronts = [one.address for one in cluster.fronts]
    frozen = cluster.serving[0].part
    until = time.monotonic() + LASTS_S

    def read(number: int) -> list[Answer]:
        """A visitor who looks at lists and watches, through each nginx in turn."""
        answers: list[Answer] = []
        turn = number
        while time.monotonic() < until:
            front = fronts[turn % len(fronts)]
            answers.append(call(front, "/api/videosort/0?page=1", within=LONGEST_S))
            part = unread[turn % len(unread)]
            answers.append(call(front, part.path, asked=part.asked, within=LONGEST_S))
            turn += READERS
            time.sleep(PAUSE_S)
        return answers

    frozen.freeze()
    try:
        with ThreadPoolExecutor(READERS) as pool:
            answers = [one for found in pool.map(read, range(READERS)) for one in found]
    finally:
        frozen.thaw()
    cluster.serving[0].wait_until_ready()
    statuses = Counter(one.status for one in answers)
    slow = [one.seconds for one in answers if one.seconds > SLOW_S]
    table.figure(
        f"{frozen.name} frozen for {LASTS_S:.0f} s, {READERS} readers",
        f"{len(answers)} answers, {len(answers) - statuses[200] - statuses[206]} failed; "
        f"{len(slow)} took more than {SLOW_S:.0f} s, the longest {max(slow, default=0.0):.1f} s",
    )
    assert statuses.keys() == {200, 206}
    assert slow, "nobody was passed on: this shows nothing"
