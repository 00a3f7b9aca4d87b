"""Videos as versions before published them, a file for every segment: they stay what they are, and
everything that reads renditions reads them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from liuying.installation.services import Services
from liuying.media.errors import DamagedError
from liuying.media.production import Production
from liuying.workflows.doctor.files import examine_files, examine_lengths
from liuying.workflows.frames import frame_of
from liuying.workflows.import_result import ImportResult, Outcome
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST
from tests.media.hls_validator import faults_of
from tests.workflows.published import (
    as_versions_before,
    file_of,
    play,
    renditions_of,
    replace_file,
    row_of,
    visible_files,
)


def run(services: Services, clip: Path) -> ImportResult:
    return import_file(services, clip, VideoMeta(category=72), settings=FAST)


def test_they_play_and_are_whole(services: Services, tall_clip: Path) -> None:
    result = run(services, tall_clip)
    as_versions_before(services, result.key)
    row = row_of(services, result.video_id)
    assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == []
    assert play(file_of(services, row.playlist)).pictures == 50
    with services.database.read() as connection:
        assert list(examine_files(connection, services.objects, is_quick=False)) == []
        assert list(examine_lengths(connection, services.objects)) == []
    folder = renditions_of(services, result.key)[0].path.rpartition("/")[0]
    replace_file(services, f"{folder}/s00002.m4s", None)
    with services.database.read() as connection:
        (found,) = examine_files(connection, services.objects, is_quick=True)
    assert found.topic == "media-missing"


def test_a_picture_of_one_is_the_same(services: Services, tall_clip: Path) -> None:
    result = run(services, tall_clip)
    moments = (0.0, 0.5, 1.5, 60.0)

    def pictures() -> list[bytes]:
        return [
            frame_of(services.database, services.objects, result.video_id, moment).tobytes()
            for moment in moments
        ]

    before = pictures()
    assert len(set(before)) > 2
    as_versions_before(services, result.key)
    assert pictures() == before


def test_an_import_goes_on_from_one(
    services: Services, tall_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an import that a version before began: its first rendition stays, the others are new."""

    def fail(*_arguments: object) -> str:
        raise DamagedError

    with monkeypatch.context() as patched:
        patched.setattr(Production, "publish_rest", fail)
        with pytest.raises(DamagedError):
            run(services, tall_clip)
    (key,) = {name.split("/")[1] for name in visible_files(services)}
    as_versions_before(services, key)
    result = run(services, tall_clip)
    assert result.outcome is Outcome.CONTINUED
    row = row_of(services, result.video_id)
    assert faults_of(file_of(services, row.playlist), (720, 1280), 25) == []
    assert play(file_of(services, row.progressive)).pictures == 50
    with_segments = {
        Path(name).parent.name for name in visible_files(services) if name.endswith(".m4s")
    }
    assert with_segments == {"360"}
