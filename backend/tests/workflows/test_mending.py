"""Videos of earlier versions, whose picture and sound do not end together, are found and mended."""

from __future__ import annotations

from pathlib import Path

import m3u8  # type: ignore[import-untyped]  # the package ships no types
import pytest

from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError, NotFoundError
from liuying.media import transcode
from liuying.media.timing import PacketLog, Timing
from liuying.workflows.doctor.files import examine_lengths
from liuying.workflows.import_result import ImportResult
from liuying.workflows.import_video import import_file
from liuying.workflows.mending import find_uneven, mend_video
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST
from tests.media.hls_validator import faults_of, track_spans
from tests.workflows.odd_clips import ODD_CLIPS
from tests.workflows.published import (
    file_of,
    play,
    renditions_of,
    row_of,
    visible_files,
)

UNEVEN = {
    "sound_ends_early.mp4": 6.0,
    "sound_goes_on_kept.mp4": 6.0,
    "sound_goes_on.mp4": 6.0,
    "picture_comes_late.mp4": 6.0,
}


@pytest.fixture
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Imports as earlier versions made them: sound as long as it is, pictures as well."""
    now = transcode._sound

    def unpadded(*arguments: object) -> list[str]:
        made = now(*arguments)  # type: ignore[arg-type]  # handed on
        kept = [one for one in made[-1].split(",") if not one.startswith(("apad", "atrim"))]
        return [*made[:-1], ",".join(kept)]

    def alone(_log: PacketLog, timing: Timing) -> Timing:
        return timing

    monkeypatch.setattr(transcode, "_sound", unpadded)
    monkeypatch.setattr(PacketLog, "with_sound", alone)


def imported(services: Services, tmp_path: Path, name: str, category: int = 1) -> ImportResult:
    meta = VideoMeta(category=72 if category == 72 else "旅行")
    return import_file(services, ODD_CLIPS[name](tmp_path / name), meta, settings=FAST)


@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize("name", sorted(UNEVEN))
def test_it_is_found_and_mended(services: Services, tmp_path: Path, name: str) -> None:
    result = imported(services, tmp_path, name)
    before = row_of(services, result.video_id)
    pictures = play(file_of(services, before.playlist)).pictures
    with services.database.read() as connection:
        assert [one.video_id for one in find_uneven(connection, services.objects)] == [
            result.video_id
        ]
        (finding,) = examine_lengths(connection, services.objects)
    assert finding.topic == "media-uneven"
    assert before.title in finding.sentence
    shares: list[float] = []
    assert mend_video(services, result.video_id, shares.append)
    assert shares == sorted(shares)
    row = row_of(services, result.video_id)
    assert row.playlist != before.playlist
    assert row.duration / 1000 == pytest.approx(UNEVEN[name], abs=0.05)
    master = file_of(services, row.playlist)
    assert faults_of(master) == []
    assert play(master).pictures == pictures  # none is encoded again, none is lost
    for one in renditions_of(services, result.key):
        playlist = file_of(services, one.path)
        spans = track_spans(playlist)
        assert spans["video"] == pytest.approx((0.0, UNEVEN[name]), abs=0.05)
        assert spans["audio"] == pytest.approx((0.0, UNEVEN[name]), abs=0.05)
        said = sum(segment.duration for segment in m3u8.load(str(playlist)).segments)
        assert said == pytest.approx(row.duration / 1000, abs=0.05)
    # Nothing of the old ones is left, and nothing is left to do.
    kept = {Path(name).parts[2] for name in visible_files(services)}
    assert not any(Path(before.playlist).name == one or one == "360" for one in kept)
    assert not mend_video(services, result.video_id)
    with services.database.read() as connection:
        assert list(examine_lengths(connection, services.objects)) == []


@pytest.mark.usefixtures("as_before")
def test_the_file_of_the_short_feed_is_mended_too(services: Services, tmp_path: Path) -> None:
    result = imported(services, tmp_path, "sound_ends_early.mp4", category=72)
    before = row_of(services, result.video_id).progressive
    assert mend_video(services, result.video_id)
    after = row_of(services, result.video_id).progressive
    assert after != before
    assert not file_of(services, before).exists()
    assert play(file_of(services, after)).pictures == 150


def test_what_is_even_stays_as_it_is(services: Services, tmp_path: Path) -> None:
    result = imported(services, tmp_path, "plain_540p.mp4")
    before = visible_files(services)
    assert not mend_video(services, result.video_id)
    assert visible_files(services) == before


def test_what_is_not_there_or_not_whole_is_refused(services: Services, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        mend_video(services, 99)
    source = ODD_CLIPS["plain_540p.mp4"](tmp_path / "begun.mp4")
    begun = import_file(services, source, VideoMeta(), settings=FAST, is_rest_left=lambda: True)
    with pytest.raises(InvalidInputError):
        mend_video(services, begun.video_id)
