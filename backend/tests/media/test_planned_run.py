"""What is made beside something else: given when it is asked for, ended when nobody will ask."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from liuying.media.errors import TranscoderError
from liuying.media.ffmpeg import JobResult
from liuying.media.plan import make_plan
from liuying.media.planned_run import PlannedRun, beside
from liuying.media.probe import probe
from tests.media.clips import FAST, picture

PATIENCE_S = 60


@pytest.fixture
def run(plain_clip: Path, tmp_path: Path) -> PlannedRun:
    return PlannedRun(plan=make_plan(probe(plain_clip), FAST), work=tmp_path)


def test_what_was_made_beside_is_given(run: PlannedRun) -> None:
    with beside(lambda other: other([*picture(seconds=2), "-f", "null", "-"]), run) as made:
        frames = made.result().frames
    assert frames == 50


def test_what_its_making_raises_is_raised_where_it_is_asked_for(run: PlannedRun) -> None:
    missing = ["-i", "file:missing.mp4", "-f", "null", "-"]
    with (
        beside(lambda other: other(missing), run) as made,
        pytest.raises(TranscoderError, match="No such file"),
    ):
        made.result()


def fail_once(is_at_work: threading.Event) -> None:
    assert is_at_work.wait(PATIENCE_S)
    raise threading.BrokenBarrierError


def test_what_nobody_will_ask_for_is_ended(run: PlannedRun) -> None:
    is_at_work = threading.Event()
    ends: list[BaseException] = []

    def work(other: PlannedRun) -> JobResult:
        try:
            # At the speed of a clock: nothing else ends it for minutes.
            endless = ["-re", "-f", "lavfi", "-i", "testsrc", "-f", "null", "-"]
            return other(endless, lambda _share: is_at_work.set())
        except BaseException as error:
            ends.append(error)
            raise

    with pytest.raises(threading.BrokenBarrierError), beside(work, run):
        fail_once(is_at_work)
    assert [type(error) for error in ends] == [CancelledError]
