"""kill -9 of workers and of their processes, and a full disk, at random moments: the outcome is
bit-identical.

Leases are made to run out rather than waited for. `SOAK_KILLS=10` kills ten times for each of six
clips.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from liuying.core.jobs import service
from liuying.core.jobs.rules import State
from liuying.installation.migrating import migrate
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying.workflows.import_manifest import Item
from liuying.workflows.import_run import ImportRun
from liuying.workflows.video_meta import GivenMeta
from tests.http.processes import (
    assert_nothing_half_visible,
    assert_nothing_left,
    let_time_pass,
    passed,
    published,
    queue_of,
    running,
    states,
    wait_for_end,
)
from tests.media.clips import h264, make_clip, picture, steady, tone

SOAK_KILLS = int(os.environ.get("SOAK_KILLS", "0"))
KILLS = SOAK_KILLS or 2
# More than an import leaves free, and takes.
DISK_BYTES = 600 * 1024 * 1024
RANDOM = random.SystemRandom()


@pytest.fixture(params=["sqlite", "postgresql"] if SOAK_KILLS else ["sqlite"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("sources")
    kinds = {
        "tall": [*picture("720x1280", 3), *tone(3), *h264(500)],
        "fitting": [*picture("720x1280", 8), *tone(8), *h264(25), *steady(2000)],
        "copied": [*picture("640x360", 3), *tone(3), *h264(50)],
        "silent": [*picture("1280x720", 20), *h264(50)],
        "odd": [*picture("642x482", 12, "24000/1001"), *tone(12, 6), *h264(120)],
        "film": [*picture("640x480", 72, "10"), *tone(72), *h264(65)],
    }
    chosen = kinds if SOAK_KILLS else dict(list(kinds.items())[:1])
    return [make_clip(folder / f"{name}.mp4", *arguments) for name, arguments in chosen.items()]


def installation(folder: Path, database_url: str = "") -> Services:
    """A new one, with a clock that goes."""
    services = open_services(
        Settings(data_dir=folder, database_url=database_url), clock=system_clock
    )
    migrate(services.database)
    return services


def put(services: Services, sources: list[Path]) -> None:
    assert (
        ImportRun(services, GivenMeta(), is_queued=True).run([Item(source) for source in sources])
        == 0
    )


@contextmanager
def worker(services: Services) -> Iterator[subprocess.Popen[str]]:
    """`liuying worker --until-empty`; killed at the end where it still runs."""
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(services.data_dir),
        "LIUYING_DATABASE_URL": services.settings.database_url,
    }
    command = [sys.executable, "-m", "liuying", "worker", "--until-empty"]
    process = subprocess.Popen(command, env=environment, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def retry_failed(services: Services) -> None:
    """As the operator does once there is room: what met a full disk six times is not tried again by
    itself.
    """
    for one in queue_of(services):
        if one.state is State.FAILED:
            with services.database.write() as connection:
                service.retry_job(connection, one.id, services.clock())


def work_until_done(services: Services) -> None:
    """A worker that nobody disturbs, and again where something waits for its next try."""
    while not all(state is State.DONE for state in states(services)):
        let_time_pass(services)
        with worker(services) as process:
            assert process.wait(600) == 0


def kill_something(services: Services, process: subprocess.Popen[str]) -> None:
    """The worker, the process that imports for it, its transcoder, or all at once; what is left
    must end by itself.
    """
    found = running(services)
    victims = RANDOM.choice(["worker --until-empty", "run-imports", "-hide_banner", ""])
    for one in found:
        if victims in one.command:
            with suppress(ProcessLookupError):
                os.kill(one.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    wait_for_end(found)


def test_the_work_goes_on_after_kills(
    tmp_path: Path, database_url: str, sources: list[Path]
) -> None:
    undisturbed = installation(tmp_path / "undisturbed")
    put(undisturbed, sources)
    began = time.monotonic()
    work_until_done(undisturbed)
    took = time.monotonic() - began
    expected = published(undisturbed)
    undisturbed.database.close()

    services = installation(tmp_path / "disturbed", database_url)
    put(services, sources)
    killed = 0
    while killed < KILLS * len(sources) and not all(
        state is State.DONE for state in states(services)
    ):
        let_time_pass(services)
        with worker(services) as process:
            # From its first moments to somewhere in a job, however fast the machine; surely once.
            if passed(process, RANDOM.uniform(0.1, 0.9 if killed else 0.4) * took):
                killed += 1
                kill_something(services, process)
        assert_nothing_half_visible(services)
    assert killed
    work_until_done(services)
    assert published(services) == expected
    assert_nothing_half_visible(services)
    assert_nothing_left(services)
    services.database.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own that can be filled; only the system's administrator may make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)],  # noqa: S607 - found by PATH
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("no right to mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)  # noqa: S607 - as above


def fill(disk: Path) -> Path:
    """A file that takes all the room there is."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"\0" * 65536)
    return ballast


@pytest.mark.skipif(not SOAK_KILLS, reason="SOAK_KILLS is not set")
def test_the_work_goes_on_when_there_is_room_again(
    tmp_path: Path, small_disk: Path, sources: list[Path]
) -> None:
    undisturbed = installation(tmp_path / "undisturbed")
    put(undisturbed, sources)
    began = time.monotonic()
    work_until_done(undisturbed)
    took = time.monotonic() - began
    expected = published(undisturbed)
    undisturbed.database.close()

    # The database lies on the same disk: it finds no room either.
    services = installation(small_disk / "data")
    put(services, sources)
    for _ in range(KILLS):
        let_time_pass(services)
        with worker(services) as process:
            if passed(process, RANDOM.uniform(0.1, 0.9) * took):
                found = running(services)
                ballast = fill(small_disk)
                process.wait(600)
                wait_for_end(found)
                ballast.unlink()
        assert_nothing_half_visible(services)
        retry_failed(services)
    work_until_done(services)
    assert published(services) == expected
    assert_nothing_left(services)
    services.database.close()
