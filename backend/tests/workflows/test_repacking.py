"""Repacking published videos: nothing changes for players, and a kill at any moment leaves one of
both layouts whole.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from liuying.core.playback.queries.layouts import count_segmented
from liuying.core.playback.queries.playable import audio_track_rows
from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError, LiuyingError, NotFoundError
from liuying.media.repacking import repack
from liuying.workflows import repacking
from liuying.workflows.doctor.files import examine_files, examine_layouts
from liuying.workflows.import_result import ImportResult
from liuying.workflows.import_video import import_file
from liuying.workflows.protection import move_to_category
from liuying.workflows.purging import purge_video
from liuying.workflows.removal import remove_videos, restore_videos
from liuying.workflows.repacking import (
    KEPT_MS,
    Repacked,
    next_folder,
    remove_superseded,
    repack_video,
    segmented_videos,
)
from liuying.workflows.taking_down import begin_take_down, finish_take_down
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST, h264, make_clip, picture, sine
from tests.media.hls_validator import faults_of
from tests.workflows.published import (
    as_versions_before,
    file_of,
    play,
    renditions_of,
    row_of,
    visible_files,
)

# Kills itself at a step: right before or after what it names.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from liuying.installation.services import open_services
from liuying.installation.settings import Settings
from liuying.kit.folder_store import FolderStore
from liuying.media.repacking import repack
from liuying.workflows import repacking

data, video, number, when = sys.argv[1:]
left = [int(number)]

def counted(owner, name):
    original = getattr(owner, name)
    def step(*arguments, **named):
        left[0] -= 1
        if left[0] == 0 and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = original(*arguments, **named)
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    setattr(owner, name, step)

for name in ("put_folder", "put_if_absent", "delete_prefix", "delete"):
    counted(FolderStore, name)
counted(repacking._Repacking, "_write")
counted(repacking, "repack")
services = open_services(Settings(data_dir=Path(data)))
repacking.repack_video(services, int(video))
repacking.remove_superseded(services, services.clock() + 2 * repacking.KEPT_MS)
"""
# Of a video of three renditions: each is written, its place is emptied, it is published; then the
# master playlist and the rows; then what was superseded goes.
STEPS = 3 * 3 + 2 + 1 + 3 + 1


@pytest.fixture(scope="session")
def store() -> str:
    """The files are looked at; `test_another_store.py` repacks in a bucket."""
    return "folder"


@pytest.fixture
def engine() -> str:
    """Of the data folder, which is all that the killed program is told."""
    return "sqlite"


def run(services: Services, clip: Path) -> ImportResult:
    return import_file(services, clip, VideoMeta(title="一", category=72), settings=FAST)


def later(services: Services) -> int:
    return services.clock() + KEPT_MS + 1


def test_players_see_no_difference(services: Services, tall_clip: Path) -> None:
    result = run(services, tall_clip)
    before = row_of(services, result.video_id)
    rungs = [(one.label, one.bandwidth) for one in renditions_of(services, result.key)]
    as_versions_before(services, result.key)
    assert segmented_videos(services.database) == [result.video_id]
    with services.database.read() as connection:
        (finding,) = examine_layouts(connection)
    assert "1 个视频" in finding.sentence
    old = set(visible_files(services))
    shares: list[float] = []
    found = repack_video(services, result.video_id, shares.append)
    cut = [name for name in old if name.endswith((".m4s", "init.mp4"))]
    assert found == Repacked(before=len(cut), after=3)
    assert shares == sorted(shares)
    row = row_of(services, result.video_id)
    assert row.playlist != before.playlist
    assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == []
    assert play(file_of(services, row.playlist)).pictures == 50
    assert [(one.label, one.bandwidth) for one in renditions_of(services, result.key)] == rungs
    # Whoever plays by the old playlists goes on.
    assert old <= set(visible_files(services))
    assert remove_superseded(services, services.clock() + KEPT_MS) == 0
    assert remove_superseded(services, later(services)) == 1
    assert {name.split("/")[2] for name in visible_files(services)} == {
        *("360-2", "540-2", "720-2", "v2-2.m3u8", "play.mp4"),
    }
    assert not any(name.endswith(".m4s") for name in visible_files(services))
    assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == []
    with services.database.read() as connection:
        assert list(examine_files(connection, services.objects, is_quick=False)) == []
        assert list(examine_layouts(connection)) == []
    assert repack_video(services, result.video_id) is None
    assert remove_superseded(services, later(services)) == 0


def test_tracks_move_with_what_names_them(services: Services, tmp_path: Path) -> None:
    clip = make_clip(
        tmp_path / "dubbed.mkv",
        *picture("360x640", 2.2),
        *sine(440, 2.2),
        *sine(880, 2.2),
        *("-map", "0", "-map", "1", "-map", "2", *h264()),
    )
    result = run(services, clip)
    as_versions_before(services, result.key)
    found = repack_video(services, result.video_id)
    assert found is not None
    assert found.after == len(renditions_of(services, result.key)) + 2
    remove_superseded(services, later(services))
    row = row_of(services, result.video_id)
    assert faults_of(file_of(services, row.playlist)) == []
    for one in renditions_of(services, result.key):
        assert faults_of(file_of(services, one.path)) == []
        assert (play(file_of(services, one.path)).loudness or 0) > 0.05
    with services.database.read() as connection:
        folders = [Path(one.path).parent.name for one in audio_track_rows(connection, result.key)]
    assert folders == ["sound-1-2", "sound-2-2"]


def test_what_is_new_is_left_alone(services: Services, tall_clip: Path) -> None:
    result = run(services, tall_clip)
    with services.database.read() as connection:
        assert count_segmented(connection) == 0
    before = visible_files(services)
    assert repack_video(services, result.video_id) is None
    assert visible_files(services) == before


def test_what_cannot_be_read_stays_as_it_is(services: Services, tall_clip: Path) -> None:
    result = run(services, tall_clip)
    as_versions_before(services, result.key)
    row = row_of(services, result.video_id)
    segment = file_of(services, renditions_of(services, result.key)[-1].path).parent / "s00002.m4s"
    kept = segment.read_bytes()
    for content in (None, kept[:-1]):
        segment.unlink() if content is None else segment.write_bytes(content)
        with pytest.raises(InvalidInputError, match="无法读取"):
            repack_video(services, result.video_id)
        assert row_of(services, result.video_id).playlist == row.playlist
    segment.write_bytes(kept)
    assert repack_video(services, result.video_id) is not None
    with pytest.raises(NotFoundError):
        repack_video(services, 987_654)


def test_locked_and_removed_ones(services: Services, tall_clip: Path) -> None:
    result = run(services, tall_clip)
    move_to_category(services, result.video_id, 73)
    as_versions_before(services, result.key)
    remove_videos(services, [result.video_id])
    assert segmented_videos(services.database) == []
    with pytest.raises(InvalidInputError, match="回收站"):
        repack_video(services, result.video_id)
    restore_videos(services, [result.video_id])
    assert repack_video(services, result.video_id) is not None
    # In the bin it waits.
    remove_videos(services, [result.video_id])
    assert remove_superseded(services, later(services)) == 0
    restore_videos(services, [result.video_id])
    assert remove_superseded(services, later(services)) == 1
    names = visible_files(services)
    assert {name.split("/")[0] for name in names} == {"protected"}
    row = row_of(services, result.video_id)
    assert faults_of(file_of(services, row.playlist, is_protected=True)) == []


@pytest.mark.parametrize("is_early", [False, True])
@pytest.mark.parametrize("is_purged", [False, True])
def test_one_that_goes_meanwhile_leaves_nothing_to_be_read(
    services: Services,
    tall_clip: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_purged: bool,
    is_early: bool,
) -> None:
    """Before its files are read, or before new ones are stored."""
    result = run(services, tall_clip)
    as_versions_before(services, result.key)
    packed, seen = repack, []

    def go() -> None:
        if is_purged:
            purge_video(services, result.video_id)
        else:
            begin_take_down(services, result.video_id, "版权投诉")
        seen.append(visible_files(services))

    def overtaken(*arguments: Any) -> Any:
        if is_early and not seen:
            go()
        made = packed(*arguments)
        if not seen:
            go()
        return made

    monkeypatch.setattr(repacking, "repack", overtaken)
    with suppress(LiuyingError):
        repack_video(services, result.video_id)
    is_split = services.objects.media.is_split
    assert len(seen) == 1
    for names in (*seen, visible_files(services)):
        assert not is_split or {name.split("/")[0] for name in names} <= {"removed"}
    finish_take_down(services, result.video_id)
    assert visible_files(services) == []


@pytest.mark.parametrize("when", ["before", "after"])
def test_killed(services: Services, tall_clip: Path, when: str) -> None:
    """At every step, one after the other, on one installation; then it is repeated."""
    result = run(services, tall_clip)
    as_versions_before(services, result.key)
    old = row_of(services, result.video_id).playlist
    kills = 0
    for step in range(1, STEPS + 1):
        arguments = [str(services.data_dir), str(result.video_id), str(step), when]
        command = [sys.executable, "-c", SCRIPT, *arguments]
        ended = subprocess.run(command, timeout=120, check=False).returncode
        assert ended in {0, -9}
        kills += ended == -9
        row = row_of(services, result.video_id)
        assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == [], step
        if row.playlist != old:  # From here on only what was superseded is left.
            break
    assert kills >= STEPS - 5
    command = [
        sys.executable,
        "-c",
        SCRIPT,
        str(services.data_dir),
        str(result.video_id),
        "0",
        when,
    ]
    assert subprocess.run(command, timeout=120, check=False).returncode == 0
    assert {name.split("/")[2] for name in visible_files(services)} == {
        *("360-2", "540-2", "720-2", "v2-2.m3u8", "play.mp4"),
    }
    assert [path.name for path in services.layout.jobs.iterdir()] == [".gate"]
    assert segmented_videos(services.database) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [("360", "360-2"), ("360-2", "360-3"), ("sound-1", "sound-1-2"), ("sound-2-9", "sound-2-10")],
)
def test_versions(name: str, expected: str) -> None:
    assert next_folder(name) == expected
