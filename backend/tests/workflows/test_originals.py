"""The operator's files, kept after their import where that is asked for."""

from __future__ import annotations

import errno
import json
import os
import shutil
import time
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.jobs.tables import job
from liuying.core.playback.tables import asset
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.kit.clock import system_clock
from liuying.kit.object_keys import original_prefix
from liuying.kit.object_store import local_path, read_object
from liuying.media.errors import DiskFullError
from liuying.workflows import originals
from liuying.workflows.backup_archive import NAME, About
from liuying.workflows.content_hash import hash_file
from liuying.workflows.doctor.files import find_orphans
from liuying.workflows.import_result import Outcome
from liuying.workflows.import_video import import_file
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.originals import (
    OriginalChangedError,
    keep_original,
    original_of,
    place_of,
    stored_name,
    stored_originals,
)
from liuying.workflows.pictures import GRACE_S
from liuying.workflows.preconditions import RESERVED_BYTES
from liuying.workflows.purging import purge_video
from liuying.workflows.queued_import import item_of
from liuying.workflows.storage import measure_storage
from liuying.workflows.video_meta import VideoMeta
from tests.command_line import Run, run
from tests.conftest import Client
from tests.media.clips import FAST

__all__ = ["run"]

KEPT = VideoMeta(title="海", keeps_original=True)


@pytest.fixture
def source(plain_clip: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(plain_clip, tmp_path / "海边 一天.mp4"))


def kept_of(services: Services, key: str) -> str:
    """The key of a kept file."""
    kept = original_of(services.objects, key)
    assert kept is not None
    return kept.key


def kept_content(services: Services, key: str) -> bytes:
    return read_object(services.objects, kept_of(services, key))


def whole_asset(services: Services, content: str, key: str = "asset0") -> str:
    """The row of an asset that is whole."""
    with services.database.write() as connection:
        connection.execute(
            sa.insert(asset).values(
                key=key,
                source_hash=content,
                source_name="a.mp4",
                is_protected=False,
                state="complete",
                cause="",
            )
        )
    return key


def test_nothing_is_kept_where_nobody_asks(services: Services, source: Path) -> None:
    result = import_file(services, source, VideoMeta(), settings=FAST)
    assert original_of(services.objects, result.key) is None
    assert stored_originals(services.objects) == {}
    # Asked for later: the file is known, and is kept now.
    again = import_file(services, source, KEPT, settings=FAST)
    assert again.outcome is Outcome.KNOWN
    assert kept_content(services, result.key) == source.read_bytes()


def test_an_original_outlives_its_source_and_goes_with_its_video(
    services: Services, source: Path, client: Client
) -> None:
    content = source.read_bytes()
    result = import_file(services, source, KEPT, settings=FAST)
    assert kept_of(services, result.key) == f"originals/{result.key}/海边 一天.mp4"
    with services.database.read() as connection:
        sizes = {
            one.kind: one.bytes
            for one in measure_storage(connection, services.layout, services.objects)
        }
    assert sizes["原文件"] == source.stat().st_size
    source.unlink()
    assert kept_content(services, result.key) == content
    for address in (
        f"/originals/{result.key}/a.mp4",
        f"/media/originals/{result.key}/a.mp4",
        "/originals/",
    ):
        assert client.get(address).status_code == 404
    purge_video(services, result.video_id)
    assert stored_originals(services.objects) == {}


@pytest.mark.data_folder("is a hard link there, in a folder of its owner's")
def test_an_original_takes_no_room_of_its_own(services: Services, source: Path) -> None:
    result = import_file(services, source, KEPT, settings=FAST)
    kept = original_of(services.objects, result.key)
    assert kept is not None
    path = Path(place_of(services.objects, kept))
    assert path == services.layout.originals / result.key / "海边 一天.mp4"
    assert path.samefile(source)
    assert services.layout.originals.stat().st_mode & 0o077 == 0


def test_the_setting_asks_and_one_import_may_say_otherwise(
    services: Services, source: Path, tmp_path: Path
) -> None:
    wanting = msgspec.structs.replace(
        services, settings=msgspec.structs.replace(services.settings, keep_originals=True)
    )
    refusing = import_file(wanting, source, VideoMeta(keeps_original=False), settings=FAST)
    assert original_of(services.objects, refusing.key) is None
    asking = import_file(wanting, source, VideoMeta(), settings=FAST)
    assert kept_content(services, asking.key) == source.read_bytes()


def test_a_file_of_another_file_system_is_copied(
    services: Services, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    monkeypatch.setattr(os, "link", refuse)
    key = whole_asset(services, hash_file(source))
    keep_original(services, key, source, hash_file(source))
    path = local_path(services.objects, kept_of(services, key))
    assert path is None or not path.samefile(source)
    assert kept_content(services, key) == source.read_bytes()
    free = RESERVED_BYTES + source.stat().st_size - 1
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    originals.forget_original(services.objects, key)
    with pytest.raises(DiskFullError):
        keep_original(services, key, source, hash_file(source))
    assert original_of(services.objects, key) is None
    assert [path.name for path in (services.data_dir / "jobs").iterdir()] == [".gate"]


def test_room_for_a_copy_is_asked_for_before_the_work(
    services: Services, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert originals.room_for_original(services.layout, source) == 0
    monkeypatch.setattr("liuying.workflows.import_video.room_for_original", lambda *_: 10**18)
    with pytest.raises(DiskFullError):
        import_file(services, source, KEPT, settings=FAST)
    assert import_file(services, source, VideoMeta(), settings=FAST).outcome is Outcome.IMPORTED


def test_what_is_not_what_was_imported_is_not_kept(services: Services, source: Path) -> None:
    content = hash_file(source)
    key = whole_asset(services, content)
    source.write_bytes(b"another film")
    with pytest.raises(OriginalChangedError):
        keep_original(services, key, source, content)
    assert original_of(services.objects, key) is None


def test_a_video_that_is_removed_meanwhile_leaves_no_original(
    services: Services, source: Path
) -> None:
    keep_original(services, "gone", source, hash_file(source))
    assert original_of(services.objects, "gone") is None


def test_two_processes_do_not_keep_at_once(services: Services, source: Path) -> None:
    key = whole_asset(services, hash_file(source))
    folders = JobFolders(services.data_dir / "jobs")
    with folders.gate():
        other = folders.begin(key)
    with other, pytest.raises(ImportBusyError):
        keep_original(services, key, source, hash_file(source))


def test_an_original_without_a_row_is_an_orphan(
    services: Services, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("asset0", "asset1"):
        services.objects.put_if_absent(f"{original_prefix(key)}film.mp4", source.read_bytes())
    whole_asset(services, "content", "asset1")
    with services.database.read() as connection:
        young = find_orphans(connection, services.layout, services.objects)
    assert young.folders == []
    moment = time.time() + GRACE_S + 1
    monkeypatch.setattr(time, "time", lambda: moment)
    with services.database.read() as connection:
        orphans = find_orphans(connection, services.layout, services.objects)
    assert orphans.folders == ["originals/asset0/"]
    assert orphans.bytes == source.stat().st_size


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("海边 一天.mp4", "海边 一天.mp4"),
        ("..\x1b[31m:?.MP4", "_[31m__.MP4"),
        (".hidden", "hidden"),
        ("...", "original"),
        ("\udcff.mkv", "_.mkv"),
        ("长" * 60 + ".mp4", "长" * 20 + ".mp4"),
        ("a." + "b" * 80, "a." + "b" * 62),
        (" . .mp4", "mp4"),
    ],
)
def test_a_name_is_fit_for_every_system_and_for_a_backup(name: str, kept: str) -> None:
    assert stored_name(name) == kept
    assert NAME.fullmatch(f"originals/asset00000105/{kept}")


@pytest.mark.parametrize("name", ["..", ".a", "a/b", "../a", "", "a" * 65, "a\nb"])
def test_a_backup_takes_no_other_names(name: str) -> None:
    assert NAME.fullmatch(f"originals/asset00000105/{name}") is None


def test_a_backup_of_an_older_version_has_no_originals() -> None:
    old = (
        b'{"form":1,"engine":"sqlite","revision":"0001",'
        b'"has_media":true,"created_at":"","version":"0"}'
    )
    assert msgspec.json.decode(old, type=About).has_originals is False


def test_the_operator_keeps_finds_saves_and_drops(run: Run, source: Path, tmp_path: Path) -> None:
    data, fresh, tar = tmp_path / "data", tmp_path / "fresh", tmp_path / "whole.tar"
    made = run(data, "import", source, "--keep-original", "--json")
    assert made.exit_code == 0, made.output
    number = str(json.loads(made.stdout)["video_id"])
    path = run(data, "video", "original", number).stdout.strip()
    assert Path(path).samefile(source)
    assert json.loads(run(data, "video", "show", number, "--json").stdout)[0]["original"] == path
    findings = {
        one["topic"]: one["sentence"] for one in json.loads(run(data, "doctor", "--json").stdout)
    }
    assert findings["originals"].startswith("保留了 1 个视频的原文件")
    assert run(data, "backup", tar).exit_code == 0
    small = tmp_path / "small.tar"
    assert run(data, "backup", small, "--without-originals").exit_code == 0
    assert tar.stat().st_size - small.stat().st_size >= source.stat().st_size
    assert run(fresh, "restore", small).exit_code == 0
    assert run(fresh, "video", "original", number).exit_code == 1
    assert run(fresh, "restore", tar, "--yes").exit_code == 0
    restored = Path(run(fresh, "video", "original", number).stdout.strip())
    assert restored.is_relative_to(fresh)
    assert restored.read_bytes() == source.read_bytes()
    assert (fresh / "originals").stat().st_mode & 0o077 == 0
    # A backup without originals leaves those that are there.
    again = run(fresh, "restore", small, "--yes")
    assert again.exit_code == 0, again.output
    assert restored.is_file()
    assert run(data, "video", "original", number, "--remove").exit_code == 2
    dropped = run(data, "video", "original", number, "--remove", "--yes", "--json")
    assert json.loads(dropped.stdout) == {"id": int(number), "removed": True}
    assert source.is_file()
    gone = run(data, "video", "original", number)
    assert (gone.exit_code, gone.stderr) == (1, f"视频 {number} 没有保留原文件\n")


def test_a_queued_file_is_kept_as_was_said_when_it_was_queued(
    run: Run, source: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    assert run(data, "import", source, "--queue", "--keep-original").exit_code == 0
    services = open_services(Settings(data_dir=data), system_clock)
    with services.database.read() as connection:
        row = connection.execute(sa.select(job.c.source, job.c.wanted)).one()
    services.database.close()
    assert item_of(row.source, row.wanted).choices.keeps_original is True
