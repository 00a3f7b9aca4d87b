"""Workers on two machines that share a long film: a database and a bucket in common, no folder.
With their real processes, stopped where a test wants them to be.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.jobs import service
from liuying.core.jobs.rules import State
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying.kit.storage_layout import CHUNKS_NAME
from liuying.worker.claiming import CALLED_AFTER_MS, Worker
from liuying.worker.helping import Helping
from liuying.worker.job_messages import (
    Ended,
    FarHelp,
    FilmFetched,
    Helped,
    ImportRequest,
    MendRequest,
    Said,
    Told,
)
from liuying.worker.runner_process import COMMAND, RunnerProcess
from liuying.workflows.queries.shared_films import shared_chunk, shared_film
from tests.console.desk import Time
from tests.http.processes import (
    assert_nothing_left,
    let_time_pass,
    published,
    queue_of,
    running,
    states,
    wait_for_end,
    working_on,
)
from tests.s3_server import S3Server
from tests.waiting import PATIENCE_S, wait_until
from tests.worker.test_helping import (
    ALL,
    Transcoder,
    cached_in,
    drafts,
    film,
    put,
    transcoder,
    undisturbed,
    workers,
)
from tests.workflows.films import finished
from tests.workflows.published import run_out
from tests.workflows.test_far_help import importing

__all__ = ["film", "transcoder", "undisturbed"]
PATIENT_LOOKS = 3


@pytest.fixture
def engine() -> str:
    return "postgresql"


@pytest.fixture
def machines(
    services: Services, s3: S3Server, tmp_path: Path
) -> Iterator[tuple[Services, Services]]:
    shared, opened = s3.settings(), []
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        shutil.copy(services.layout.secrets, folder)
        settings = msgspec.structs.replace(services.settings, data_dir=folder, **shared)
        opened.append(open_services(settings, clock=system_clock))
    yield opened[0], opened[1]
    for one in opened:
        one.database.close()


def helping_at(machine: Services, chunk: str) -> list[Path]:
    """Where a machine encodes a chunk for another one."""
    return list(machine.layout.helping.glob(f"*/{chunk}"))


def kill_runner(machine: Services) -> None:
    """End the process that imports or helps, as the system does where memory is short."""
    found = running(machine)
    for one in found:
        if COMMAND in one.command:
            os.kill(one.pid, signal.SIGKILL)
    wait_for_end(found)


def rest_of(machine: Services) -> tuple[set[str], int]:
    """What is in the inbox, and how many rows are left of helping."""
    with machine.database.read() as connection:
        rows = [*connection.execute(sa.select(shared_film))]
        rows += connection.execute(sa.select(shared_chunk)).all()
    return {one.key for one in machine.objects.objects("inbox/")}, len(rows)


def let_leases_pass(machine: Services) -> None:
    """As if all helpers had been silent for too long."""
    with machine.database.write() as connection:
        connection.execute(sa.update(shared_chunk).values(held_until=0))


def heard(runner: RunnerProcess, kind: type[Said]) -> Said | None:
    """The process's next message of a kind; None where none comes."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if isinstance(said := runner.hear(0.5), kind):
            return said
    return None


def test_an_idle_worker_of_another_machine_makes_chunks(
    machines: tuple[Services, Services],
    film: Path,
    transcoder: Transcoder,
    undisturbed: dict[str, str],
) -> None:
    one, other = machines
    transcoder.hold("c0001")
    put(one, film)
    with workers(one, 1):
        wait_until(lambda: drafts(one, "c0001"))
        with workers(other, 1):
            # Whoever imports the film waits at the first chunk: the others come from elsewhere.
            wait_until(lambda: finished(cached_in(one)) == ALL[1:])
            assert states(one) == [State.RUNNING]
            transcoder.release("c0001")
            wait_until(lambda: states(one) == [State.DONE])
    assert published(one) == {"film.mp4": undisturbed}
    assert rest_of(one) == (set(), 0)
    assert_nothing_left(one)
    assert_nothing_left(other)


def test_a_helper_that_is_killed_leaves_its_chunk(
    machines: tuple[Services, Services],
    film: Path,
    transcoder: Transcoder,
    undisturbed: dict[str, str],
) -> None:
    one, other = machines
    transcoder.hold("c0001", "c0002")
    put(one, film)
    with workers(one, 1):
        wait_until(lambda: drafts(one, "c0001"))
        with workers(other, 1):
            wait_until(lambda: helping_at(other, "c0002"))
            kill_runner(other)
            let_leases_pass(one)
            transcoder.release("c0001", "c0002")
            wait_until(lambda: states(one) == [State.DONE])
    assert published(one) == {"film.mp4": undisturbed}
    Worker(other, lambda: False).run(is_until_empty=True)
    assert rest_of(one) == (set(), 0)
    assert_nothing_left(one)
    assert_nothing_left(other)


def test_a_film_whose_import_is_killed_is_made_by_its_helper(
    machines: tuple[Services, Services],
    film: Path,
    transcoder: Transcoder,
    undisturbed: dict[str, str],
) -> None:
    """On the machine that has helped with it, whose own work it is now."""
    one, other = machines
    transcoder.hold("c0001", "c0002")
    put(one, film)
    with workers(one, 1) as stop_one:
        wait_until(lambda: drafts(one, "c0001"))
        with workers(other, 1):
            wait_until(lambda: helping_at(other, "c0002"))
            kill_runner(one)
            stop_one()
            run_out(one)
            let_time_pass(one)
            transcoder.release("c0001", "c0002")
            wait_until(lambda: states(one) == [State.DONE])
    assert published(one) == {"film.mp4": undisturbed}
    assert_nothing_left(other)
    # The helper may have been ended while it stored a chunk, which is kept for a while.
    let_leases_pass(one)
    Worker(one, lambda: False).run(is_until_empty=True)
    assert rest_of(one) == (set(), 0)
    # Finished chunks stay: they would serve the next import there. Its worker may have begun
    # to help with the film before it was stopped: nothing of that stays.
    assert working_on(one) <= {CHUNKS_NAME}


def test_a_job_that_is_cancelled_ends_its_helper(
    machines: tuple[Services, Services], film: Path, transcoder: Transcoder
) -> None:
    one, other = machines
    transcoder.hold("c0001", "c0002")
    put(one, film)
    with workers(one, 1):
        wait_until(lambda: drafts(one, "c0001"))
        with workers(other, 1):
            wait_until(lambda: helping_at(other, "c0002"))
            begun = [*running(one), *running(other)]
            with one.database.write() as connection:
                service.cancel_job(connection, 1, one.clock())
            wait_for_end(begun)
            assert states(one) == [State.CANCELLED]
    let_leases_pass(one)
    Worker(other, lambda: False).run(is_until_empty=True)
    assert rest_of(one) == (set(), 0)
    assert_nothing_left(one)
    assert_nothing_left(other)


def test_a_process_that_imports_keeps_no_film_of_others(
    machines: tuple[Services, Services], film: Path
) -> None:
    """Its own file needs the room."""
    one, other = machines
    runner = RunnerProcess(other.settings)
    try:
        with importing(one, film) as kept:
            runner.tell(FarHelp(kept.name))
            assert heard(runner, FilmFetched) is not None
            assert heard(runner, Helped) is not None
            assert list(other.layout.helping.glob("*/*.mp4"))
            runner.tell(MendRequest(12345))
            assert heard(runner, Ended) is not None
            assert not list(other.layout.helping.glob("*/*.mp4"))
    finally:
        runner.end()


class _Fetching:
    """Stands for a process: it fetches a film for ever, or has just fetched it, and imports at
    once. What it was told, over all of them, and how often one was ended.
    """

    told: ClassVar[list[Told]] = []
    ends: ClassVar[int] = 0
    is_fetched: ClassVar[bool] = False

    def __init__(self, _settings: Settings) -> None:
        self._said: list[Said] = []

    def tell(self, message: Told) -> None:
        self.told.append(message)
        if isinstance(message, ImportRequest):
            self._said = [Ended(is_whole=True)]
        elif self.is_fetched:
            self._said = [FilmFetched(), Helped(is_made=True)]

    def hear(self, _seconds: float) -> Said | None:
        return self._said.pop(0) if self._said else None

    def end(self, *, is_cancelled: bool = False) -> None:
        assert not is_cancelled
        type(self).ends += 1


@pytest.mark.parametrize("is_fetched", [False, True])
def test_a_job_goes_before_a_film_that_is_fetched(
    services: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_fetched: bool
) -> None:
    """But not before a chunk that is encoded: that is soon over."""
    wanted = [FarHelp("film")]
    _Fetching.told, _Fetching.ends, _Fetching.is_fetched = [], 0, is_fetched
    monkeypatch.setattr("liuying.worker.claiming.RunnerProcess", _Fetching)
    monkeypatch.setattr(Helping, "find", lambda _self: wanted.pop() if wanted else None)
    monkeypatch.setattr(Helping, "_is_wanted", lambda *_: True)
    small = tmp_path / "small.mp4"
    small.write_bytes(b"any film")
    clock = Time()
    looks = []

    def queue_once() -> bool:
        """A file comes; nobody takes it for three seconds."""
        looks.append(len(_Fetching.told))
        if looks.count(1) == 1:
            put(services, small)
        if looks.count(1) == PATIENT_LOOKS:
            clock.now += CALLED_AFTER_MS
        return False

    live = msgspec.structs.replace(services, clock=clock)
    Worker(live, queue_once, lambda: None).run(is_until_empty=True)
    queued = queue_of(services)[0]
    assert _Fetching.told == [FarHelp("film"), ImportRequest(queued.source, queued.wanted)]
    assert states(services) == [State.DONE]
    # Who fetches leaves it to idle ones at first.
    assert looks.count(1) >= (1 if is_fetched else PATIENT_LOOKS)
    # The one that fetched, and the idle one at the end; or that one alone.
    assert _Fetching.ends == (1 if is_fetched else 2)
