"""An installation whose objects are in memory or in a bucket: none is in the data folder."""

from __future__ import annotations

import shutil
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from liuying.core.playback.signed_urls import sign_prefix
from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.kit.object_records import REMOVAL_S, ObjectRecords
from liuying.kit.object_store import MeasuresUsage, ObjectStore, opened, read_object
from liuying.kit.s3_store import S3Store
from liuying.media.errors import DamagedError
from liuying.media.packaged import Part, read_playlist
from liuying.media.plan import EncoderSettings
from liuying.media.production import Production
from liuying.workflows import purging
from liuying.workflows.backup import write_backup
from liuying.workflows.doctor.files import examine_files, examine_originals, find_orphans
from liuying.workflows.import_result import Outcome
from liuying.workflows.import_video import import_file
from liuying.workflows.originals import original_of, place_of
from liuying.workflows.protection import move_to_category, restore_places
from liuying.workflows.purging import purge_video
from liuying.workflows.removal import remove_videos, restore_videos
from liuying.workflows.repacking import KEPT_MS, remove_superseded, repack_video
from liuying.workflows.storage import measure_storage
from liuying.workflows.subtitle_files import set_subtitle
from liuying.workflows.video_meta import VideoMeta
from tests.conftest import Client
from tests.media.clips import FAST, h264, make_clip, picture
from tests.memory_store import MemoryStore
from tests.s3_server import S3Server
from tests.workflows.published import as_versions_before, row_of

KEPT = VideoMeta(title="一", keeps_original=True)
VTT = b"WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n"


@pytest.fixture(params=["memory", "s3"])
def elsewhere(services: Services, request: pytest.FixtureRequest) -> Iterator[Services]:
    """The installation; whatever a test does, its objects never become files."""
    objects: ObjectStore = MemoryStore()
    if request.param == "s3":
        server: S3Server = request.getfixturevalue("s3")
        objects = S3Store(server.place(), ObjectRecords(services.database))
    yield msgspec.structs.replace(services, objects=objects)
    left = {path.name for path in services.data_dir.iterdir()}
    assert left.isdisjoint({"media", "enc", "originals"})


@pytest.fixture
def clip(tall_clip: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(tall_clip, tmp_path / "a.mp4"))


def imported(services: Services, clip: Path, settings: EncoderSettings = FAST) -> int:
    return import_file(services, clip, KEPT, settings=settings).video_id


def names(services: Services, asset: str) -> set[str]:
    """Of an asset's files and folders; a store may list folders that it has just emptied."""
    return {key.split("/")[2] for key in keys(services, f"media/{asset}/")}


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
            parts = read_playlist(playlist)
            file = f"{folder}/{rung}/{parts.init.name}"
            whole = client.get(file).content
            assert parts.parts == [Part(parts.init.name, 0, len(whole))]
            for one in parts.segments:
                answer = client.get(file, {"range": f"bytes={one.offset}-{(one.end or 0) - 1}"})
                assert (answer.status_code, answer.content[4:8]) == (206, b"moof")
                assert answer.content == whole[one.offset : one.end]
        assert client.get(row.cover["url"]).content.startswith(b"CV")
    finally:
        client.close()


def test_one_with_segments_is_repacked(elsewhere: Services, clip: Path) -> None:
    video_id = imported(elsewhere, clip)
    key = row_of(elsewhere, video_id).asset_key
    whole = {name: read_object(elsewhere.objects, name) for name in keys(elsewhere, "media/")}
    as_versions_before(elsewhere, key)
    assert any(name.endswith(".m4s") for name in keys(elsewhere, "media/"))
    assert repack_video(elsewhere, video_id) is not None
    assert remove_superseded(elsewhere, elsewhere.clock() + KEPT_MS + 1) == 1
    prefix = f"media/{key}/"
    for folder in ("360", "540", "720"):
        for name in keys(elsewhere, f"{prefix}{folder}-2/"):
            assert read_object(elsewhere.objects, name) == whole[name.replace("-2/", "/")]
    assert names(elsewhere, key) >= {"360-2", "540-2", "720-2", "v2-2.m3u8"}
    assert names(elsewhere, key).isdisjoint({"360", "540", "720", "v1.m3u8", "v2.m3u8"})
    with elsewhere.database.read() as connection:
        assert list(examine_files(connection, elsewhere.objects, is_quick=True)) == []


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
    prefix = "media/"
    (key,) = elsewhere.objects.children(prefix)
    assert names(elsewhere, key) == {"360", "v1.m3u8"}
    assert import_file(elsewhere, clip, KEPT, settings=FAST).outcome is Outcome.CONTINUED
    assert names(elsewhere, key) >= {"360", "540", "720", "v2.m3u8"}


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
    # As the data folder names them: a backup may be restored there.
    media = {key.replace("media/", "media/public/") for key in keys(elsewhere, "media/")}
    assert names >= media | {original.key}
    assert names >= set(keys(elsewhere, "enc/"))


def test_what_a_killed_purge_left_goes_at_the_next_housekeeping(
    services: Services, s3: S3Server, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = S3Store(s3.place(), ObjectRecords(services.database))
    elsewhere = msgspec.structs.replace(services, objects=objects)
    gone, kept = (
        imported(elsewhere, clip),
        import_file(
            elsewhere, make_clip(clip.with_name("b.mp4"), *picture("64x36", 1), *h264()), KEPT
        ),
    )
    of_kept = [*keys(elsewhere, f"media/{kept.key}/"), *keys(elsewhere, f"originals/{kept.key}/")]

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(purging, "_remove_files", die)
        with pytest.raises(KeyboardInterrupt):
            purge_video(elsewhere, gone)
    left = [*keys(elsewhere, "media/"), *keys(elsewhere, "originals/")]
    assert set(left) > set(of_kept)
    # Whoever began to remove them may still be at it.
    Housekeeping(elsewhere).empty_bin()
    assert [*keys(elsewhere, "media/"), *keys(elsewhere, "originals/")] == left
    later = time.time() + REMOVAL_S + 1
    monkeypatch.setattr(time, "time", lambda: later)
    Housekeeping(elsewhere).empty_bin()
    assert [*keys(elsewhere, "media/"), *keys(elsewhere, "originals/")] == of_kept
    assert objects.unremoved("media/") == objects.unremoved("originals/") == set()


def test_it_is_locked_and_removed(
    elsewhere: Services, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    video_id = imported(elsewhere, clip)
    before = keys(elsewhere, "media/")
    playlist = row_of(elsewhere, video_id).playlist
    client = Client(elsewhere)
    try:
        assert client.get(playlist).status_code == 200
        move_to_category(elsewhere, video_id, "分享解锁")
        assert keys(elsewhere, "media/") == before
        assert client.get(playlist).status_code == 403
        right = sign_prefix(elsewhere.hashes, playlist.split("/")[2], elsewhere.clock()).text
        assert client.get(playlist.replace("/media/", f"/media/r/{right}/")).status_code == 200
        assert restore_places(elsewhere) == 0
        move_to_category(elsewhere, video_id, "别的")
        assert client.get(playlist).status_code == 200
        remove_videos(elsewhere, [video_id])
        assert keys(elsewhere, "media/") == before
        signed = playlist.replace("/media/", f"/media/r/{right}/")
        assert (client.get(playlist).status_code, client.get(signed).status_code) == (404, 404)
        assert client.get(f"/media-access/{playlist.split('/')[2]}").status_code == 403
        restore_videos(elsewhere, [video_id])
        assert client.get(playlist).status_code == 200
        # What was just stored is otherwise left to the sweep.
        monkeypatch.setattr("liuying.workflows.pictures.FRESH_S", -5.0)
        purge_video(elsewhere, video_id)
        assert client.get(playlist).status_code == 404
    finally:
        client.close()
    for area in ("media/", "originals/", "enc/"):
        assert keys(elsewhere, area) == []
    if isinstance(elsewhere.objects, MeasuresUsage):
        assert sum(elsewhere.objects.usage().values()) == 0
