"""Watching a folder: a file counts once it has rested, and the clock is the test's."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liuying.cli.found_files import find_files
from liuying.cli.stopping import StopRequest
from liuying.cli.watching import watch_folders
from liuying.installation.services import Services
from liuying.workflows.folder_watch import FolderWatch
from liuying.workflows.import_result import ImportResult, Outcome
from liuying.workflows.import_run import ImportRun
from liuying.workflows.video_meta import GivenMeta


class Time:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def watch(tmp_path: Path, time: Time) -> FolderWatch:
    return FolderWatch([tmp_path], find_files, 10, time)


def grow(path: Path, time: Time) -> None:
    """More bytes, and a later time of change whatever the file system's resolution is."""
    path.write_bytes((path.read_bytes() if path.exists() else b"") + b"x")
    os.utime(path, ns=(0, int(time.now * 1e9)))


def test_a_file_counts_once_it_has_rested(watch: FolderWatch, time: Time, tmp_path: Path) -> None:
    clip = tmp_path / "a.mp4"
    grow(clip, time)
    assert watch.look() == []
    time.passes(6)
    grow(clip, time)
    assert watch.look() == []
    time.passes(9.9)
    assert (watch.look(), watch.waiting) == ([], 1)
    time.passes(0.1)
    assert watch.look() == [clip]
    time.passes(100)
    assert (watch.look(), watch.waiting) == ([], 0)
    grow(clip, time)
    assert watch.look() == []
    time.passes(10)
    assert watch.look() == [clip]


def test_companions_are_waited_for(watch: FolderWatch, time: Time, tmp_path: Path) -> None:
    grow(tmp_path / "a.mp4", time)
    grow(tmp_path / "b.mp4", time)
    watch.look()
    time.passes(8)
    grow(tmp_path / "a-poster.jpg", time)
    watch.look()
    time.passes(5)
    assert watch.look() == [tmp_path / "b.mp4"]
    time.passes(5)
    assert watch.look() == [tmp_path / "a.mp4"]


def test_empty_and_partial_files_do_not_count(
    watch: FolderWatch, time: Time, tmp_path: Path
) -> None:
    (tmp_path / "empty.mp4").touch()
    for name in ("a.mp4.part", "b.crdownload", "c.mp4.tmp", ".hidden.mp4"):
        grow(tmp_path / name, time)
    watch.look()
    time.passes(50)
    assert watch.look() == []
    (tmp_path / "a.mp4.part").rename(tmp_path / "a.mp4")
    watch.look()
    time.passes(10)
    assert watch.look() == [tmp_path / "a.mp4"]


def test_a_file_that_goes_and_comes_is_new(watch: FolderWatch, time: Time, tmp_path: Path) -> None:
    clip = tmp_path / "sub" / "a.mp4"
    clip.parent.mkdir()
    grow(clip, time)
    watch.look()
    time.passes(10)
    assert watch.look() == [clip]
    stamp = clip.stat()
    clip.unlink()
    assert watch.look() == []
    clip.write_bytes(b"x")
    os.utime(clip, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    watch.look()
    time.passes(10)
    assert watch.look() == [clip]
    clip.unlink()
    clip.parent.rmdir()
    assert watch.look() == []


@pytest.fixture
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    assert {number: signal.getsignal(number) for number in before} == before


@pytest.mark.usefixtures("handlers")
def test_a_signal_lets_the_current_file_end(
    services: Services,
    time: Time,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    begun, ended = [], []

    def slow(_services: object, source: Path, *_: object) -> ImportResult:
        begun.append(source.name)
        os.kill(os.getpid(), signal.SIGTERM)
        ended.append(source.name)
        return ImportResult(7, "key", Outcome.IMPORTED)

    monkeypatch.setattr("liuying.workflows.import_run.import_file", slow)
    folder = tmp_path / "inbox"
    folder.mkdir()
    steps: list[Callable[[], None]] = [
        lambda: grow(folder / "a.mp4", time),
        lambda: grow(folder / "b.mp4", time),
        lambda: time.passes(3),
        lambda: time.passes(7),
    ]

    def pause() -> None:
        steps.pop(0)()

    watch_folders(ImportRun(services, GivenMeta()), [folder], 10, time, pause)
    assert (begun, ended, steps) == (["a.mp4"], ["a.mp4"], [])
    captured = capsys.readouterr()
    assert "已导入 a.mp4（编号 7）" in captured.out
    assert captured.err.endswith("已停止\n")


def test_the_second_signal_ends_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    stop = StopRequest("马上停止")
    stop.on_signal(signal.SIGTERM, None)
    assert stop.is_made
    assert capfd.readouterr().err == "马上停止\n"
    with pytest.raises(SystemExit):
        stop.on_signal(signal.SIGTERM, None)
