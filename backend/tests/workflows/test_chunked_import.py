"""Long films: what is finished when an import ends early is taken up by the next, and by no
other.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from liuying.installation.migrating import migrate
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.media import ffmpeg, planned_run
from liuying.media.errors import DamagedError, DiskFullError, MediaError, TranscoderError
from liuying.media.ffmpeg import Job, JobResult, Report
from liuying.media.plan import make_plan
from liuying.media.probe import probe
from liuying.workflows.chunk_cache import KEPT_S, ChunkCache, ImportCancelledError, sweep_chunks
from liuying.workflows.chunk_help import help_with
from liuying.workflows.content_hash import hash_file
from liuying.workflows.import_video import import_file
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.preconditions import RESERVED_BYTES
from liuying.workflows.purging import purge_video
from liuying.workflows.video_meta import VideoMeta
from tests.made_once import made_once
from tests.media.clips import FAST
from tests.media.hls_validator import faults_of
from tests.workflows.published import digests_of, file_of, row_of, run_out

# Imports, and kills itself at the nth chunk (the sound is one too): before it is finished, or
# after.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from liuying.installation.services import open_services
from liuying.installation.environment import read_settings
from liuying.media import chunk_run
from liuying.media.plan import EncoderSettings
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta

data, source, step, part, chunk = sys.argv[1:]
original = getattr(chunk_run, step)

def dying(folder):
    original(folder)
    # Of one chunk: it is on disk, but has no name yet; or has its name.
    is_draft = folder.name.startswith(chunk + ".") and folder.parent.name == part
    if is_draft or (folder.name == part and (folder / chunk).exists()):
        os.kill(os.getpid(), signal.SIGKILL)

setattr(chunk_run, step, dying)
services = open_services(read_settings({**os.environ, "LIUYING_DATA_DIR": data}))
fast = EncoderSettings(
    preset="ultrafast", refinements="", quality=30
)
import_file(services, Path(source), VideoMeta(title="一"), settings=fast)
"""
UNFINISHED, FINISHED = "sync_tree", "sync_folder"
FILM_SIZE, FILM_RATE = (416, 416), 9.0
SOUND = "low/sound"
ALL = [f"{part}/c000{number}" for part in ("low", "rest") for number in range(1, 5)]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, film_clip: Path) -> dict[str, str]:
    """Digests of what an import publishes that nobody disturbs; it keeps every rule."""

    def publish(path: Path) -> None:
        services = open_services(Settings(data_dir=tmp_path_factory.mktemp("undisturbed")))
        migrate(services.database)
        result = import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
        assert (
            faults_of(
                file_of(services, row_of(services, result.video_id).playlist), FILM_SIZE, FILM_RATE
            )
            == []
        )
        services.database.close()
        assert nothing_cached(services)
        path.write_bytes(msgspec.json.encode(digests_of(services, result.key)))

    made = made_once(tmp_path_factory, "undisturbed-film.json", publish)
    return msgspec.json.decode(made.read_bytes(), type=dict[str, str])


def nothing_cached(services: Services) -> bool:
    return [path.name for path in (services.data_dir / "jobs").iterdir()] == [".gate"]


def kept(services: Services) -> list[str]:
    """Names of the finished and unfinished chunks of all films."""
    found = (services.data_dir / "jobs" / ".chunks").glob("*/*/*")
    return sorted(
        str(path.relative_to(path.parents[1])) for path in found if path.suffix != ".lock"
    )


@pytest.fixture
def made(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the chunks that are begun from now on, without the sound, which is made
    beside them.
    """
    begun: list[str] = []
    run = ffmpeg.run

    def noted(job: Job, report: Report | None = None) -> JobResult:
        name = "/".join(job.folder.parts[-2:]).partition(".")[0]
        if ".chunks" in job.folder.parts and name != SOUND:
            begun.append(name)
        return run(job, report)

    monkeypatch.setattr(planned_run, "run", noted)
    return begun


def goes_on_after_the_first_chunk(
    services: Services, film_clip: Path, made: list[str], undisturbed: dict[str, str]
) -> None:
    """Of three chunks of the rest one is kept: the next import makes the others, and the result is
    as undisturbed.
    """
    assert kept(services) == ["rest/c0001"]
    del made[:]
    result = import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
    assert made == ["rest/c0002", "rest/c0003", "rest/c0004"]
    assert digests_of(services, result.key) == undisturbed
    assert nothing_cached(services)


def fail_at(monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException) -> None:
    """Let a chunk's making end with an error, after something was written."""
    run = planned_run.run  # type: ignore[attr-defined]  # what it imported, or what stands in for it

    def failing(job: Job, report: Report | None = None) -> JobResult:
        if "/".join(job.folder.parts[-2:]).startswith(name + "."):
            (job.folder / "half").write_bytes(b"half")
            raise error
        result: JobResult = run(job, report)
        return result

    monkeypatch.setattr(planned_run, "run", failing)


@pytest.mark.parametrize(
    ("step", "name", "redone"),
    [
        (UNFINISHED, ALL[0], ALL),
        (FINISHED, ALL[1], ALL[2:]),
        (FINISHED, ALL[4], ALL[5:]),
        (UNFINISHED, ALL[6], ALL[6:]),
    ],
)
def test_a_kill_costs_one_chunk(
    services: Services,
    film_clip: Path,
    undisturbed: dict[str, str],
    made: list[str],
    step: str,
    name: str,
    redone: list[str],
) -> None:
    command = [
        sys.executable,
        "-c",
        SCRIPT,
        str(services.data_dir),
        str(film_clip),
        step,
        *name.split("/"),
    ]
    killed = subprocess.run(command, timeout=120, check=False)
    assert killed.returncode == -9
    run_out(services)
    result = import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
    assert made == redone
    assert digests_of(services, result.key) == undisturbed
    assert nothing_cached(services)


def test_sound_that_cannot_be_made_ends_the_pictures(
    services: Services, film_clip: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    has_failed = threading.Event()
    run = planned_run.run  # type: ignore[attr-defined]  # what stands in for it

    def failing(job: Job, report: Report | None = None) -> JobResult:
        if job.folder.name.startswith("sound."):
            has_failed.set()
            raise DiskFullError
        if job.folder.name.startswith("c0001."):
            assert has_failed.wait(60)
        result: JobResult = run(job, report)
        return result

    monkeypatch.setattr(planned_run, "run", failing)
    with pytest.raises(DiskFullError):
        import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
    assert made == ["low/c0001"]


@pytest.mark.parametrize(
    "error", [DiskFullError(), TranscoderError("", is_killed=True), KeyboardInterrupt()], ids=repr
)
def test_what_may_pass_keeps_the_chunks(
    services: Services,
    film_clip: Path,
    undisturbed: dict[str, str],
    made: list[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
) -> None:
    with monkeypatch.context() as patched:
        fail_at(patched, "rest/c0002", error)
        with pytest.raises(type(error)):
            import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
    # Nothing half-made is left, and what is published already needs none.
    goes_on_after_the_first_chunk(services, film_clip, made, undisturbed)


@pytest.mark.parametrize("error", [ImportCancelledError(0), MediaError("x")], ids=repr)
def test_what_is_given_up_keeps_nothing(
    services: Services, film_clip: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    fail_at(monkeypatch, "low/c0002", error)
    with pytest.raises(type(error)):
        import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
    assert nothing_cached(services)


def test_a_film_that_is_damaged_somewhere_is_made_in_one_piece(
    services: Services, film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_at(monkeypatch, "low/c0003", DamagedError())
    result = import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
    row = row_of(services, result.video_id)
    assert row.state == "complete"
    assert faults_of(file_of(services, row.playlist), FILM_SIZE, FILM_RATE) == []
    assert nothing_cached(services)


def test_chunks_of_another_encoding_are_not_used(
    services: Services,
    film_clip: Path,
    undisturbed: dict[str, str],
    made: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = msgspec.structs.replace(FAST, quality=40)
    with monkeypatch.context() as patched:
        fail_at(patched, "low/c0003", DiskFullError())
        with pytest.raises(DiskFullError):
            import_file(services, film_clip, VideoMeta(title="一"), settings=other)
    assert [name for name in kept(services) if name != SOUND] == ["low/c0001", "low/c0002"]
    del made[:]
    result = import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
    assert made == ALL
    assert digests_of(services, result.key) == undisturbed
    assert nothing_cached(services)


def test_what_helpers_made_of_a_rest_that_is_left_is_kept(
    services: Services, film_clip: Path, undisturbed: dict[str, str], made: list[str]
) -> None:
    """A more urgent file comes between: the rest's chunks that a helper has made already are not
    made again.
    """

    def help_first() -> bool:
        assert help_with(next((services.data_dir / "jobs" / ".chunks").iterdir())) is not None
        return True

    import_file(services, film_clip, VideoMeta(title="一"), settings=FAST, is_rest_left=help_first)
    goes_on_after_the_first_chunk(services, film_clip, made, undisturbed)


def stopped(
    services: Services, film_clip: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> Path:
    """The folder of the chunks of an import that was stopped at one of them."""
    with monkeypatch.context() as patched:
        fail_at(patched, name, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
    return next((services.data_dir / "jobs" / ".chunks").iterdir())


def grow_old(folder: Path) -> None:
    for one in [folder, *folder.iterdir()]:
        moment = one.stat().st_mtime - KEPT_S - 60
        os.utime(one, (moment, moment))


def test_chunks_that_nobody_takes_up_go(
    services: Services, film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = stopped(services, film_clip, monkeypatch, "low/c0001")
    folders = JobFolders(services.data_dir / "jobs")
    with folders.gate():
        sweep_chunks(folders)
    assert folder.exists()
    grow_old(folder)
    held = ChunkCache(folders, hash_file(film_clip), make_plan(probe(film_clip), FAST))
    with folders.gate():
        held.__enter__()
        grow_old(folder)
        sweep_chunks(folders)
    assert folder.exists()  # somebody is at work there
    with pytest.raises(ImportBusyError), folders.gate():
        ChunkCache(folders, hash_file(film_clip), make_plan(probe(film_clip), FAST)).__enter__()
    held.__exit__(DiskFullError, DiskFullError(), None)
    with folders.gate():
        sweep_chunks(folders)
    assert nothing_cached(services)


def test_what_a_removal_left_goes_at_once(services: Services) -> None:
    """Its process was killed in the middle, or the file system kept a file that a helper still had
    open.
    """
    gone = services.data_dir / "jobs" / ".chunks" / "gone-1234"
    (gone / "rest").mkdir(parents=True)
    folders = JobFolders(services.data_dir / "jobs")
    with folders.gate():
        sweep_chunks(folders)
    assert nothing_cached(services)


def test_a_removed_video_leaves_no_chunks(
    services: Services, film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(services, film_clip, monkeypatch, "rest/c0002")
    assert kept(services) == ["rest/c0001"]
    purge_video(services, 1)
    assert nothing_cached(services)


def test_room_for_chunks_is_asked_for_before(
    services: Services, film_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = make_plan(probe(film_clip), FAST).output_bytes
    monkeypatch.setattr(
        shutil, "disk_usage", lambda _path: SimpleNamespace(free=RESERVED_BYTES + 3 * needed - 1)
    )
    with pytest.raises(DiskFullError):
        import_file(services, film_clip, VideoMeta(title="一"), settings=FAST)
    assert not (services.data_dir / "jobs" / ".chunks").exists()
