"""Workers that share the chunks of a long film, with their real processes, stopped where a test
wants them to be.
"""

from __future__ import annotations

import os
import shlex
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from liuying.core.jobs import service
from liuying.core.jobs.rules import State
from liuying.installation.migrating import migrate
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying.kit.file_locks import held_if_free
from liuying.media.ffmpeg import ffmpeg_binary
from liuying.worker.claiming import Worker
from liuying.worker.job_messages import Help, ImportRequest, Told
from liuying.worker.runner_process import COMMAND, RunnerProcess
from liuying.workflows.import_manifest import Item
from liuying.workflows.import_run import ImportRun
from liuying.workflows.video_meta import GivenMeta
from tests.http.processes import (
    Running,
    assert_nothing_left,
    published,
    queue_of,
    running,
    states,
    wait_for_end,
)
from tests.media.clips import h264, make_clip, picture, tone
from tests.waiting import PATIENCE_S, wait_until
from tests.workflows.films import finished, offered

ALL = ["low/c0001", "low/c0002", "low/c0003", "low/c0004"]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small, in one rung and three chunks, with sound: workers encode with the product's own
    settings.
    """
    return make_clip(
        tmp_path_factory.mktemp("film") / "film.mp4",
        *picture("192x144", 61, "9"),
        *tone(61),
        *h264(88),
    )


class Transcoder(msgspec.Struct, frozen=True):
    """The transcoder behind a program that waits, or fails, in the folders of some drafts."""

    folder: Path

    def hold(self, *drafts: str) -> None:
        for draft in drafts:
            (self.folder / draft).write_text("hold")

    def fail(self, draft: str) -> None:
        (self.folder / draft).write_text("fail")

    def release(self, *drafts: str) -> None:
        for draft in drafts:
            (self.folder / draft).unlink()


@pytest.fixture
def transcoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Transcoder:
    folder, program = tmp_path / "held", tmp_path / "transcoder"
    folder.mkdir()
    program.write_text(
        f"#!/bin/sh\nname=${{PWD##*/}}\nrule={shlex.quote(str(folder))}/${{name%%.*}}\n"
        'if [ "$(cat "$rule" 2>/dev/null)" = fail ]; then exit 1; fi\n'
        f'while [ -e "$rule" ]; do sleep 0.05; done\nexec {shlex.quote(ffmpeg_binary())} "$@"\n'
    )
    program.chmod(0o700)
    monkeypatch.setenv("LIUYING_FFMPEG", str(program))
    return Transcoder(folder)


@pytest.fixture
def live(services: Services) -> Iterator[Services]:
    """The installation with a clock that goes, as the worker's process has it."""
    opened = open_services(services.settings, clock=system_clock)
    yield opened
    opened.database.close()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, film: Path) -> dict[str, str]:
    """What one worker alone publishes of the film."""
    services = open_services(
        Settings(data_dir=tmp_path_factory.mktemp("undisturbed")), clock=system_clock
    )
    migrate(services.database)
    put(services, film)
    Worker(services, lambda: False).run(is_until_empty=True)
    files = published(services)["film.mp4"]
    services.database.close()
    return files


def put(services: Services, *sources: Path) -> None:
    run = ImportRun(services, GivenMeta(), is_queued=True)
    assert run.run([Item(source) for source in sources]) == 0


@contextmanager
def workers(services: Services, count: int) -> Iterator[Callable[[], None]]:
    """Workers in threads; gives what stops them and waits for that."""
    is_over = threading.Event()
    threads = [threading.Thread(target=Worker(services, is_over.is_set).run) for _ in range(count)]
    for thread in threads:
        thread.start()

    def stop() -> None:
        is_over.set()
        for thread in threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()

    try:
        yield stop
    finally:
        stop()


def drafts(services: Services, name: str) -> list[Path]:
    return list((services.data_dir / "jobs" / ".chunks").glob(f"*/*/{name}.*tmp"))


def cached_in(services: Services) -> Path:
    return next((services.data_dir / "jobs" / ".chunks").iterdir())


class _AtWork(msgspec.Struct, frozen=True):
    """A transcoder in a chunk's draft, or the sound's, and who started it."""

    pid: int
    parent: int
    folder: str


def at_work(services: Services) -> list[_AtWork]:
    found, runs = [], running(services)
    importing = {one.pid for one in runs if COMMAND in one.command}
    for one in runs:
        os.close(one.descriptor)
        # A process, and the draft it works in, may end between any two looks at it.
        with suppress(OSError):
            parent = int(Path(f"/proc/{one.pid}/stat").read_text().rpartition(")")[2].split()[1])
            folder = str(Path(f"/proc/{one.pid}/cwd").readlink())
            if parent in importing and ".chunks" in folder:
                found.append(_AtWork(one.pid, parent, folder))
    return found


def helped(services: Services) -> _AtWork | None:
    """What waits in a chunk, and was not started by the process that waits at the sound: the one
    that imports.
    """
    found = at_work(services)
    importing = {one.parent for one in found if Path(one.folder).name.startswith("sound.")}
    return next((one for one in found if importing and one.parent not in importing), None)


def test_an_idle_worker_makes_chunks(
    live: Services, film: Path, transcoder: Transcoder, undisturbed: dict[str, str]
) -> None:
    transcoder.hold("c0001")
    put(live, film)
    with workers(live, 1):
        wait_until(lambda: drafts(live, "c0001"))
        with workers(live, 1):
            # Whoever imports the film waits at the first chunk: the others are made by the second
            # worker.
            wait_until(lambda: finished(cached_in(live)) == ALL[1:])
            assert states(live) == [State.RUNNING]
            transcoder.release("c0001")
            wait_until(lambda: states(live) == [State.DONE])
    assert published(live) == {"film.mp4": undisturbed}
    assert_nothing_left(live)


def test_a_helper_that_is_killed_leaves_its_chunk(
    live: Services, film: Path, transcoder: Transcoder, undisturbed: dict[str, str]
) -> None:
    held = ("sound", "c0001", "c0002")
    transcoder.hold(*held)
    put(live, film)
    with workers(live, 2):
        wait_until(lambda: helped(live))
        victim = helped(live)
        assert victim is not None
        ending = [one for one in running(live) if one.pid in {victim.pid, victim.parent}]
        os.kill(victim.parent, signal.SIGKILL)
        wait_for_end(ending)
        assert Path(victim.folder).is_dir()
        transcoder.release(*held)
        wait_until(lambda: states(live) == [State.DONE])
    assert published(live) == {"film.mp4": undisturbed}
    assert_nothing_left(live)


def test_a_job_that_is_cancelled_ends_its_helper(
    live: Services, film: Path, transcoder: Transcoder
) -> None:
    transcoder.hold("sound", "c0001", "c0002")
    put(live, film)
    with workers(live, 2):
        wait_until(lambda: helped(live))
        begun: list[Running] = running(live)
        with live.database.write() as connection:
            service.cancel_job(connection, 1, live.clock())
        # The workers go on: nobody but they ends what they have begun.
        wait_for_end(begun)
        wait_until(lambda: not (live.data_dir / "jobs" / ".chunks").exists())
    assert states(live) == [State.CANCELLED]
    assert_nothing_left(live)


def test_a_helper_that_is_stopped_leaves_nothing(
    live: Services, film: Path, transcoder: Transcoder
) -> None:
    transcoder.hold("c0002")
    with offered(live.data_dir, film) as kept:
        with workers(live, 1) as stop:
            wait_until(lambda: list(kept.glob("low/c0002.*tmp")))
            begun = running(live)
            stop()
        wait_for_end(begun)
        assert finished(kept) == ["low/c0001"]
        assert not list(kept.glob("*/*.tmp"))
        with held_if_free(kept / "low" / "c0002.lock") as is_free:
            assert is_free


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Told]:
    """What workers tell their processes."""
    said: list[Told] = []
    tell = RunnerProcess.tell

    def noted(self: RunnerProcess, message: Told) -> None:
        said.append(message)
        tell(self, message)

    monkeypatch.setattr(RunnerProcess, "tell", noted)
    return said


def test_a_job_goes_before_helping(
    live: Services, film: Path, tmp_path: Path, told: list[Told]
) -> None:
    small = make_clip(tmp_path / "small.mp4", *picture("192x144", 1), *tone(1), *h264(500))

    def queue_once() -> bool:
        if len(told) == 1:  # in the middle of the first chunk
            put(live, small)
            told.append(Help("queued"))
        return False

    with offered(live.data_dir, film) as kept:
        Worker(live, queue_once).run(is_until_empty=True)
        assert finished(kept) == ALL
    queued = queue_of(live)[0]
    one, job = Help(str(kept)), ImportRequest(queued.source, queued.wanted)
    assert told == [one, Help("queued"), job, one, one, one]
    assert states(live) == [State.DONE]


def test_a_film_that_fails_for_a_helper_is_left_alone(
    live: Services, film: Path, transcoder: Transcoder, told: list[Told]
) -> None:
    transcoder.fail("c0001")
    with offered(live.data_dir, film) as kept:
        for _ in range(2):
            worker = Worker(live, lambda: False)
            worker.run(is_until_empty=True)
            worker.run(is_until_empty=True)
            assert told == [Help(str(kept))]
            assert finished(kept) == []
            assert not list(kept.glob("*/*.tmp"))
            del told[:]


def test_nothing_is_made_for_a_dead_import(live: Services, film: Path, told: list[Told]) -> None:
    with offered(live.data_dir, film) as kept:
        pass
    Worker(live, lambda: False).run(is_until_empty=True)
    assert told == []
    assert finished(kept) == []
