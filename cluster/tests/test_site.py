"""What the machines of the site do together."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from liuying_cluster.cluster import Cluster
from liuying_cluster.films import import_clip, make_clip, playlist_of
from liuying_cluster.processes import wait_until
from liuying_cluster.table import Table
from liuying_cluster.visitors import call


def test_limits_count_for_all_processes_together(cluster: Cluster, table: Table) -> None:
    addresses = [f"http://127.0.0.1:{one.port}" for one in cluster.serving]
    body = {"content": "x" * 20}
    asked = [
        call(addresses[turn % len(addresses)], "/api/syssuggest", body, source="127.9.0.2").status
        for turn in range(12)
    ]
    table.figure(f"feedback, 12 times over {len(addresses)} processes", str(dict(Counter(asked))))
    assert Counter(asked) == {200: 5, 429: 7}


@pytest.fixture
def another(cluster: Cluster, tmp_path: Path) -> int:
    """A video to take down."""
    clip = tmp_path / "another.mp4"
    make_clip(clip, 5, "testsrc")
    return import_clip(cluster, clip)


def test_a_video_taken_down_ends_everywhere(cluster: Cluster, another: int, table: Table) -> None:
    fronts = [one.address for one in cluster.fronts]
    playlist = playlist_of(cluster, another)
    assert {call(front, playlist).status for front in fronts} == {200}
    cluster.serving[1].run("video", "takedown", str(another), "--reason", "投诉", "--yes")
    began = time.monotonic()

    def is_gone(path: str, statuses: set[int]) -> bool:
        return {call(front, path).status for front in fronts} <= statuses

    wait_until(lambda: is_gone(f"/api/videoplay/{another}", {404}), "it is still shown")
    answers = time.monotonic() - began
    wait_until(lambda: is_gone(playlist, {403, 404}), "it is still sent")
    media = time.monotonic() - began
    table.figure("taken down: answers", f"{answers:.2f} s after the command")
    table.figure("taken down: media", f"{media:.1f} s after the command")
    assert media <= 12.0
