"""Where films are cut: pure decisions, and that the parts put together are the whole."""

from __future__ import annotations

import shutil
from array import array
from collections import deque
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liuying.media import chunk_run, ffmpeg, planned_run
from liuying.media.chunk_files import pictures_of
from liuying.media.chunk_run import fingerprint
from liuying.media.chunks import CUT_TOLERANCE_S, LEAST_CHUNK_S, LEAST_LAST_S, MAX_LEAD_S
from liuying.media.packaged import read_playlist
from liuying.media.plan import Plan, make_plan
from liuying.media.probe import Probe
from liuying.media.production import Production
from liuying.media.segment_times import key_moments
from liuying.media.transcode import rung_file
from tests.media.clips import FAST, h264, make_clip, picture, tone
from tests.media.facts import probe_of
from tests.media.hls_validator import faults_of
from tests.media.productions import production_of, published_of


def film(
    seconds: float = 100.0,
    rate: float = 25.0,
    key_every: int = 50,
    start: float = 0.0,
    **facts: Any,
) -> Probe:
    """A film that may be cut, of a steady rate, not to be copied; with what a test wants to be
    different.
    """
    shown = array("d", (start + number / rate for number in range(round(seconds * rate))))
    return _film_of(shown, [shown[number] for number in range(0, len(shown), key_every)], **facts)


def _film_of(shown: array[float], keys: list[float], **facts: Any) -> Probe:
    span = shown[-1] - shown[0]
    timing = {
        "pictures": len(shown),
        "start": shown[0],
        "duration": span * len(shown) / (len(shown) - 1),
        "rate": (len(shown) - 1) / span,
        "longest_gap": max(after - before for before, after in pairwise(shown)),
        "key_times": tuple(keys),
        "moments": shown,
        **facts.pop("timing", {}),
    }
    found = probe_of(timing=timing, **{"profile": "High 10", **facts})
    return msgspec.structs.replace(found, is_seekable=True)


def assert_whole(plan: Plan) -> None:
    """Every picture lies in exactly one chunk, every chunk begins with a key frame of ours and is
    long enough.
    """
    timing = plan.probe.timing
    moments = key_moments(timing, plan.cuts)
    chunks = plan.chunks
    assert [chunk.number for chunk in chunks] == list(range(1, len(chunks) + 1))
    assert (chunks[0].start, chunks[-1].end) == (None, None)
    assert all(before.end == after.start is not None for before, after in pairwise(chunks))
    assert sum(chunk.pictures for chunk in chunks) == timing.pictures
    assert sum(chunk.duration for chunk in chunks) == pytest.approx(timing.duration)
    assert all(chunk.duration >= LEAST_CHUNK_S - 1e-6 for chunk in chunks[:-2])
    assert all(chunk.duration >= LEAST_LAST_S - 1e-6 for chunk in chunks[-2:])
    kept = [moments[0]]
    for chunk in chunks:
        kept += ([] if chunk.start is None else [chunk.start.moment]) + list(chunk.keys)
    assert kept == [moment for moment in moments if moment < timing.start + timing.duration]
    for cut in (chunk.start for chunk in chunks if chunk.start is not None):
        assert cut.before < cut.moment - CUT_TOLERANCE_S <= cut.after
        assert cut.seek in timing.key_times
        assert cut.moment - MAX_LEAD_S <= cut.seek <= cut.after
        assert any(one == cut.before for one in timing.moments)
        assert not any(cut.before < one < cut.after for one in timing.moments)


@given(st.floats(61, 400), st.floats(1, 60), st.integers(1, 400), st.floats(0, 1))
@settings(deadline=None)
def test_chunks_cover_the_film(seconds: float, rate: float, key_every: int, start: float) -> None:
    plan = make_plan(film(seconds, rate, key_every, start))
    if plan.chunks:
        assert_whole(plan)


@given(st.lists(st.floats(0.012, 0.4), min_size=600, max_size=900), st.integers(1, 40))
@settings(deadline=None)
def test_chunks_cover_a_film_of_variable_rate(steps: list[float], key_every: int) -> None:
    shown = array("d", [0.0])
    for step in steps:
        shown.append(shown[-1] + step)
    plan = make_plan(_film_of(shown, list(shown[::key_every])))
    if plan.chunks:
        assert_whole(plan)


def test_a_long_film_is_cut_about_every_half_minute() -> None:
    plan = make_plan(film(7200))
    assert_whole(plan)
    assert {chunk.duration for chunk in plan.chunks} == {30.0}
    # Key frames of the source lie on the cuts: nothing is decoded for nothing.
    assert all(
        chunk.start is None or chunk.start.seek == chunk.start.after for chunk in plan.chunks
    )


@pytest.mark.parametrize("seconds", range(60, 400, 7))
def test_there_is_an_even_number_so_that_two_workers_end_together(seconds: int) -> None:
    plan = make_plan(film(seconds))
    assert_whole(plan)
    assert len(plan.chunks) % 2 == 0
    assert abs(plan.chunks[-1].duration - plan.chunks[-2].duration) <= 10 + 2


def test_where_the_source_has_no_place_for_another_cut_their_number_stays_odd() -> None:
    plan = make_plan(film(75, key_every=625))  # a key frame every 25 s
    assert_whole(plan)
    assert [chunk.duration for chunk in plan.chunks] == [26.0, 24.0, 25.0]


def test_a_cut_lies_where_little_is_decoded_for_nothing() -> None:
    chunks = make_plan(film(300, key_every=260)).chunks  # a key frame every 10.4 s
    assert chunks
    assert all(
        chunk.start is None or chunk.start.moment - chunk.start.seek <= 2.0 for chunk in chunks
    )


def test_a_copied_top_rung_gives_the_cuts() -> None:
    plan = make_plan(film(100, key_every=75, profile="High"))
    assert plan.rungs[-1].is_copied
    assert_whole(plan)
    assert all(chunk.start is None or chunk.start.moment in plan.cuts for chunk in plan.chunks)


@pytest.mark.parametrize(
    "facts",
    [
        {"seconds": 59.0},
        {"is_interlaced": True},
        {"start": -0.5},
        {"key_every": 100_000},
        {"timing": {"is_frozen": True}},
        {"timing": {"has_jumps": True}},
        {"timing": {"moments": array("d", [0.0, 1.0, 1.0, 2.0])}},
        {"timing": {"moments": ()}},
    ],
    ids=lambda facts: next(iter(facts)),
)
def test_what_is_made_in_one_piece(facts: dict[str, Any]) -> None:
    assert make_plan(film(**facts)).chunks == ()


def test_what_cannot_be_sought_in_is_made_in_one_piece() -> None:
    assert make_plan(film()).chunks
    assert make_plan(msgspec.structs.replace(film(), is_seekable=False)).chunks == ()


def test_a_copied_first_rung_is_made_in_one_piece() -> None:
    plan = make_plan(
        film(
            100, profile="High", width=640, height=360, timing={"mean_bits": 1e5, "peak_bits": 2e5}
        )
    )
    assert [rung.is_copied for rung in plan.rungs] == [True]
    assert plan.chunks == ()


@given(
    st.floats(61, 200),
    st.sampled_from([50.0, 60.0, 60000 / 1001, 48.0, 120.0]),
    st.integers(1, 300),
)
@settings(deadline=None)
def test_a_changed_rate_has_every_picture_once(seconds: float, rate: float, key_every: int) -> None:
    plan = make_plan(film(seconds, rate, key_every))
    low = plan.rungs[0]
    assert low.rate is not None
    between = [chunk for chunk in plan.chunks if chunk.start is not None and chunk.end is not None]
    counted = [pictures_of(chunk, low) or 0 for chunk in between]
    if between and between[0].start is not None and between[-1].end is not None:
        length = between[-1].end.moment - between[0].start.moment
        assert sum(counted) == pytest.approx(length * low.rate, abs=1)


def test_the_fingerprint_is_of_all_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(film())
    others = [
        make_plan(film(), FAST),
        make_plan(film(101)),
        make_plan(film(width=1920, height=1080)),
    ]
    found = [fingerprint(one) for one in [plan, *others]]
    monkeypatch.setattr(chunk_run, "ffmpeg_version", lambda: "another")
    found.append(fingerprint(plan))
    assert len(set(found)) == len(found)
    monkeypatch.undo()
    assert fingerprint(make_plan(film())) == found[0]


# Pictures on each side of a cut that are compared.
AROUND = 5
OPEN_GROUPS = "open-gop=1:keyint=50:bframes=4:log-level=error"
FILMS = {
    # Rates that do not fit: 60000/1001 to 30, with times in whole milliseconds.
    "fast": ("mkv", [*picture("192x108", 61, "60000/1001"), *tone(61), *h264(250)]),
    # Every picture lasts another time, and none begins at 0.
    "variable": (
        "mp4",
        [
            *picture("320x240", 64, "15"),
            *h264(100),
            "-vf",
            "setpts=(N+0.4*mod(N\\,3)+1)/15/TB",
            "-fps_mode",
            "vfr",
        ],
    ),
    # Groups of pictures that lean on the one before.
    "open": (
        "mkv",
        [
            *picture("192x144", 62, "12"),
            "-c:v",
            "libx265",
            "-preset",
            "ultrafast",
            "-x265-params",
            OPEN_GROUPS,
        ],
    ),
    # A picture that stands for eight seconds, up to where a chunk ends: nothing is seen from the
    # moments inside.
    "standing": (
        "mkv",
        [*picture("192x108", 64, "15"), *h264(30), "-vf", "select=not(between(t\\,24.5\\,33))"],
    ),
    # A top rung that is passed through.
    "copied": ("mp4", [*picture("416x416", 61, "15"), *tone(61), *h264(45), "-b:v", "300k"]),
}


@pytest.fixture(params=["plain", *FILMS])
def source(request: pytest.FixtureRequest, film_clip: Path, tmp_path: Path) -> Path:
    if request.param == "plain":
        return film_clip
    suffix, arguments = FILMS[request.param]
    return make_clip(tmp_path / f"{request.param}.{suffix}", *arguments)


def make(
    source: Path, work: Path, kept: Path | None, shares: list[float] | None = None
) -> Production:
    """Make and publish all rungs; in chunks where there is a folder for them. Notes the shares done
    of each step.
    """
    work.mkdir(exist_ok=True)
    made = production_of(source, work, kept)
    plan = made.plan
    said: list[float] = [] if shares is None else shares
    low = made.make_first(said.append)
    made.publish_first(low)
    if len(plan.rungs) > 1:
        made.publish_rest(made.make_rest(lambda share: said.append(1.0 + share)))
    return made


def times_of(file: Path, kind: str) -> list[tuple[int, int, int | None, bool]]:
    """Of every packet: when it is shown and decoded, how long it lasts, and whether it is a key
    frame.
    """
    with av.open(str(file)) as container:
        stream = next(iter(getattr(container.streams, kind)), None)
        if stream is None:
            return []
        return [
            (one.pts or 0, one.dts or 0, one.duration, one.is_keyframe)
            for one in container.demux(stream)
            if one.size
        ]


def pictures_around(file: Path, moment: float) -> list[np.ndarray[Any, Any]]:
    """The five pictures before a moment and the five from it on, small and grey."""
    before, after = deque[av.VideoFrame](maxlen=AROUND), list[av.VideoFrame]()
    with av.open(str(file)) as container:
        for frame in container.decode(video=0):
            if (frame.time or 0.0) < moment - CUT_TOLERANCE_S:
                before.append(frame)
            else:
                after.append(frame)
            if len(after) == AROUND:
                break
    return [one.reformat(80, 60, "gray").to_ndarray().astype(int) for one in (*before, *after)]


def assert_same_pictures(one: Path, other: Path, plan: Plan) -> None:
    """Around every cut, pictures are more like those of their own moments than like those before or
    after them.
    """
    for cut in (chunk.start.moment for chunk in plan.chunks if chunk.start is not None):
        first, second = pictures_around(one, cut), pictures_around(other, cut)
        assert len(first) == len(second) == 2 * AROUND
        # Together: single pictures of few bits are all rather unlike.
        unlike = [
            sum(
                np.abs(second[number] - first[number + step]).mean()
                for number in range(1, 2 * AROUND - 1)
            )
            for step in (-1, 0, 1)
        ]
        assert unlike[1] <= min(unlike)
        assert unlike[1] < max(unlike)


def pictures_for_the_cover(folder: Path) -> list[bytes]:
    return [one.read_bytes() for one in sorted(folder.rglob("cover*.bmp"))]


def test_chunks_together_are_the_whole(source: Path, tmp_path: Path) -> None:
    whole = make(source, tmp_path / "whole", None)
    shares: list[float] = []
    parts = make(source, tmp_path / "parts", tmp_path / "kept", shares)
    assert len(parts.plan.chunks) >= 2
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(min(2, len(parts.plan.rungs)))
    for rung in whole.plan.rungs:
        one, other = whole.files.work / rung_file(rung), parts.files.work / rung_file(rung)
        assert times_of(one, "video") == times_of(other, "video")
        sounds = [[moment for moment, *_ in times_of(file, "audio")] for file in (one, other)]
        assert sounds[0] == pytest.approx(
            sounds[1], abs=1
        )  # a tick is 1/48000 s: the run of all rounds to 1/90000
        assert_same_pictures(one, other, parts.plan)
        # Segments are cut alike; only their bytes differ.
        playlists = [
            (published_of(made) / rung.name / "index.m3u8").read_text() for made in (whole, parts)
        ]
        targets = [
            [line for line in text.splitlines() if line.startswith("#EXT-X-TARGETDURATION:")]
            for text in playlists
        ]
        assert targets[0] == targets[1]
        assert len(targets[0]) == 1
        durations = [read_playlist(text).durations for text in playlists]
        assert durations[0] == durations[1]
    # Those that the cover is chosen from are the same to the last bit.
    assert (
        pictures_for_the_cover(tmp_path / "kept") == pictures_for_the_cover(whole.files.work) != []
    )
    master = published_of(parts) / ("v2.m3u8" if len(parts.plan.rungs) > 1 else "v1.m3u8")
    assert faults_of(master, (parts.plan.probe.video.width, parts.plan.probe.video.height)) == []
    kept = {path.name for path in (tmp_path / "kept" / "low").iterdir()}
    assert kept == {chunk.name for chunk in parts.plan.chunks} | (
        {"sound"} if parts.plan.probe.audio_index is not None else set()
    )


def test_finished_chunks_are_not_made_again(
    film_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = make(film_clip, tmp_path / "undisturbed", tmp_path / "kept")
    shutil.rmtree(tmp_path / "kept" / "low" / "c0002")
    (tmp_path / "kept" / "rest" / "c0003").rename(
        tmp_path / "kept" / "rest" / "c0003.tmp"
    )  # was being made
    begun: list[str] = []
    run = ffmpeg.run

    def noted(job: Any, report: Any = None) -> Any:
        begun.append(str(job.folder.relative_to(tmp_path)).partition(".")[0])
        return run(job, report)

    monkeypatch.setattr(planned_run, "run", noted)
    again = make(film_clip, tmp_path / "again", tmp_path / "kept")
    assert begun == ["kept/low/c0002", "kept/rest/c0003"]
    assert not list((tmp_path / "kept").glob("*/c0003.*"))
    for rung in again.plan.rungs:
        assert (again.files.work / rung_file(rung)).read_bytes() == (
            undisturbed.files.work / rung_file(rung)
        ).read_bytes()


def test_a_film_whose_chunks_do_not_fit_is_made_in_one_piece(
    film_clip: Path, tmp_path: Path
) -> None:
    whole = make(film_clip, tmp_path / "whole", None)
    kept = tmp_path / "kept"
    (kept / "low" / "c0001").mkdir(parents=True)
    # It goes further than to where the second chunk begins.
    low = rung_file(whole.plan.rungs[0])
    shutil.copy(whole.files.work / low, kept / "low" / "c0001")
    made = make(film_clip, tmp_path / "made", kept)
    assert [path.name for path in kept.iterdir()] == ["one-piece"]
    for rung in whole.plan.rungs:
        assert (made.files.work / rung_file(rung)).read_bytes() == (
            whole.files.work / rung_file(rung)
        ).read_bytes()
