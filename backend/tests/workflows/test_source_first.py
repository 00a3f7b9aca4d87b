"""A short film whose own stream is kept: visible with it at once, and taken back where the rest shows it is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import pytest
import sqlalchemy as sa

from liuying.domains.catalogue.tables import video
from liuying.domains.playback.tables import asset
from liuying.domains.search.query import ordered_ids
from liuying.kit.changes import Topic, changes_after
from liuying.main.services import Services
from liuying.media import production
from liuying.media.errors import DamagedError, DiskFullError, MediaError, TranscoderError, UndecodableError
from liuying.media.plan import make_plan
from liuying.media.probe import probe
from liuying.media.production import Production
from liuying.workflows.import_progress import Stage
from liuying.workflows.import_video import ImportResult, Outcome, import_file
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST
from tests.workflows.published import file_of, play, renditions_of, row_of, visible_files

META = VideoMeta(title="短片")


class Seen:
    """What a visitor finds at the moment at which the rest is begun."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.playlists: list[str] = []
        self.newest = 0

    def __call__(self, stage: Stage, share: float) -> None:
        if (stage, share) == (Stage.LADDER, 0.0):
            self.playlists = listed(self.services)
            with self.services.database.read() as connection:
                self.newest = changes_after(connection, 0)[0]


def listed(services: Services) -> list[str]:
    with services.database.read() as connection:
        return list(connection.execute(sa.select(video.c.playlist).where(video.c.is_listed)).scalars())


def run(services: Services, clip: Path, seen: Seen | None = None) -> ImportResult:
    return import_file(services, clip, META, seen or Seen(services), settings=FAST)


def state_of(services: Services) -> tuple[str, str]:
    with services.database.read() as connection:
        return tuple(connection.execute(sa.select(asset.c.state, asset.c.cause)).one())


def test_its_own_stream_is_visible_before_anything_is_encoded(services: Services, fitting_clip: Path) -> None:
    found = []

    def watch(stage: Stage, share: float) -> None:
        if (stage, share) == (Stage.LADDER, 0.0):
            [playlist] = listed(services)
            found.append(play(file_of(services, playlist)))

    result = import_file(
        services, fitting_clip, META, watch, settings=FAST, is_rest_left=lambda: pytest.fail("the rest may not wait")
    )
    assert [(one.width, one.height, one.pictures, (one.loudness or 0) > 0.1) for one in found] == [
        (720, 1280, 50, True),
    ]
    row = row_of(services, result.video_id)
    assert (row.state, row.playlist) == ("complete", f"/media/{result.key}/v2.m3u8")
    assert row.cover["width"] == 720
    renditions = renditions_of(services, result.key)
    assert [one.label for one in renditions] == ["360P", "540P", "720P"]
    for one in renditions:
        played = play(file_of(services, one.path))
        assert (played.width, played.height, played.pictures) == (one.width, one.height, 50)
        assert (played.loudness or 0) > 0.1


def test_a_damaged_one_is_refused_although_only_key_frames_are_decoded(
    services: Services, fitting_clip: Path, tmp_path: Path
) -> None:
    content = bytearray(fitting_clip.read_bytes())
    with av.open(str(fitting_clip)) as container:
        places = [one.pos for one in container.demux(video=0) if one.pos is not None and not one.is_keyframe]
    for place in places:  # their units claim absurd sizes
        content[place] = 0xFF
    clip, seen = tmp_path / "damaged.mp4", Seen(services)
    clip.write_bytes(content)
    assert make_plan(probe(clip), FAST).is_source_first
    with pytest.raises(DamagedError):
        run(services, clip, seen)
    assert (seen.playlists, visible_files(services)) == ([], [])


@pytest.mark.parametrize(
    "error", [DamagedError(), UndecodableError("h264"), TranscoderError("Invalid data found when processing input")]
)
def test_what_the_rest_says_of_the_file_takes_it_back(
    services: Services, fitting_clip: Path, monkeypatch: pytest.MonkeyPatch, error: MediaError
) -> None:
    def fail(*_arguments: object) -> object:
        raise error

    monkeypatch.setattr(Production, "make_rest", fail)
    seen = Seen(services)
    with pytest.raises(type(error)):
        run(services, fitting_clip, seen)
    assert len(seen.playlists) == 1
    assert (listed(services), visible_files(services)) == ([], [])
    assert state_of(services) == ("failed", error.message)
    assert [path.name for path in (services.data_dir / "jobs").iterdir()] == [".gate"]
    with services.database.read() as connection:
        assert list(ordered_ids(connection, "短片")) == []
        # Other processes look again.
        assert changes_after(connection, seen.newest)[1] >= {Topic.CATALOGUE, Topic.SEARCH}
    monkeypatch.undo()
    assert run(services, fitting_clip).outcome is Outcome.IMPORTED


def test_a_rest_that_comes_out_short_takes_it_back(
    services: Services, fitting_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where decoding failed quietly."""
    make_rest = Production.make_rest

    def with_less(*arguments: Any) -> object:
        monkeypatch.setattr(production, "WHOLE_SHARE", 1.1)
        return make_rest(*arguments)

    monkeypatch.setattr(Production, "make_rest", with_less)
    with pytest.raises(DamagedError):
        run(services, fitting_clip)
    assert (listed(services), visible_files(services)) == ([], [])


@pytest.mark.parametrize("error", [DiskFullError(), TranscoderError("Killed", is_killed=True), KeyboardInterrupt()])
def test_what_says_nothing_of_the_file_leaves_it(
    services: Services, fitting_clip: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def fail(*_arguments: object) -> object:
        raise error

    monkeypatch.setattr(Production, "make_rest", fail)
    with pytest.raises(type(error)):
        run(services, fitting_clip)
    [playlist] = listed(services)
    assert play(file_of(services, playlist)).pictures == 50
    monkeypatch.undo()
    result = run(services, fitting_clip)
    assert result.outcome is Outcome.CONTINUED
    assert [one.label for one in renditions_of(services, result.key)] == ["360P", "540P", "720P"]
    assert state_of(services) == ("complete", "")
