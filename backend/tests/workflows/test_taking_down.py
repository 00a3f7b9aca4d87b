"""What was taken down is gone, and does not come back in another encoding."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import sqlalchemy as sa

from liuying.core.jobs.rules import Fault
from liuying.core.playback.tables import asset, tombstone
from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError
from liuying.kit.file_locks import lock_file
from liuying.kit.storage_layout import GATE_NAME
from liuying.media import sketching
from liuying.media.errors import TranscoderError
from liuying.workflows import taking_down
from liuying.workflows.import_video import import_file
from liuying.workflows.job_causes import cause_of
from liuying.workflows.job_folders import JobFolder, JobFolders
from liuying.workflows.purging import purge_video
from liuying.workflows.removal import restore_videos
from liuying.workflows.resemblance import ResemblesError
from liuying.workflows.taking_down import begin_take_down, finish_take_down, take_down
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST, h264, make_clip
from tests.workflows.published import visible_files

SECONDS = 16
# A picture that changes for as long as it lasts.
ZOOM = ("-f", "lavfi", "-t", str(SECONDS), "-i", "mandelbrot=s=320x180:r=25:end_scale=0.01")
OTHER = ("-f", "lavfi", "-t", str(SECONDS), "-i", "cellauto=s=320x180:r=25:rule=110:seed=3")


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return make_clip(tmp_path / "film.mp4", *ZOOM, *h264(900))


@pytest.fixture
def variant(tmp_path: Path) -> Path:
    """Mirrored, smaller, cut at its edges, and in another encoding."""
    filters = ("-vf", "hflip,crop=iw*0.9:ih*0.9,scale=256:144")
    return make_clip(tmp_path / "variant.mp4", *ZOOM, *filters, *h264(300))


def imported(services: Services, source: Path, *, accepts_match: bool = False) -> int:
    meta = VideoMeta(accepts_match=accepts_match)
    return import_file(services, source, meta, settings=FAST).video_id


def kept(services: Services) -> list[bytes | None]:
    with services.database.read() as connection:
        return list(connection.execute(sa.select(tombstone.c.fingerprint)).scalars())


def assets_left(services: Services) -> int:
    with services.database.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(asset)).scalar_one()


def test_another_encoding_is_held_and_told_where(
    services: Services, film: Path, variant: Path
) -> None:
    take_down(services, imported(services, film), "版权投诉")
    assert (visible_files(services), assets_left(services)) == ([], 0)
    with pytest.raises(ResemblesError) as held:
        imported(services, variant)
    assert "版权投诉" in held.value.message
    assert "本片 0:00–0:1" in held.value.message
    assert cause_of(held.value).fault is Fault.HELD
    assert visible_files(services) == []
    assert imported(services, variant, accepts_match=True)


def test_another_film_is_neither_held_nor_looked_at_closely(
    services: Services, film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_down(services, imported(services, film), "版权投诉")

    def look(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(sketching, "sketch_rendition", look)
    assert imported(services, make_clip(tmp_path / "other.mp4", *OTHER, *h264(900)))


def test_the_same_file_is_refused_as_before(services: Services, film: Path) -> None:
    take_down(services, imported(services, film), "版权投诉")
    with pytest.raises(InvalidInputError, match="此内容已被下架（版权投诉）"):
        imported(services, film, accepts_match=True)


def test_where_nothing_was_taken_down_nobody_looks(
    services: Services, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(sketching, "glance_at_rendition", look)
    monkeypatch.setattr(sketching, "sketch_rendition", look)
    assert imported(services, film)


def test_what_was_begun_is_finished_by_the_housekeeping(services: Services, film: Path) -> None:
    video_id = imported(services, film)
    begin_take_down(services, video_id, "版权投诉")
    assert kept(services) == [None]
    with pytest.raises(InvalidInputError, match="已被下架（版权投诉），不能恢复"):
        restore_videos(services, [video_id])
    Housekeeping(services).empty_bin()
    assert (visible_files(services), assets_left(services)) == ([], 0)
    assert [one is not None for one in kept(services)] == [True]
    finish_take_down(services, video_id)  # Whoever comes second finds nothing to do.


def test_while_its_folder_is_in_use_it_waits_in_the_bin(services: Services, film: Path) -> None:
    video_id = imported(services, film)
    with services.database.read() as connection:
        key = connection.execute(sa.select(asset.c.key)).scalar_one()
    with JobFolders(services.layout.jobs).begin(key):
        take_down(services, video_id, "版权投诉")
        with services.database.read() as connection:
            assert connection.execute(sa.select(asset.c.is_removed)).scalar_one()
    Housekeeping(services).empty_bin()
    assert assets_left(services) == 0


def test_two_processes_finish_it_at_once(
    services: Services, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of two machines, or of a command and the housekeeping."""
    video_id = imported(services, film)
    begin_take_down(services, video_id, "版权投诉")
    take = taking_down._take_fingerprint

    def overtaken(*arguments: object) -> None:
        take(*arguments)  # type: ignore[arg-type]  # passed on
        purge_video(services, video_id, "版权投诉")

    monkeypatch.setattr(taking_down, "_take_fingerprint", overtaken)
    finish_take_down(services, video_id)
    assert (visible_files(services), assets_left(services)) == ([], 0)
    assert None not in kept(services)


def test_its_folder_is_made_while_nobody_sweeps(
    services: Services, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = JobFolders.begin
    at_the_gate = []

    def watched(self: JobFolders, key: str) -> JobFolder:
        try:
            os.close(lock_file(self.root / GATE_NAME, wait=False))
        except BlockingIOError:
            at_the_gate.append(key)
        return begin(self, key)

    video_id = imported(services, film)
    monkeypatch.setattr(JobFolders, "begin", watched)
    begin_take_down(services, video_id, "版权投诉")
    del at_the_gate[:]
    finish_take_down(services, video_id)
    assert len(at_the_gate) == 1


def test_without_a_fingerprint_it_goes_all_the_same(
    services: Services, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise TranscoderError("gone")

    monkeypatch.setattr(sketching, "fingerprint_rendition", fail)
    take_down(services, imported(services, film), "版权投诉")
    assert (assets_left(services), kept(services)) == (0, [None])


def test_a_killed_take_down_goes_on(
    services: Services, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    video_id = imported(services, film)
    for step in ("_take_fingerprint", "purge_video"):
        with monkeypatch.context() as patched:
            patched.setattr(taking_down, step, die)
            with pytest.raises(KeyboardInterrupt):
                take_down(services, video_id, "版权投诉")
        assert not services.objects.children("media/public/")
    Housekeeping(services).empty_bin()
    assert (assets_left(services), len(kept(services))) == (0, 1)
    assert None not in kept(services)
