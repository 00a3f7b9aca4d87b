"""Films with several audio tracks: pictures and sound are published apart, whatever happens."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import av
import msgspec
import numpy as np
import pytest

from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.playback.queries import assets, playable
from liuying.installation.services import Services
from liuying.media import planned_run
from liuying.media.errors import TranscoderError
from liuying.media.ffmpeg import Job, JobResult, Report
from liuying.media.probe import Probe, probe
from liuying.pages.player import play_info
from liuying.workflows import import_video
from liuying.workflows.doctor.files import examine_files, examine_lengths
from liuying.workflows.import_result import ImportResult, Outcome
from liuying.workflows.import_video import import_file
from liuying.workflows.leftovers import tidy
from liuying.workflows.mending import mend_video
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST, h264, make_clip, picture, sine, steady
from tests.media.hls_validator import faults_of, track_spans
from tests.workflows.published import (
    file_of,
    files_of,
    play,
    renditions_of,
    replace_file,
    row_of,
    run_out,
    visible_files,
)
from tests.workflows.test_killed_import import SCRIPT, STEPS

FOLDERS = {"360", "540", "720", "sound-1", "sound-2", "sound-3", "v1.m3u8", "v2.m3u8"}


def run(services: Services, source: Path, **meta: Any) -> ImportResult:
    return import_file(services, source, VideoMeta(title="一", **meta), settings=FAST)


def loudest(content: Path) -> float:
    """The frequency that is heard most, in hertz."""
    with av.open(str(content)) as container:
        rate = container.streams.audio[0].rate
        frames = [frame.to_ndarray()[0] for frame in container.decode(audio=0)]
    samples = np.concatenate(frames)[:rate]
    return float(np.argmax(np.abs(np.fft.rfft(samples))) * rate / len(samples))


def heard(services: Services, key: str) -> list[float]:
    """Of each published audio track, its tone."""
    found = []
    with services.database.read() as connection:
        rows = playable.audio_track_rows(connection, key)
    for row in rows:
        (whole,) = file_of(services, row.path).parent.glob("*.mp4")
        found.append(loudest(whole))
    return found


def test_all_are_published_beside_the_pictures(
    services: Services, dubbed_clip: Path, tmp_path: Path
) -> None:
    result = run(services, dubbed_clip)
    assert {name.split("/")[2] for name in visible_files(services)} == FOLDERS
    assert heard(services, result.key) == pytest.approx([440, 880, 1320], abs=5)
    row = row_of(services, result.video_id)
    assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == []
    for one in renditions_of(services, result.key):
        assert one.codecs.endswith(",mp4a.40.2")
        # A player that is given one rendition hears the default.
        assert faults_of(file_of(services, one.path)) == []
        assert (play(file_of(services, one.path)).loudness or 0) > 0.05


def test_a_player_is_told_of_them(services: Services, dubbed_clip: Path) -> None:
    result = run(services, dubbed_clip)
    with services.database.read() as connection:
        info = play_info(connection, SortIndex(services.database, services.hashes), result.video_id)
    assert [(one.lang, one.label, one.is_default) for one in info.audio_tracks] == [
        ("zh", "国语", False),
        ("yue", "粤语", False),
        ("ja", "日语原声", True),
    ]
    assert info.audio_tracks[1].url == f"/media/{result.key}/sound-2/index.m3u8"
    assert [one.url.rpartition("/")[2] for one in info.sources] == ["v2.m3u8", *["master.m3u8"] * 3]


def test_each_lasts_as_long_as_the_picture(services: Services, dubbed_clip: Path) -> None:
    result = run(services, dubbed_clip)
    pictures = renditions_of(services, result.key)[0].path.rpartition("/")[0] + "/index.m3u8"
    end = track_spans(file_of(services, pictures))["video"][1]
    with services.database.read() as connection:
        for row in playable.audio_track_rows(connection, result.key):
            assert track_spans(file_of(services, row.path))["audio"][1] == pytest.approx(
                end, abs=0.03
            )


def test_a_copied_stream_has_them_too(services: Services, tmp_path: Path) -> None:
    """Of a short film whose own stream goes first; its first second of sound is missing."""
    clip = make_clip(
        tmp_path / "copied.mp4",
        *picture("720x1280", 3),
        *("-itsoffset", "1", *sine(440, 2), *sine(880, 3)),
        *("-map", "0", "-map", "1", "-map", "2", *h264(25), *steady(2500)),
    )
    result = run(services, clip)
    row = row_of(services, result.video_id)
    assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == []
    assert heard(services, result.key)[1] == pytest.approx(880, abs=5)


def test_a_short_has_the_default_in_its_file(services: Services, dubbed_clip: Path) -> None:
    result = run(services, dubbed_clip, category=72)
    file = file_of(services, row_of(services, result.video_id).progressive)
    assert loudest(file) == pytest.approx(1320, abs=5)
    assert play(file).pictures == 50


def test_a_film_with_one_track_is_published_as_ever(services: Services, tall_clip: Path) -> None:
    result = run(services, tall_clip)
    assert {name.split("/")[2] for name in visible_files(services)} == {
        *("360", "540", "720", "v1.m3u8", "v2.m3u8")
    }
    row = row_of(services, result.video_id)
    assert "EXT-X-MEDIA" not in file_of(services, row.playlist).read_text(encoding="utf-8")
    assert {one.path.rpartition("/")[2] for one in renditions_of(services, result.key)} == {
        "index.m3u8"
    }
    with services.database.read() as connection:
        assert (
            play_info(
                connection, SortIndex(services.database, services.hashes), result.video_id
            ).audio_tracks
            == []
        )


@pytest.mark.parametrize(
    ("module", "owner", "step", "when"), STEPS, ids=[f"{step[3]}-{step[2]}" for step in STEPS]
)
def test_a_kill_leaves_nothing_half(
    services: Services, dubbed_clip: Path, module: str, owner: str, step: str, when: str
) -> None:
    arguments = [str(services.data_dir), str(dubbed_clip), module, owner, step, when]
    killed = subprocess.run([sys.executable, "-c", SCRIPT, *arguments], timeout=60, check=False)
    assert killed.returncode == -9
    run_out(services)
    result = run(services, dubbed_clip)
    row = row_of(services, result.video_id)
    assert row.state == "complete"
    assert {name.split("/")[2] for name in visible_files(services)} == FOLDERS
    assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == []
    with services.database.read() as connection:
        assert assets.audio_track_numbers(connection, result.key) == [1, 2, 3]
    tidy(services.database, services.objects, result.key)
    assert {name.split("/")[2] for name in visible_files(services)} == FOLDERS


def test_what_an_older_version_began_is_finished_as_begun(
    services: Services, dubbed_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first rendition contains the sound, so the others do too."""

    def as_it_was(source: Path) -> Probe:
        return msgspec.structs.replace(probe(source), audio_tracks=())

    with monkeypatch.context() as older:
        older.setattr(import_video, "probe", as_it_was)
        begun = import_file(
            services,
            dubbed_clip,
            VideoMeta(title="一"),
            settings=FAST,
            is_rest_left=lambda: True,
        )
    assert begun.outcome is Outcome.BEGUN
    result = run(services, dubbed_clip)
    assert result.outcome is Outcome.CONTINUED
    row = row_of(services, result.video_id)
    assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == []
    assert not any("sound-" in name for name in visible_files(services))


def fail_at(monkeypatch: pytest.MonkeyPatch, name: str, error: TranscoderError) -> None:
    original = planned_run.run  # type: ignore[attr-defined]  # what it imported

    def failing(job: Job, report: Report | None = None) -> JobResult:
        if f"file:{name}" in job.arguments:
            raise error
        result: JobResult = original(job, report)
        return result

    monkeypatch.setattr(planned_run, "run", failing)


def test_one_that_cannot_be_decoded_is_left_out_and_named(
    services: Services, dubbed_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_at(monkeypatch, "sound-2.mp4", TranscoderError("Invalid data"))
    result = run(services, dubbed_clip)
    assert result.warning == "音轨无法解码，没有收：粤语"
    with services.database.read() as connection:
        assert assets.audio_track_labels(connection, result.key) == ["国语", "日语原声"]
    row = row_of(services, result.video_id)
    assert row.cause == result.warning
    assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == []


@pytest.mark.parametrize(("name", "is_killed"), [("sound-3.mp4", False), ("sound-1.mp4", True)])
def test_the_default_and_a_killed_transcoder_end_the_import(
    services: Services,
    dubbed_clip: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    is_killed: bool,
) -> None:
    fail_at(monkeypatch, name, TranscoderError("no", is_killed=is_killed))
    with pytest.raises(TranscoderError):
        run(services, dubbed_clip)
    assert visible_files(services) == []


def test_more_than_are_kept_are_counted(services: Services, tmp_path: Path) -> None:
    sounds = [part for hertz in range(300, 1200, 100) for part in sine(hertz, 0.6)]
    maps = [part for number in range(10) for part in ("-map", str(number))]
    clip = make_clip(tmp_path / "nine.mkv", *picture(seconds=0.6), *sounds, *maps, *h264())
    assert run(services, clip).warning == "文件有 9 条音轨，只收前 8 条"


def test_doctor_misses_a_part_of_a_track(services: Services, dubbed_clip: Path) -> None:
    result = run(services, dubbed_clip)
    with services.database.read() as connection:
        assert list(examine_files(connection, services.objects, is_quick=False)) == []
        assert list(examine_lengths(connection, services.objects)) == []
    for folder in ("sound-2", "540"):
        ((name, kept),) = (
            (name, content)
            for name, content in files_of(services, result.key).items()
            if name.startswith(f"{folder}/") and name.endswith(".mp4")
        )
        path = f"/media/{result.key}/{name}"
        for left, topic in ((None, "media-missing"), (kept[:-1], "media-truncated")):
            replace_file(services, path, left)
            with services.database.read() as connection:
                found = list(examine_files(connection, services.objects, is_quick=True))
            assert [one.topic for one in found] == [topic], name
        replace_file(services, path, kept)
    assert mend_video(services, result.video_id) is False


def test_a_long_film_keeps_its_tracks_with_its_chunks(services: Services, tmp_path: Path) -> None:
    """Made in chunks, stopped behind the first rendition, and continued."""
    clip = make_clip(
        tmp_path / "film.mkv",
        *picture("416x416", 61, "9"),
        *sine(440, 50),
        *sine(880, 61),
        *("-map", "0", "-map", "1", "-map", "2", *h264(88), "-bf", "2"),
    )
    begun = import_file(
        services, clip, VideoMeta(title="一"), settings=FAST, is_rest_left=lambda: True
    )
    assert begun.outcome is Outcome.BEGUN
    first = row_of(services, begun.video_id)
    assert faults_of(file_of(services, first.playlist), (416, 416), 9) == []
    shutil.rmtree(services.data_dir / "jobs", ignore_errors=True)
    result = run(services, clip)
    row = row_of(services, result.video_id)
    assert faults_of(file_of(services, row.playlist), (416, 416), 9) == []
    assert heard(services, result.key) == pytest.approx([440, 880], abs=5)
