"""`liuying move`: from one folder to PostgreSQL and a bucket, and back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.jobs.tables import job
from liuying.core.playback.tables import asset
from liuying.installation.doctor import examine
from liuying.installation.environment import read_settings
from liuying.installation.migrating import bring_up_to_date, migrate
from liuying.installation.services import Services, open_services
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import Database
from liuying.kit.installation_lock import use_together
from liuying.kit.object_store import read_object
from liuying.kit.secrets import create_secrets
from liuying.workflows import moving
from liuying.workflows.moving_files import Copied, move_files
from liuying.workflows.moving_rows import rows_to_report
from tests.command_line import Run, run
from tests.conftest import new_database
from tests.s3_server import S3Server

pytestmark = pytest.mark.data_folder("moves from there to PostgreSQL and S3, and back, by itself")

__all__ = ["run"]


@pytest.fixture
def source(filled: Services) -> Services:
    """An installation with rows, and with files for one of its assets."""
    with filled.database.write() as connection:
        statement = sa.select(asset.c.key).where(~asset.c.is_protected, asset.c.state == "complete")
        key = connection.execute(statement.limit(1)).scalar_one()
    for name, content in (("360/index.m3u8", b"#EXTM3U"), ("360/0.m4s", bytes(range(256)) * 99)):
        filled.objects.put_if_absent(f"media/public/{key}/{name}", content)
    filled.objects.put_if_absent("enc/ab/abcdef.bin", b"CV picture")
    filled.database.close()
    return filled


def settings_file(target: Path, values: dict[str, str]) -> Path:
    lines = [f'{name}="{value}"' for name, value in values.items()]
    target.write_text("\n".join(["# 新的地方", "", *lines]))
    return target


def contents(services: Services) -> dict[str, bytes]:
    """All files of an installation, by what stands behind their area."""
    areas = (*services.objects.media.areas, "enc", "originals")
    found = [one.key for area in areas for one in services.objects.objects(f"{area}/")]
    # A bucket does not tell locked media from open ones by their place.
    return {
        key.replace("media/public/", "media/"): read_object(services.objects, key) for key in found
    }


def test_there_and_back_everything_is_the_same(
    source: Services, run: Run, tmp_path: Path, postgres: str, s3: S3Server
) -> None:
    bucket = {f"LIUYING_{name.upper()}": value for name, value in s3.settings().items()}
    cluster = {
        "LIUYING_DATA_DIR": str(tmp_path / "cluster"),
        "LIUYING_DATABASE_URL": new_database(postgres),
        **bucket,
    }
    away = settings_file(tmp_path / "cluster.env", cluster)
    for _ in range(2):  # Repeated, it compares and finds the same.
        done = run(source.data_dir, "move", "--to", away, "--yes", "--json")
        assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["files"], told["bytes"]) == (3, 7 + 256 * 99 + 10)
    moved = open_services(read_settings(cluster))
    assert moved.secrets == source.secrets
    assert (moved.data_dir / "secrets.json").stat().st_mode & 0o077 == 0
    assert contents(moved) == contents(source)
    assert rows_to_report(moved.database) == rows_to_report(source.database) > 100
    moved.database.close()

    home = {"LIUYING_DATA_DIR": str(tmp_path / "home")}
    back = settings_file(tmp_path / "home.env", home)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in cluster.items():
            patch.setenv(name, value)
        done = run(tmp_path / "cluster", "move", "--to", back, "--yes", "--json")
        assert done.exit_code == 0, done.output
    returned = open_services(read_settings(home))
    assert contents(returned) == contents(source)
    assert rows_to_report(returned.database) == rows_to_report(source.database)
    returned.database.close()
    source.database.close()
    doctor = run(tmp_path / "home", "doctor", "--quick", "--json")
    found = json.loads(doctor.stdout)
    faulty = {one["topic"] for one in found if one["severity"] == "error"}
    # The catalogue of the tests has no files but these.
    assert faulty.isdisjoint({"database", "secrets", "migrations", "search", "search-index"})


def refused(run: Run, source: Services, target: Path, code: int, sentence: str) -> None:
    done = run(source.data_dir, "move", "--to", target, "--yes")
    assert (done.exit_code, done.stdout) == (code, "")
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_cannot_be_moved_is_said_in_one_line(
    source: Services, run: Run, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    target = settings_file(tmp_path / "home.env", {"LIUYING_DATA_DIR": str(home)})
    itself = settings_file(tmp_path / "same.env", {"LIUYING_DATA_DIR": str(source.data_dir)})
    refused(run, source, itself, 2, "两边是同一个数据库")
    (tmp_path / "odd.env").write_text("LIUYING_DATA_DIR /srv")
    refused(run, source, tmp_path / "odd.env", 2, "不是 名称=值")
    unknown = settings_file(tmp_path / "unknown.env", {"LIUYING_NONE": "1"})
    refused(run, source, unknown, 2, "不认识的设置 LIUYING_NONE")
    with use_together(source.layout):
        refused(run, source, target, 1, "请先停止")
    with source.database.write() as connection:
        waiting = {"state": "waiting", "source": "/films/a.mp4", "created_at": 1, "due_at": 1}
        required = {
            column.name: 0
            for column in job.c
            if not column.nullable and column.server_default is None and not column.primary_key
        }
        connection.execute(sa.insert(job), {**required, "options": {}, **waiting})
    source.database.close()
    refused(run, source, target, 1, "导入队列里还有 1 个任务")
    with source.database.write() as connection:
        connection.execute(sa.delete(job))
    source.database.close()
    (home / "secrets.json").unlink()
    create_secrets(home / "secrets.json")
    (home / "liuying.db").unlink()
    refused(run, source, target, 2, "新地方的密钥与这里的不同")


def test_what_is_changed_meanwhile_is_not_moved_without_its_files(
    source: Services, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def move_while_another_publishes(*given: Any) -> Copied:
        copied = move_files(*given)
        with source.database.write() as connection:
            record_change(connection, CacheTopic.CATALOGUE)
        source.database.close()
        return copied

    monkeypatch.setattr(moving, "move_files", move_while_another_publishes)
    home = {"LIUYING_DATA_DIR": str(tmp_path / "home")}
    target = settings_file(tmp_path / "home.env", home)
    refused(run, source, target, 1, "原来的网站有改动")
    monkeypatch.undo()
    assert run(source.data_dir, "move", "--to", target, "--yes").exit_code == 0


def test_a_target_with_something_else_is_left_alone(
    source: Services, run: Run, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    settings = msgspec.structs.replace(source.settings, data_dir=home)
    home.mkdir()
    (home / "secrets.json").write_bytes((source.data_dir / "secrets.json").read_bytes())
    (home / "secrets.json").chmod(0o600)
    other = open_services(settings)
    bring_up_to_date(other)
    with other.database.write() as connection:
        connection.exec_driver_sql("INSERT INTO artist (id, name) VALUES (1, '别人')")
    before = rows_to_report(other.database)
    other.database.close()
    target = settings_file(tmp_path / "home.env", {"LIUYING_DATA_DIR": str(home)})
    refused(run, source, target, 1, "不是空的")
    assert rows_to_report(other.database) == before
    other.database.close()


# `liuying move`, which kills itself at a piece of work that it reports.
DYING = """
import os, signal, sys
from contextlib import contextmanager
from liuying.cli import move
from liuying.cli.app import app

left = int(sys.argv[1])

@contextmanager
def dying():
    def report(count):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    yield report, report
    print(sys.argv[1], left, file=sys.stderr)

move.move_progress = dying
app(["move", "--to", sys.argv[2], "--yes", "--json"])
"""


@pytest.fixture(params=["folder", "PostgreSQL and S3"])
def target_of(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """The settings of a new place, by its name."""
    if request.param == "folder":
        return lambda name: {"LIUYING_DATA_DIR": str(tmp_path / name)}
    server, store = request.getfixturevalue("postgres"), request.getfixturevalue("s3")
    # Migrated once: no kill comes before that is done.
    empty = new_database(server)
    database = Database(empty)
    migrate(database)
    database.close()

    @cache
    def settings(name: str) -> dict[str, str]:
        return {
            "LIUYING_DATA_DIR": str(tmp_path / name),
            "LIUYING_DATABASE_URL": new_database(server, str(sa.make_url(empty).database)),
            **{f"LIUYING_{key.upper()}": value for key, value in store.settings().items()},
        }

    return settings


def test_killed_at_ten_points_and_repeated(
    source: Services, tmp_path: Path, target_of: Callable[[str], dict[str, str]]
) -> None:
    environment = os.environ | {"LIUYING_DATA_DIR": str(source.data_dir)}

    def move(name: str, point: int) -> subprocess.CompletedProcess[str]:
        into = settings_file(tmp_path / f"{name}.env", target_of(name))
        return subprocess.run(
            [sys.executable, "-c", DYING, str(point), str(into)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    expected = contents(source)
    whole = move("whole", 0)
    assert whole.returncode == 0, whole.stderr
    reports = -int(whole.stderr.split()[-1])
    assert reports >= 10
    moved = open_services(read_settings(target_of("whole")))
    found = topics_of(moved)
    assert found <= topics_of(source)
    moved.database.close()
    for turn in range(10):
        name, point = f"killed{turn}", 1 + turn * (reports - 1) // 9
        assert move(name, point).returncode == -9, point
        done = move(name, 0)
        assert done.returncode == 0, done.stderr
        moved = open_services(read_settings(target_of(name)))
        assert contents(moved) == expected
        # The move itself has compared every row by its hash.
        assert rows_to_report(moved.database) == rows_to_report(source.database) > 100
        assert topics_of(moved) == found
        moved.database.close()


def topics_of(services: Services) -> set[str]:
    """What the doctor finds, but for where the objects are."""
    found = examine(services.settings, services.clock, is_quick=False)
    return {one.topic for one in found if (one.topic, one.severity) != ("store", "info")}


def test_progress_is_shown_on_a_terminal(
    source: Services, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = settings_file(tmp_path / "new.env", {"LIUYING_DATA_DIR": str(tmp_path / "new")})
    monkeypatch.setenv("FORCE_COLOR", "1")
    done = run(source.data_dir, "move", "--to", target, "--yes")
    assert done.exit_code == 0, done.output
    assert "文件 0.0 MB" in done.stderr
    assert re.search(r"行 [0-9,]{3,}", done.stderr)
    assert "已搬完：3 个文件" in done.stdout
