"""Holding assets across machines that share a bucket and a database, and nothing else."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.playback.tables import asset
from liuying.installation.services import Services
from liuying.kit.object_records import ObjectRecords
from liuying.kit.s3_store import S3Store
from liuying.kit.storage_layout import LOCK_NAME
from liuying.media.production import Production
from liuying.workflows import asset_hold
from liuying.workflows.asset_hold import AssetHold, holding
from liuying.workflows.import_result import Outcome
from liuying.workflows.import_video import import_file
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.leftovers import sweep
from liuying.workflows.video_meta import VideoMeta
from tests.media.clips import FAST
from tests.s3_server import S3Server
from tests.workflows.published import run_out

META = VideoMeta(title="一")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def machines(services: Services, s3: S3Server, tmp_path: Path) -> tuple[Services, Services]:
    """Two of them, each with a data folder of its own."""
    objects = S3Store(s3.place(), ObjectRecords(services.database))
    first = msgspec.structs.replace(services, objects=objects)
    elsewhere = msgspec.structs.replace(services.settings, data_dir=tmp_path / "elsewhere")
    elsewhere.data_dir.mkdir()
    return first, msgspec.structs.replace(first, settings=elsewhere)


def keys(services: Services) -> list[str]:
    return sorted(one.key for one in services.objects.objects("media/"))


def test_one_of_two_machines_imports(
    machines: tuple[Services, Services], tall_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other is told so, and removes nothing of the first's."""
    first, second = machines
    publish = Production.publish_first
    seen: list[list[str]] = []

    def meanwhile(self: Production, *arguments: object) -> str:
        published = publish(self, *arguments)  # type: ignore[arg-type]  # passed on
        if not seen:
            seen.append(keys(first))
            with pytest.raises(ImportBusyError):
                import_file(second, tall_clip, META, settings=FAST)
            assert keys(first) == seen[0] != []
        return published

    monkeypatch.setattr(Production, "publish_first", meanwhile)
    assert import_file(first, tall_clip, META, settings=FAST).outcome is Outcome.IMPORTED
    assert seen
    assert import_file(second, tall_clip, META, settings=FAST).outcome is Outcome.KNOWN


def test_who_was_stopped_for_too_long_publishes_nothing(
    machines: tuple[Services, Services], tall_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another took over: the first makes no row, and removes none of the other's files."""
    first, second = machines
    publish = Production.publish_first
    of_the_other: list[list[str]] = []

    def stopped(self: Production, *arguments: object) -> str:
        published = publish(self, *arguments)  # type: ignore[arg-type]  # passed on
        if self.files.work.is_relative_to(first.data_dir):
            run_out(first)
            result = import_file(second, tall_clip, META, settings=FAST)
            assert result.outcome is Outcome.IMPORTED
            of_the_other.append(keys(second))
        return published

    monkeypatch.setattr(asset_hold, "BEAT_S", 60.0)  # stopped: it does not beat either
    monkeypatch.setattr(Production, "publish_first", stopped)
    with pytest.raises(ImportBusyError):
        import_file(first, tall_clip, META, settings=FAST)
    assert [keys(first)] == of_the_other
    assert any(key.endswith("v2.m3u8") for key in keys(first))


def test_the_leftovers_of_a_job_that_goes_on_elsewhere_stay(
    machines: tuple[Services, Services], tall_clip: Path
) -> None:
    first, second = machines
    key = import_file(first, tall_clip, META, settings=FAST).key
    with first.database.write() as connection:
        connection.execute(sa.update(asset).values(state="low"))
    before = keys(first)
    folders = JobFolders(first.layout.jobs)
    scratch = folders.root / key / "rung" / "draft"
    scratch.parent.mkdir(parents=True)
    scratch.write_bytes(b"half")
    (folders.root / key / "log").write_text("so far")
    with holding(second.database, second.objects, key):
        with folders.gate():
            sweep(first.database, first.objects, folders)
        assert keys(first) == before
    # The disk is free; the folder says that there may be more.
    assert [one.name for one in (folders.root / key).iterdir()] == [LOCK_NAME]
    with folders.gate():
        sweep(first.database, first.objects, folders)
    assert not any(one.endswith("v2.m3u8") for one in keys(first))
    assert not (folders.root / key).exists()


def test_a_folder_whose_import_died_before_its_row_goes_at_once(
    machines: tuple[Services, Services],
) -> None:
    first, _ = machines
    folders = JobFolders(first.layout.jobs)
    (folders.root / "a1b2c3d4e5f6g7h8i9j0").mkdir(parents=True)
    with folders.gate():
        sweep(first.database, first.objects, folders)
    assert folders.orphans() == []


def test_beating_keeps_it(
    machines: tuple[Services, Services], tall_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = machines
    key = import_file(first, tall_clip, META, settings=FAST).key
    monkeypatch.setattr(asset_hold, "BEAT_S", 0.05)
    monkeypatch.setattr(asset_hold, "HELD_MS", 1000)
    with holding(first.database, first.objects, key) as hold:
        began = _held_until(first)
        while _held_until(first) < began + 1500:
            pass
        with pytest.raises(ImportBusyError), holding(second.database, second.objects, key):
            pass
        assert hold.is_ours
    with holding(second.database, second.objects, key):
        assert not hold.is_ours


def test_files_of_one_who_stood_still_are_refused(
    machines: tuple[Services, Services], tall_clip: Path, tmp_path: Path
) -> None:
    """Not only rows: whoever goes on after another took over stores and removes nothing."""
    first, second = machines
    key = import_file(first, tall_clip, META, settings=FAST).key
    draft = tmp_path / "720"
    draft.mkdir()
    (draft / "s00001.m4s").write_bytes(b"of the first")
    with holding(first.database, first.objects, key) as hold:
        store = hold.guard(first.objects)
        store.put_if_absent(f"media/{key}/before.mp4", b"before")
        stand_still(hold)
        # Nobody else took over: it goes on.
        store.put_if_absent(f"media/{key}/still.mp4", b"still")
        stand_still(hold)
        run_out(first)
        with holding(second.database, second.objects, key):
            before = keys(second)
            for act in (
                lambda: store.put_if_absent(f"media/{key}/after.mp4", b"after"),
                lambda: store.put_folder(f"media/{key}/again/", draft),
                lambda: store.delete(f"media/{key}/before.mp4"),
                lambda: store.delete_prefix(f"media/{key}/"),
            ):
                with pytest.raises(ImportBusyError):
                    act()
            assert keys(second) == before


def stand_still(hold: AssetHold) -> None:
    """As if its process had been stopped for longer than its hold."""
    hold._known_at -= asset_hold.HELD_MS / 1000


def _held_until(services: Services) -> int:
    with services.database.read() as connection:
        return int(connection.execute(sa.select(asset.c.held_until)).scalar_one())
