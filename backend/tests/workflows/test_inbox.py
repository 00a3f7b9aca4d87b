"""Queued files in the store: for workers on machines that have no folder in common with whoever
queued them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.jobs.queries import ledger
from liuying.core.jobs.tables import job
from liuying.core.playback.queries.playable import subtitle_rows
from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError
from liuying.kit.object_records import ObjectRecords
from liuying.kit.object_store import ObjectStoreError
from liuying.kit.s3_store import S3Store
from liuying.media.errors import UnreadableError
from liuying.workflows.content_hash import hash_file
from liuying.workflows.import_manifest import Item
from liuying.workflows.inbox import fetched, queue_by_content, release, sweep_inbox
from liuying.workflows.preconditions import NotRegularFileError
from liuying.workflows.side_cars import look_beside
from liuying.workflows.video_meta import GivenMeta
from tests.s3_server import S3Server
from tests.workflows.published import row_of

VTT = "WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def site(services: Services, s3: S3Server) -> Services:
    settings = msgspec.structs.replace(services.settings, **s3.settings())
    assert settings.s3_place is not None
    objects = S3Store(settings.s3_place, ObjectRecords(services.database))
    return msgspec.structs.replace(services, settings=settings, objects=objects)


@pytest.fixture
def clip(tall_clip: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "laptop"
    (folder / "Subs").mkdir(parents=True)
    (folder / "海边.en.vtt").write_text(VTT)
    (folder / "海边.json").write_text('{"title": "海边的一天"}')
    return Path(shutil.copy(tall_clip, folder / "海边.mp4"))


def queue(site: Services, clip: Path) -> tuple[int, bool]:
    return queue_by_content(site, Item(clip), GivenMeta(), look_beside(clip))


def waiting(site: Services) -> set[str]:
    return {one.key for one in site.objects.objects("inbox/")}


def claimed(site: Services) -> ledger.Claim:
    with site.database.write() as connection:
        held = ledger.claim(connection, "worker", site.clock())
    assert held is not None
    return held


def test_what_is_no_file_is_not_read(site: Services, clip: Path) -> None:
    """A pipe would be read for ever."""
    other = clip.with_name("folder.mp4")
    other.mkdir()
    for item in (Item(other), Item(clip, cover=other)):
        with pytest.raises(NotRegularFileError):
            queue_by_content(site, item, GivenMeta(), look_beside(item.source))
    assert waiting(site) == set()


def test_a_worker_elsewhere_imports_it(site: Services, clip: Path, tmp_path: Path) -> None:
    """With a data folder of its own: nothing but the secrets is the same."""
    queue(site, clip)
    shutil.rmtree(clip.parent)
    other = tmp_path / "elsewhere"
    other.mkdir()
    shutil.copy(site.layout.secrets, other)
    stored = {name: getattr(site.settings, name) for name in ("store", "s3_endpoint")}
    stored |= {name: getattr(site.settings, name) for name in ("s3_access_key", "s3_secret_key")}
    environment = {
        **os.environ,
        "LIUYING_DATA_DIR": str(other),
        "LIUYING_DATABASE_URL": site.settings.database,
        **{f"LIUYING_{name.upper()}": value for name, value in stored.items()},
    }
    done = subprocess.run(
        [sys.executable, "-m", "liuying", "worker", "--until-empty"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with site.database.read() as connection:
        ended = connection.execute(sa.select(job)).one()
        assert (ended.state, ended.cause) == ("done", "")
        row = row_of(site, ended.video_id)
        tracks = subtitle_rows(connection, row.asset_key)
    assert (row.title, row.state, [one.lang for one in tracks]) == (
        "海边的一天",
        "complete",
        ["en"],
    )
    assert waiting(site) == set()
    left = [path for path in (other / "jobs").rglob("*") if path.is_file()]
    assert [path.name for path in left if not path.name.startswith(".")] == []


def test_the_same_content_is_one_job(site: Services, clip: Path, tmp_path: Path) -> None:
    first, is_new = queue(site, clip)
    other = tmp_path / "other"
    other.mkdir()
    again = queue(site, Path(shutil.copy(clip, other / clip.name)))
    assert (is_new, again) == (True, (first, False))
    assert len(waiting(site)) == 3


def test_nothing_is_removed_that_a_job_needs(site: Services, clip: Path, tmp_path: Path) -> None:
    queue(site, clip)
    held = claimed(site)
    # Another name for the same content is a job of its own.
    queue(site, Path(shutil.copy(clip, tmp_path / "another.mp4")))
    with site.database.write() as connection:
        ledger.finish(connection, held, None, site.clock())
    release(site.database, site.objects, held.wanted)
    video = f"inbox/{hash_file(clip)}"
    assert waiting(site) == {video}
    assert sweep_inbox(site.database, site.objects) == 0
    with fetched(site.objects, site.layout, *_other(site)) as item:
        assert item.source.read_bytes() == clip.read_bytes()
        assert item.source.name == "another.mp4"
    with site.database.write() as connection:
        connection.execute(sa.update(job).values(state="cancelled", due_at=None))
    assert sweep_inbox(site.database, site.objects) == 1
    assert waiting(site) == set()


def _other(site: Services) -> tuple[str, Any]:
    with site.database.read() as connection:
        row = connection.execute(sa.select(job).where(job.c.due_at.is_not(None))).one()
    return row.source, row.wanted


def test_a_job_waits_for_its_files(
    site: Services, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upload that fails leaves a job that nobody takes; the next one makes it due."""

    def fail(*_: object) -> bool:
        raise ObjectStoreError("对象存储没有回答")

    with monkeypatch.context() as patched:
        patched.setattr(S3Store, "put_if_absent", fail)
        with pytest.raises(ObjectStoreError):
            queue(site, clip)
    with site.database.write() as connection:
        assert not ledger.is_due(connection, site.clock())
        wanted = connection.execute(sa.select(job.c.wanted)).scalar_one()
    with (
        pytest.raises(UnreadableError, match="请再上传或导入一次"),
        fetched(site.objects, site.layout, "inbox/x/海边.mp4", wanted),
    ):
        pass
    assert queue(site, clip)[1] is False
    with site.database.write() as connection:
        assert ledger.is_due(connection, site.clock())


@pytest.mark.parametrize("name", ["../up.mp4", "a/../../up.mp4", "/etc/up.mp4"])
def test_no_name_leaves_the_folder(site: Services, clip: Path, name: str, tmp_path: Path) -> None:
    queue(site, clip)
    wanted = {"given": {}, "inbox": {name: hash_file(clip)}}
    with (
        pytest.raises(InvalidInputError),
        fetched(site.objects, site.layout, f"inbox/x/{name}", wanted),
    ):
        pass
    assert not list(tmp_path.rglob("up.mp4"))
