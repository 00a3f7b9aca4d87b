"""Nobody left who says what may be read: what everybody may watch goes on, a right does not."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from liuying_cluster.cluster import Cluster
from liuying_cluster.films import Segment, import_clip, make_clip, segments_of
from liuying_cluster.processes import wait_until
from liuying_cluster.table import Table
from liuying_cluster.visitors import call

from liuying.core.playback.signed_urls import sign_prefix, signed_path
from liuying.kit.clock import system_clock
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.secrets import load_secrets

# Seconds: an answer counts for ten, and is looked for a little longer.
ANSWERED_S, WATCHED_S = 10.0, 15.0


@pytest.fixture
def locked(cluster: Cluster, tmp_path: Path) -> Iterator[list[Segment]]:
    """A locked video's segments, by addresses with a right."""
    clip = tmp_path / "locked.mp4"
    make_clip(clip, 7, "testsrc")
    segments = segments_of(cluster, import_clip(cluster, clip))
    key = segments[0].path.split("/")[2]
    lock(cluster, key, is_protected=True)
    secrets = load_secrets(cluster.secrets)
    assert secrets is not None
    right = sign_prefix(KeyedHashes(base64.b64decode(secrets.pepper)), key, system_clock())
    yield [one._replace(path=signed_path(right, one.path)) for one in segments]
    lock(cluster, key, is_protected=False)
    wait_until(lambda: asked(cluster.fronts[0].address, segments[0]) == 206, "it stays locked")


def asked(front: str, segment: Segment) -> int:
    """The status of the answer to a player's request."""
    return call(front, segment.path, asked=segment.asked).status


def lock(cluster: Cluster, key: str, *, is_protected: bool) -> None:
    """Lock an asset, or unlock it."""
    with cluster.connect() as connection:
        statement = "UPDATE asset SET is_protected = %s WHERE key = %s"
        connection.execute(statement, [is_protected, key])


def test_open_media_go_on_and_a_right_does_not(
    cluster: Cluster, video: int, locked: list[Segment], table: Table
) -> None:
    fronts = [front.address for front in cluster.fronts]
    free = segments_of(cluster, video)
    for front in fronts:
        assert {asked(front, one) for one in (*free, *locked)} == {206}
    for machine in cluster.serving:
        machine.part.kill()
    killed_at = time.monotonic()
    seen: dict[int, float] = {}
    try:
        while (passed := time.monotonic() - killed_at) < WATCHED_S:
            for front in fronts:
                assert {asked(front, one) for one in free} == {206}
                for one in locked:
                    seen[asked(front, one)] = passed
            time.sleep(0.2)
    finally:
        for machine in cluster.serving:
            machine.start()
    # The last answer counts for its time, and nobody goes on without one.
    assert seen.keys() == {206, 503}
    assert seen[206] <= ANSWERED_S + 2.0
    wait_until(
        lambda: {asked(front, one) for front in fronts for one in locked} == {206},
        "locked media do not come back",
    )
    table.figure(
        "both serving processes killed",
        f"open segments from every nginx throughout, locked ones for {seen[206]:.0f} s",
    )
