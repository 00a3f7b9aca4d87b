"""A short film whose own stream is kept: visible with it at once, and taken back where the rest
shows it is damaged.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.playback.tables import asset
from liuying.features.search.queries.matches import ordered_ids
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, changes_after
from liuying.kit.database import Database
from liuying.kit.object_store import ObjectStore
from liuying.media import production
from liuying.media.errors import (
    DamagedError,
    DiskFullError,
    MediaError,
    TranscoderError,
    UndecodableError,
)
from liuying.media.plan import Plan, make_plan
from liuying.media.probe import probe
from liuying.media.production import Production
from liuying.workflows.import_progress import Stage
from liuying.workflows.import_result import ImportResult, Outcome
from liuying.workflows.import_video import import_file
from liuying.workflows.leftovers import tidy
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST, h264, make_clip, picture, steady, tone
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
                self.newest = changes_after(connection, 0).newest


def listed(services: Services) -> list[str]:
    with services.database.read() as connection:
        return list(
            connection.execute(sa.select(video.c.playlist).where(video.c.is_listed)).scalars()
        )


def run(services: Services, clip: Path, seen: Seen | None = None) -> ImportResult:
    return import_file(services, clip, META, seen or Seen(services), settings=FAST)


def state_of(services: Services) -> tuple[str, str]:
    with services.database.read() as connection:
        return tuple(connection.execute(sa.select(asset.c.state, asset.c.cause)).one())


def test_its_own_stream_is_visible_before_anything_is_encoded(
    services: Services, fitting_clip: Path
) -> None:
    found, asked = [], []

    def watch(stage: Stage, share: float) -> None:
        if (stage, share) == (Stage.LADDER, 0.0):
            [playlist] = listed(services)
            found.append(play(file_of(services, playlist)))

    def is_rest_left() -> bool:
        asked.append(listed(services))
        return True

    result = import_file(
        services, fitting_clip, META, watch, settings=FAST, is_rest_left=is_rest_left
    )
    # Who keeps the job is told that there is something to see; the rest is made in any case.
    assert [len(one) for one in asked] == [1]
    assert result.outcome is Outcome.IMPORTED
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
        places = [
            one.pos
            for one in container.demux(video=0)
            if one.pos is not None and not one.is_keyframe
        ]
    for place in places:  # their units claim absurd sizes
        content[place] = 0xFF
    clip, seen = tmp_path / "damaged.mp4", Seen(services)
    clip.write_bytes(content)
    assert make_plan(probe(clip), FAST).is_source_first
    with pytest.raises(DamagedError):
        run(services, clip, seen)
    assert (seen.playlists, visible_files(services)) == ([], [])


@pytest.mark.parametrize("error", [DamagedError(), UndecodableError("h264")])
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
        assert changes_after(connection, seen.newest).topics >= {
            CacheTopic.CATALOGUE,
            CacheTopic.SEARCH,
        }
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


@pytest.mark.parametrize(
    "error",
    [
        DiskFullError(),
        TranscoderError("Killed", is_killed=True),
        TranscoderError("Cannot allocate memory"),
        KeyboardInterrupt(),
    ],
)
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


def test_one_damaged_picture_is_little_of_a_film(
    services: Services, fitting_clip: Path, tmp_path: Path
) -> None:
    """Although only two key frames are decoded beside it."""
    content = bytearray(fitting_clip.read_bytes())
    with av.open(str(fitting_clip)) as container:
        places = [
            one.pos
            for one in container.demux(video=0)
            if one.pos is not None and not one.is_keyframe
        ]
    content[places[10]] = 0xFF
    clip = tmp_path / "scratched.mp4"
    clip.write_bytes(content)
    result = run(services, clip)
    assert row_of(services, result.video_id).state == "complete"


def test_a_film_whose_only_key_frame_is_not_shown_is_not_kept_as_it_is(
    services: Services, tmp_path: Path
) -> None:
    """Cut without encoding, behind the only key frame: an edit list hides it, and a playlist would
    not.
    """
    whole = make_clip(
        tmp_path / "whole.mp4", *picture("720x1280", 2), *tone(2), *h264(500), *steady(2000)
    )
    clip = make_clip(tmp_path / "cut.mp4", "-ss", "0.2", "-i", str(whole), "-c", "copy")
    plan = make_plan(probe(clip), FAST)
    assert not plan.rungs[-1].is_copied
    result = run(services, clip)
    row = row_of(services, result.video_id)
    assert (row.state, row.cover["width"]) == ("complete", 720)
    assert row.duration == pytest.approx(1800, abs=50)


def test_pictures_that_begin_after_the_sound_are_shown_from_its_beginning_in_every_rung(
    services: Services, tmp_path: Path
) -> None:
    """In a transport stream, whose clock ffmpeg lets begin with what it reads."""
    late = ["-itsoffset", "0.8", *picture("720x1280", 3)]
    clip = make_clip(tmp_path / "late.ts", *late, *tone(4), *h264(25), *steady(1500))
    result = run(services, clip)
    begins = [first_picture(services, one.path) for one in renditions_of(services, result.key)]
    assert begins == pytest.approx([0.0] * len(begins), abs=0.05)
    assert len(begins) == 3


def first_picture(services: Services, path: str) -> float:
    """When a rendition's first picture is shown, in seconds of its sound's clock."""
    begins: dict[str, float] = {}
    with av.open(str(file_of(services, path))) as container:
        for packet in container.demux():
            if packet.pts is not None:
                moment = float(packet.pts * packet.time_base)
                begins[packet.stream.type] = min(moment, begins.get(packet.stream.type, moment))
    return begins["video"] - max(0.0, begins["audio"])


@pytest.mark.parametrize("label", ["360P", "720P"])
def test_what_another_version_began_is_continued(
    services: Services, fitting_clip: Path, monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    """Whichever rung it published first."""
    is_source_first = label == "720P"
    other = property(lambda _plan: is_source_first)
    monkeypatch.setattr(Plan, "is_source_first", other)
    monkeypatch.setattr(Production, "make_rest", _full)
    with pytest.raises(DiskFullError):
        run(services, fitting_clip)
    monkeypatch.undo()
    monkeypatch.setattr(Plan, "is_source_first", property(lambda _plan: not is_source_first))
    result = run(services, fitting_clip)
    assert result.outcome is Outcome.CONTINUED
    assert [one.label for one in renditions_of(services, result.key)] == ["360P", "540P", "720P"]
    playlist = file_of(services, row_of(services, result.video_id).playlist).read_text()
    assert all(f"{name}/index.m3u8" in playlist for name in (360, 540, 720))


def _full(*_arguments: object) -> object:
    raise DiskFullError


def test_what_an_earlier_import_published_is_not_taken_back(
    services: Services, fitting_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Visitors may know it, and the operator may have changed it."""
    monkeypatch.setattr(Production, "make_rest", _full)
    with pytest.raises(DiskFullError):
        run(services, fitting_clip)

    def fail(*_arguments: object) -> object:
        raise DamagedError

    monkeypatch.setattr(Production, "make_rest", fail)
    with pytest.raises(DamagedError):
        run(services, fitting_clip)
    assert len(listed(services)) == 1
    assert state_of(services) == ("low", DamagedError().message)


def test_files_go_after_the_rows_that_led_to_them(
    services: Services, fitting_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> object:
        raise DamagedError

    found: list[list[str]] = []
    monkeypatch.setattr(Production, "make_rest", fail)

    def noted(database: Database, objects: ObjectStore, key: str) -> None:
        found.append(listed(services))
        tidy(database, objects, key)

    monkeypatch.setattr("liuying.workflows.import_video.tidy", noted)
    with pytest.raises(DamagedError):
        run(services, fitting_clip)
    assert found == [[], []]
    assert visible_files(services) == []
