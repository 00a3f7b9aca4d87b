"""An installation whose objects are in memory: no file of it is in the data folder."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from liuying.installation.services import Services
from liuying.kit.object_store import opened
from liuying.media.errors import DamagedError
from liuying.media.plan import EncoderSettings
from liuying.media.production import Production
from liuying.workflows.backup import write_backup
from liuying.workflows.doctor.files import examine_files, examine_originals, find_orphans
from liuying.workflows.editing import remove_video
from liuying.workflows.import_video import Outcome, import_file
from liuying.workflows.originals import original_of, place_of
from liuying.workflows.protection import move_to_category
from liuying.workflows.storage import measure_storage
from liuying.workflows.subtitle_files import set_subtitle
from liuying.workflows.video_meta import VideoMeta
from tests.conftest import Client
from tests.media.clips import FAST
from tests.memory_store import MemoryStore
from tests.workflows.published import row_of

KEPT = VideoMeta(title="一", keeps_original=True)
VTT = b"WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n"


@pytest.fixture
def elsewhere(services: Services) -> Iterator[Services]:
    """The installation; whatever a test does, its objects never become files."""
    yield msgspec.structs.replace(services, objects=MemoryStore())
    left = {path.name for path in services.data_dir.iterdir()}
    assert left.isdisjoint({"media", "enc", "originals"})


@pytest.fixture
def clip(tall_clip: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(tall_clip, tmp_path / "a.mp4"))


def imported(services: Services, clip: Path, settings: EncoderSettings = FAST) -> int:
    return import_file(services, clip, KEPT, settings=settings).video_id


def keys(services: Services, prefix: str) -> list[str]:
    return sorted(one.key for one in services.objects.objects(prefix))


def test_a_video_is_published_and_served(elsewhere: Services, clip: Path) -> None:
    row = row_of(elsewhere, imported(elsewhere, clip))
    assert row.state == "complete"
    client = Client(elsewhere)
    try:
        master = client.get(row.playlist).text
        folder = row.playlist.rpartition("/")[0]
        for line in master.splitlines():
            if line.startswith("#") or not line:
                continue
            playlist = client.get(f"{folder}/{line}").text
            rung = line.rpartition("/")[0]
            segments = [name for name in playlist.splitlines() if name and name[0] != "#"]
            assert segments
            for name in segments:
                whole = client.get(f"{folder}/{rung}/{name}")
                part = client.get(f"{folder}/{rung}/{name}", {"range": "bytes=4-7"})
                assert (part.status_code, part.content) == (206, b"moof"), name
                assert whole.content[4:8] == b"moof"
        assert client.get(row.cover["url"]).content.startswith(b"CV")
    finally:
        client.close()


def test_it_goes_on_where_it_failed(
    elsewhere: Services, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first rung is read back out of the store."""

    def fail(*_arguments: object) -> str:
        raise DamagedError

    with monkeypatch.context() as patched:
        patched.setattr(Production, "publish_rest", fail)
        with pytest.raises(DamagedError):
            imported(elsewhere, clip)
    prefix = "media/public/"
    (key,) = elsewhere.objects.children(prefix)
    assert elsewhere.objects.children(f"{prefix}{key}/") == {"360", "v1.m3u8"}
    assert import_file(elsewhere, clip, KEPT, settings=FAST).outcome is Outcome.CONTINUED
    assert elsewhere.objects.children(f"{prefix}{key}/") >= {"360", "540", "720", "v2.m3u8"}


def test_everything_else_finds_it(elsewhere: Services, clip: Path, tmp_path: Path) -> None:
    video_id = imported(elsewhere, clip)
    key = row_of(elsewhere, video_id).asset_key
    set_subtitle(elsewhere, video_id, "en", VTT)
    original = original_of(elsewhere.objects, key)
    assert original is not None
    assert place_of(elsewhere.objects, original) == f"originals/{key}/a.mp4"
    with opened(elsewhere.objects, original.key) as found:
        assert found.read(0, found.size) == clip.read_bytes()
    with elsewhere.database.read() as connection:
        assert not list(examine_files(connection, elsewhere.objects, is_quick=False))
        (kept,) = examine_originals(connection, elsewhere.objects, is_wanted=True)
        assert kept.severity == "info"
        orphans = find_orphans(connection, elsewhere.layout, elsewhere.objects)
        stored = measure_storage(connection, elsewhere.layout, elsewhere.objects)
    assert (orphans.folders, orphans.pictures) == ([], [])
    sizes = {one.kind: one.bytes for one in stored}
    assert sizes["360P"] > 0
    assert sizes["原文件"] == clip.stat().st_size
    report = write_backup(
        elsewhere,
        tmp_path / "backup.tar",
        lambda _written: None,
        with_media=True,
        with_originals=True,
    )
    assert report.missing == []
    with tarfile.open(tmp_path / "backup.tar") as archive:
        names = set(archive.getnames())
    assert names >= set(keys(elsewhere, "media/")) | {original.key}
    assert names >= set(keys(elsewhere, "enc/"))


def test_it_is_locked_and_removed(elsewhere: Services, clip: Path) -> None:
    video_id = imported(elsewhere, clip)
    before = [key.removeprefix("media/public/") for key in keys(elsewhere, "media/")]
    move_to_category(elsewhere, video_id, "分享解锁")
    assert keys(elsewhere, "media/public/") == []
    locked = [key.removeprefix("media/protected/") for key in keys(elsewhere, "media/")]
    assert locked == before
    remove_video(elsewhere, video_id)
    for area in ("media/", "originals/"):
        assert keys(elsewhere, area) == []
