"""A worker with its real process: order of stages, cancelling, draining, a process that is killed,
a full disk.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from liuying.core.jobs import service
from liuying.core.jobs.queries import ledger
from liuying.core.jobs.queries.ledger import Claim
from liuying.core.jobs.rules import State
from liuying.core.jobs.tables import job
from liuying.installation.services import Services, open_services
from liuying.kit.clock import system_clock
from liuying.kit.storage_layout import LOCK_NAME
from liuying.media.ffmpeg import ffmpeg_binary
from liuying.worker.claiming import Worker
from liuying.workflows.import_manifest import Item
from liuying.workflows.import_run import ImportRun
from liuying.workflows.job_folders import JobFolders
from liuying.workflows.leftovers import sweep
from liuying.workflows.video_meta import GivenMeta
from tests.http.processes import (
    Running,
    assert_nothing_half_visible,
    assert_nothing_left,
    let_time_pass,
    passed,
    published,
    queue_of,
    running,
    states,
    wait_for_end,
    working_on,
)
from tests.made_once import made_once
from tests.media.clips import h264, make_clip, picture, tone
from tests.media.conftest import clips, film_clip, plain_clip, tall_clip
from tests.workflows.published import run_out

__all__ = ["clips", "film_clip", "plain_clip", "tall_clip"]
LADDER = {"360/index.m3u8", "540/index.m3u8", "720/index.m3u8", "v1.m3u8", "v2.m3u8"}


@pytest.fixture
def live(services: Services) -> Iterator[Services]:
    """The installation with a clock that goes, as the worker's process has it."""
    opened = open_services(services.settings, clock=system_clock)
    yield opened
    opened.database.close()


@pytest.fixture(scope="session")
def long_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So long that something can happen while it is worked on."""
    arguments = [*picture("1280x720", 25), *tone(25), *h264(500)]
    return made_once(tmp_path_factory, "long.mp4", lambda path: make_clip(path, *arguments))


@contextmanager
def server(services: Services) -> Iterator[subprocess.Popen[str]]:
    """A server that listens; killed at the end where it still runs."""
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(services.data_dir),
        "HOST": "127.0.0.1",
        "PORT": "0",
    }
    command = [sys.executable, "-m", "liuying", "serve"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("流影 http://127.0.0.1:")
            yield process
        finally:
            process.kill()


def put(services: Services, *sources: Path) -> None:
    run = ImportRun(services, GivenMeta(), is_queued=True)
    assert run.run([Item(source) for source in sources]) == 0


def transcoders(services: Services) -> list[Running]:
    """The transcoders at work, without the programs that only start them."""
    return [one for one in running(services) if one.command.startswith(ffmpeg_binary())]


def finished_chunks(services: Services) -> set[str]:
    """The finished chunks of long films: the folder of what is made of them, and theirs."""
    found = (services.data_dir / "jobs" / ".chunks").glob("*/*/c????")
    return {"/".join(path.parts[-2:]) for path in found}


def once_transcoding(
    services: Services, act: Callable[[], None], then: bool, chunks: int = 0
) -> Callable[[], bool]:
    """For `is_stopped`: does something at the first look that finds a transcoder at work.

    Args:
        then: Whether the worker stops from then on.
        chunks: And so many finished chunks.
    """
    seen: list[bool] = []

    def look() -> bool:
        if not seen and transcoders(services) and len(finished_chunks(services)) >= chunks:
            seen.append(True)
            act()
        return bool(seen) and then

    return look


def test_every_first_rung_comes_before_any_rest(
    live: Services, tall_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.mp4"
    other.write_bytes(
        tall_clip.read_bytes() + b"\0\0\0\x08free"
    )  # another content, the same pictures
    put(live, tall_clip, other)
    said: list[tuple[str, str]] = []
    release, finish = ledger.release, ledger.finish

    def told(name: str, step: Callable[..., bool]) -> Callable[..., bool]:
        def noted(connection: object, held: Claim, *arguments: object) -> bool:
            said.append((name, Path(held.source).name))
            return step(connection, held, *arguments)

        return noted

    monkeypatch.setattr(ledger, "release", told("left", release))
    monkeypatch.setattr(ledger, "finish", told("done", finish))
    Worker(live, lambda: False).run(is_until_empty=True)
    assert said == [("left", "tall.mp4"), ("done", "other.mp4"), ("done", "tall.mp4")]
    files = published(live)
    # Made in two imports or in one: the same to the last bit.
    assert files["tall.mp4"] == files["other.mp4"]
    assert set(files["tall.mp4"]) >= LADDER
    assert_nothing_left(live)


def test_a_cancelled_job_ends_its_transcoder(live: Services, long_clip: Path) -> None:
    put(live, long_clip)
    begun: list[Running] = []

    def cancel() -> None:
        begun.extend(running(live))
        with live.database.write() as connection:
            service.cancel_job(connection, 1, live.clock())

    Worker(live, once_transcoding(live, cancel, then=False)).run(is_until_empty=True)
    assert len(begun) >= 2
    wait_for_end(begun)
    assert states(live) == [State.CANCELLED]
    assert published(live) == {}
    assert_nothing_left(live)


def test_a_drained_worker_gives_its_job_back(live: Services, long_clip: Path) -> None:
    put(live, long_clip)
    begun: list[Running] = []
    Worker(live, once_transcoding(live, lambda: begun.extend(running(live)), then=True)).run()
    wait_for_end(begun)
    found = queue_of(live)[0]
    assert (found.state, found.attempt, found.worker, found.cause) == (State.WAITING, 0, None, "")
    assert_nothing_left(live)
    with live.database.read() as connection:
        assert ledger.is_due(connection, live.clock())


def test_a_drained_worker_keeps_the_chunks_of_a_film(
    live: Services, film_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(live, film_clip)
    Worker(live, once_transcoding(live, lambda: None, then=True, chunks=2)).run()
    before = finished_chunks(live)
    assert len(before) >= 2
    assert working_on(live) == {".chunks"}
    made = tmp_path / "made"
    noting = tmp_path / "noting"
    noting.write_text(
        f'#!/bin/sh\npwd >>{shlex.quote(str(made))}\nexec {shlex.quote(ffmpeg_binary())} "$@"\n'
    )
    noting.chmod(0o700)
    monkeypatch.setenv("LIUYING_FFMPEG", str(noting))  # for the process that the worker starts
    Worker(live, lambda: False).run(is_until_empty=True)
    again = {
        "/".join(Path(folder).parts[-2:]).partition(".")[0]
        for folder in made.read_text().splitlines()
    }
    # They are noted at all; which one comes first depends on how far the drained worker was.
    assert any(one.startswith("rest/c") for one in again)
    assert not again & before
    assert states(live) == [State.DONE]
    assert_nothing_left(live)


def test_a_cancelled_film_leaves_no_chunks(live: Services, film_clip: Path) -> None:
    put(live, film_clip)
    begun: list[Running] = []

    def cancel() -> None:
        begun.extend(running(live))
        with live.database.write() as connection:
            service.cancel_job(connection, 1, live.clock())

    Worker(live, once_transcoding(live, cancel, then=False, chunks=1)).run(is_until_empty=True)
    wait_for_end(begun)
    assert states(live) == [State.CANCELLED]
    assert_nothing_left(live)


def test_a_server_works_on_the_queue_and_drains(live: Services, long_clip: Path) -> None:
    put(live, long_clip)
    with server(live) as process:
        while not (begun := transcoders(live)):
            passed(process, 0.1)
        begun += running(live)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    wait_for_end(begun)
    found = queue_of(live)[0]
    assert (found.state, found.attempt, found.cause) == (State.WAITING, 0, "")
    assert_nothing_left(live)


def test_a_process_that_is_killed_costs_a_try(live: Services, long_clip: Path) -> None:
    put(live, long_clip)
    begun: list[Running] = []

    def kill() -> None:
        begun.extend(running(live))
        for one in begun:
            if "run-imports" in one.command:
                os.kill(one.pid, signal.SIGKILL)

    Worker(live, once_transcoding(live, kill, then=False)).run(is_until_empty=True)
    wait_for_end(begun)
    found = queue_of(live)[0]
    assert (found.state, found.fault, found.failures) == (State.WAITING, "killed", 1)
    assert (found.cause, found.cause_en) == (
        "处理进程意外结束",
        "The process that did the work ended unexpectedly",
    )
    # In a bucket the asset is the dead process's until its hold runs out. Until then its row stays,
    # and its folder, without what it held.
    left = [live.layout.jobs / one for one in working_on(live)]
    assert [path.name for folder in left for path in folder.iterdir()] == [LOCK_NAME] * len(left)
    assert len(left) == (0 if live.objects.media.is_split else 1)
    run_out(live)
    folders = JobFolders(live.layout.jobs)
    with folders.gate():
        sweep(live.database, live.objects, folders)
    assert_nothing_left(live)


def test_a_full_disk_is_waited_for(
    live: Services, tall_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transcoder finds no room, first for the low rung, then for the rest, until there
    is some.
    """
    put(live, tall_clip)
    rooms, program = tmp_path / "rooms", tmp_path / "transcoder"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *{"720.mp4"}*) need=2;; *) need=1;; esac\n'
        f"if [ $(cat {shlex.quote(str(rooms))}) -lt $need ]; then\n"
        'echo "av_interleaved_write_frame(): No space left on device" >&2; exit 228; fi\n'
        f'exec {shlex.quote(ffmpeg_binary())} "$@"\n'
    )
    program.chmod(0o700)
    monkeypatch.setenv("LIUYING_FFMPEG", str(program))
    for room, state, listed in ((0, State.WAITING, 0), (1, State.WAITING, 1), (2, State.DONE, 1)):
        rooms.write_text(str(room))
        Worker(live, lambda: False).run(is_until_empty=True)
        found = queue_of(live)[0]
        assert (found.state, found.fault) == (state, "" if state is State.DONE else "disk_full")
        assert len(published(live)) == listed
        assert_nothing_half_visible(live)
        let_time_pass(live)
    assert set(published(live)["tall.mp4"]) >= LADDER
    assert_nothing_left(live)


def test_until_empty_waits_for_what_a_dead_worker_left(live: Services, plain_clip: Path) -> None:
    put(live, plain_clip)
    with live.database.write() as connection:
        held = ledger.claim(connection, "dead", live.clock())
        assert held is not None
        # Its lease has a second left.
        connection.execute(
            sa.update(job).where(job.c.id == held.job_id).values(due_at=live.clock() + 1000)
        )
    Worker(live, lambda: False).run(is_until_empty=True)
    assert states(live) == [State.DONE]
