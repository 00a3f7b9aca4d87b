"""Workers that are killed or stand still at any step of an import, on machines whose clocks are a
minute apart: another one goes on, and nobody sees half a video.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import msgspec
import obstore
import pytest
from liuying_cluster.cluster import Cluster
from liuying_cluster.films import (
    broken_files,
    listed_videos,
    make_clip,
    queue_clip,
)
from liuying_cluster.processes import wait_until
from liuying_cluster.site import Machine
from liuying_cluster.table import Table

from liuying.kit.s3_bucket import bucket_of
from liuying.workflows.import_progress import Stage

APART_S = 60
# Seconds until another goes on: the lease of 20, and a turn of looking.
GOES_ON_WITHIN_S = 25.0
# Seconds of each clip.
LENGTHS = count(24, 0.2)


class Job(msgspec.Struct, frozen=True):
    """A job, as the database has it at a moment."""

    state: str
    stage: str
    progress: float
    video: int | None
    worker: str | None


STEPS: dict[str, Callable[[Job], bool]] = {
    "claimed": lambda job: job.state == "running",
    "first rendition": lambda job: job.stage == Stage.FIRST and job.progress > 0,
    "visible, not whole": lambda job: job.stage == Stage.LADDER,
}


@pytest.fixture(scope="module")
def apart(cluster: Cluster) -> Iterator[list[Machine]]:
    """The workers; the second one's clock is ahead."""
    second = cluster.working[1]
    second.change_clock(APART_S)
    second.part.kill()
    second.start()
    yield cluster.working
    second.part.kill()
    second.change_clock(0)
    second.start()


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A clip of several renditions that no other test has; its first one takes some looks."""
    path = tmp_path / "clip.mp4"
    # Equal lengths would make equal bytes, which are not imported twice.
    make_clip(path, next(LENGTHS), noise=10, size="1280x720")
    return path


def job_of(cluster: Cluster, number: int) -> Job:
    """A job now; asked of the database, because commands take longer than a step."""
    with cluster.connect() as connection:
        row = connection.execute(
            "SELECT state, stage, progress, video_id, lease_owner FROM job WHERE id = %s", [number]
        ).fetchone()
    assert row is not None
    return Job(*row)


def machine_of(machines: list[Machine], job: Job) -> Machine:
    """Where the job is worked on: its worker names the process."""
    return next(one for one in machines if process_of(job) in one.part.cpu())


def process_of(job: Job) -> int:
    assert job.worker
    return int(job.worker.split(":")[1])


def reach(cluster: Cluster, number: int, step: str) -> Job:
    """Wait until a job has come to a step."""
    seen: list[Job] = []

    def is_reached() -> bool:
        seen[:] = [job_of(cluster, number)]
        return STEPS[step](seen[0]) and bool(seen[0].worker)

    wait_until(is_reached, f"the job does not come to: {step}")
    return seen[0]


def assert_whole_or_hidden(cluster: Cluster) -> None:
    """Whatever is shown can be played to its end."""
    for video in listed_videos(cluster):
        assert broken_files(cluster, video) == []


def wait_for_another(cluster: Cluster, number: int, worker: str) -> float:
    """Seconds until somebody else works on a job, or has done it."""
    began = time.monotonic()

    def is_taken_over() -> bool:
        assert_whole_or_hidden(cluster)
        job = job_of(cluster, number)
        return job.state == "done" or job.worker not in {None, "", worker}

    wait_until(is_taken_over, "nobody goes on")
    return time.monotonic() - began


def wait_until_done(cluster: Cluster, number: int) -> int:
    """Wait until a job is done; its video."""
    wait_until(lambda: job_of(cluster, number).state == "done", "it is not done")
    return int(job_of(cluster, number).video or 0)


@pytest.mark.parametrize("step", STEPS)
def test_a_worker_that_is_killed_is_followed_by_another(
    cluster: Cluster, apart: list[Machine], clip: Path, table: Table, step: str
) -> None:
    number = queue_clip(cluster, clip)
    job = reach(cluster, number, step)
    killed = machine_of(apart, job)
    killed.part.kill()
    try:
        seconds = wait_for_another(cluster, number, str(job.worker))
        video = wait_until_done(cluster, number)
    finally:
        killed.start()
    table.figure(f"{killed.part.name} killed ({step}): another goes on", f"{seconds:.0f} s")
    assert broken_files(cluster, video) == []
    assert seconds <= GOES_ON_WITHIN_S


@pytest.mark.parametrize("step", ["first rendition", "visible, not whole"])
def test_a_worker_that_stands_still_mixes_nothing(
    cluster: Cluster, apart: list[Machine], clip: Path, table: Table, step: str
) -> None:
    number = queue_clip(cluster, clip)
    job = reach(cluster, number, step)
    frozen = machine_of(apart, job)
    frozen.part.freeze()
    # The worker itself goes on to other jobs; what it had started may do nothing more.
    started = frozen.part.cpu().keys() - {process_of(job)}
    assert started
    try:
        seconds = wait_for_another(cluster, number, str(job.worker))
        video = wait_until_done(cluster, number)
        before = stored(cluster)
    finally:
        frozen.part.thaw()
    wait_until(lambda: started.isdisjoint(frozen.part.cpu()), "what stood still does not give up")
    table.figure(f"{frozen.part.name} frozen ({step}): another goes on", f"{seconds:.0f} s")
    assert stored(cluster) == before
    assert broken_files(cluster, video) == []


def stored(cluster: Cluster) -> dict[str, str]:
    """All media in the bucket, by the hash of their content."""
    with pytest.MonkeyPatch.context() as patched:
        # The client reads it when it is made.
        patched.setenv("SSL_CERT_FILE", str(cluster.certificates.authority))
        bucket = bucket_of(cluster.store.place(), request_s=10.0, retry_s=5.0)
    return {
        one["path"]: str(one["e_tag"]) for page in obstore.list(bucket, "media") for one in page
    }
