"""Chunks that several make: each once, by whoever is free, and the same as from one alone."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from liuying.kit.files import remove_shared
from liuying.media import ffmpeg, planned_run
from liuying.media.boxes import read_fragmented
from liuying.media.chunk_run import ChunkRun
from liuying.media.ffmpeg import Job, JobResult, Report
from liuying.media.plan import Plan, make_plan
from liuying.media.planned_run import PlannedRun
from liuying.media.probe import probe
from liuying.media.transcode import rung_file
from tests.media.clips import FAST, h264, make_clip, picture, tone
from tests.waiting import PATIENCE_S, wait_until

# Holds a lock until it is killed.
HOLDER = """
import sys
from pathlib import Path
from liuying.kit.file_locks import lock_file
lock_file(Path(sys.argv[1]), wait=False)
print("held", flush=True)
sys.stdin.read()
"""


class Film(msgspec.Struct, frozen=True):
    """A film of some small chunks in one rung, and the file that one alone makes of it."""

    source: Path
    plan: Plan
    whole: bytes

    def run_in(self, folder: Path) -> ChunkRun:
        folder.mkdir(exist_ok=True)
        run = PlannedRun(plan=self.plan, work=folder)
        return ChunkRun(plan=self.plan, source=self.source, folder=folder, run=run)

    def make_in(self, folder: Path, work: Path, report: Report) -> bytes:
        work.mkdir()
        chunks = self.run_in(folder)
        chunks.make(self.plan.rungs, report)
        chunks.join(self.plan.rungs, None, work)
        return (work / rung_file(self.plan.rungs[0])).read_bytes()

    @property
    def names(self) -> list[str]:
        return [chunk.name for chunk in self.plan.chunks]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    folder = tmp_path_factory.mktemp("film")
    source = make_clip(folder / "film.mp4", *picture("192x144", 100, "10"), *h264(65))
    found = Film(source, make_plan(probe(source), FAST), b"")
    assert len(found.names) >= 4
    return msgspec.structs.replace(
        found, whole=found.make_in(folder / "kept", folder / "work", lambda _share: None)
    )


@pytest.fixture
def before_each(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[Path], None]]:
    """What is called with a chunk's folder before the transcoder runs there."""
    called: list[Callable[[Path], None]] = []

    def noted(job: Job, report: Report | None = None) -> JobResult:
        for one in called:
            one(job.folder)
        return ffmpeg.run(job, report)

    monkeypatch.setattr(planned_run, "run", noted)
    return called


@pytest.fixture
def begun(before_each: list[Callable[[Path], None]]) -> list[str]:
    """Names of the chunks that are begun."""
    names: list[str] = []
    before_each.append(lambda folder: names.append(folder.name.partition(".")[0]))
    return names


def test_two_make_every_chunk_once(
    film: Film, tmp_path: Path, begun: list[str], before_each: list[Callable[[Path], None]]
) -> None:
    both_at_work = threading.Barrier(2)
    seen = threading.local()

    def meet(_folder: Path) -> None:
        if not hasattr(seen, "is_met"):  # each has its first chunk in hands
            seen.is_met = True
            both_at_work.wait(PATIENCE_S)

    before_each.append(meet)
    files: dict[str, bytes] = {}
    shares: dict[str, list[float]] = {"one": [], "other": []}

    def work(name: str) -> None:
        files[name] = film.make_in(tmp_path / "kept", tmp_path / name, shares[name].append)

    threads = [threading.Thread(target=work, args=(name,)) for name in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(begun) == film.names
    assert files == {"one": film.whole, "other": film.whole}
    for said in shares.values():
        assert said == sorted(said)
        assert said[-1] == 1.0
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == film.names


def test_a_chunk_in_others_hands_is_waited_for_and_taken_over(
    film: Film, tmp_path: Path, begun: list[str]
) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "c0002.dead.tmp").mkdir()
    shares: list[float] = []
    files: list[bytes] = []
    thread = threading.Thread(
        target=lambda: files.append(film.make_in(kept, tmp_path / "work", shares.append))
    )
    command = [sys.executable, "-c", HOLDER, str(kept / "c0002.lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        thread.start()
        others = [chunk for chunk in film.plan.chunks if chunk.name != "c0002"]
        wait_until(lambda: all((kept / chunk.name).exists() for chunk in others))
        # Told while it waits, of what others have finished too.
        share = sum(chunk.duration for chunk in others) / sum(
            chunk.duration for chunk in film.plan.chunks
        )
        wait_until(lambda: len(shares) >= 2 and shares[-1] == shares[-2] == pytest.approx(share))
        assert thread.is_alive()
        assert "c0002" not in begun
        holder.kill()
    thread.join(PATIENCE_S)
    assert begun == [*(chunk.name for chunk in others), "c0002"]
    assert files == [film.whole]
    assert sorted(path.name for path in kept.iterdir()) == film.names


def test_what_another_finishes_is_not_made_again(
    film: Film, tmp_path: Path, begun: list[str]
) -> None:
    run = film.run_in(tmp_path / "kept")
    for number in range(len(film.names)):
        assert run.is_untouched()
        assert run.make_next(film.plan.rungs) == film.plan.chunks[number]
    assert not run.is_untouched()
    assert run.make_next(film.plan.rungs) is None
    assert begun == film.names


def test_what_another_machine_finished_is_seen_late(
    film: Film, tmp_path: Path, before_each: list[Callable[[Path], None]]
) -> None:
    kept = tmp_path / "kept"

    def finish(folder: Path) -> None:
        (folder.parent / "c0001").mkdir()
        (folder.parent / "c0001" / "144.mp4").write_bytes(b"of the other")

    before_each.append(finish)
    assert film.run_in(kept).make_next(film.plan.rungs) == film.plan.chunks[0]
    assert [path.name for path in kept.iterdir()] == ["c0001"]
    assert (kept / "c0001" / "144.mp4").read_bytes() == b"of the other"


def test_a_film_that_is_given_up_is_not_begun_anew(
    film: Film, tmp_path: Path, before_each: list[Callable[[Path], None]]
) -> None:
    run = film.run_in(tmp_path / "kept")
    before_each.append(lambda folder: remove_shared(folder.parent))
    for _ in range(2):  # in the middle of a chunk, and before the next
        with pytest.raises(FileNotFoundError):
            run.make_next(film.plan.rungs)
        assert not list(tmp_path.iterdir())


def test_a_failed_chunk_is_free_for_others(
    film: Film, tmp_path: Path, before_each: list[Callable[[Path], None]], begun: list[str]
) -> None:
    run = film.run_in(tmp_path / "kept")

    def fail(_folder: Path) -> None:
        raise KeyboardInterrupt

    before_each.append(fail)
    with pytest.raises(KeyboardInterrupt):
        run.make_next(film.plan.rungs)
    before_each.remove(fail)
    assert run.is_untouched()
    assert run.make_next(film.plan.rungs) == film.plan.chunks[0]
    assert begun == ["c0001", "c0001"]
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["c0001"]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) == 1, reason="needs two processors")
def test_the_number_of_processors_changes_nothing(film: Film, tmp_path: Path) -> None:
    all_of_them = os.sched_getaffinity(0)
    plan = make_plan(film.plan.probe)  # with the product's own settings
    product = msgspec.structs.replace(film, plan=plan)
    made = []
    for name, processors in (("one", set(sorted(all_of_them)[:1])), ("all", all_of_them)):
        os.sched_setaffinity(0, processors)
        try:
            chunk = product.run_in(tmp_path / name).make_next(plan.rungs)
        finally:
            os.sched_setaffinity(0, all_of_them)
        assert chunk is not None
        made.append((tmp_path / name / chunk.name / rung_file(plan.rungs[0])).read_bytes())
    assert made[0] == made[1]


def test_sound_is_made_once(film_clip: Path, tmp_path: Path) -> None:
    asked: list[str] = []
    plan = make_plan(probe(film_clip), FAST)
    run = PlannedRun(plan=plan, work=tmp_path)
    chunks = ChunkRun(plan=plan, source=film_clip, folder=tmp_path, run=run)

    def gain() -> float:
        asked.append("gain")
        return 0.0

    made = chunks.make_sound(run, gain)
    assert made is not None
    content = made.read_bytes()
    assert chunks.make_sound(run, gain) == made
    assert asked == ["gain"]
    assert made.read_bytes() == content


@pytest.mark.parametrize("held", [0.6, 1.6])
def test_the_first_and_the_last_picture_fill_the_length_of_the_sound(
    tmp_path: Path, held: float
) -> None:
    """Of a short while they are shown for longer, of a long one they are repeated."""
    late = ["-itsoffset", f"{held}", *picture("192x144", 62, "10")]
    source = make_clip(tmp_path / "late.mp4", *late, *tone(62 + 2 * held), *h264(65), "-bf", "2")
    plan = make_plan(probe(source), FAST)
    film = Film(source, plan, b"")
    film.make_in(tmp_path / "kept", tmp_path / "work", lambda _share: None)
    assert len(film.names) > 1
    made = read_fragmented(tmp_path / "work" / rung_file(plan.rungs[0]))
    assert made.fragments[0].start == 0.0
    # Chunks are cut at key frames: the second begins where the first, held picture included, ends.
    ends = [one.start + one.duration for one in made.fragments]
    assert ends[:-1] == pytest.approx([one.start for one in made.fragments[1:]], abs=0.001)
    assert ends[-1] == pytest.approx(62 + 2 * held, abs=0.05)
