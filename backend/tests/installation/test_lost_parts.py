"""A part of an installation that is gone is never made anew beside what is left."""

from __future__ import annotations

import shutil
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from liuying.installation.doctor import examine
from liuying.installation.lost_parts import LostDatabaseError
from liuying.installation.migrating import bring_up_to_date
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.kit.secret_fingerprints import secret_fingerprint
from liuying.kit.secrets import SecretsError, create_secrets, parse_secrets
from liuying.workflows.backup import write_backup
from tests.catalogue_factory import NOW
from tests.command_line import Run, run
from tests.conftest import new_database

__all__ = ["run"]


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def reopen(services: Services) -> None:
    """Open the installation once more, as its next start does."""
    again = open_services(services.settings, clock=lambda: NOW)
    bring_up_to_date(again)
    again.database.close()


def contents(folder: Path) -> set[str]:
    """The names in a data folder, but those that SQLite and locks come and go with."""
    return {
        path.name
        for path in folder.iterdir()
        if not path.name.endswith(("-wal", "-shm")) and not path.name.startswith(".")
    }


def forget_fingerprints(services: Services) -> None:
    """Leave the database as versions before the fingerprints left it."""
    with services.database.write() as connection:
        connection.execute(sa.delete(secret_fingerprint))


def test_lost_secrets_are_not_made_anew(filled: Services) -> None:
    filled.settings.layout.secrets.unlink()
    with pytest.raises(SecretsError, match=r"从备份里：tar -xf 备份.tar -C .* secrets.json"):
        reopen(filled)
    assert not filled.settings.layout.secrets.exists()


def test_lost_secrets_of_an_earlier_version_are_not_made_anew(filled: Services) -> None:
    forget_fingerprints(filled)
    filled.settings.layout.secrets.unlink()
    with pytest.raises(SecretsError, match="不会另建新的"):
        reopen(filled)


def test_pictures_alone_keep_secrets_from_being_made_anew(tmp_path: Path) -> None:
    picture = tmp_path / "enc" / "aa" / "aa11.bin"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"CV")
    settings = Settings(data_dir=tmp_path)
    for _ in range(2):
        with pytest.raises(LostDatabaseError, match="liuying restore"):
            open_services(settings)
    assert contents(tmp_path) == {"enc"}


def test_other_secrets_are_refused_before_anything_is_migrated(filled: Services) -> None:
    filled.settings.layout.secrets.unlink()
    create_secrets(filled.settings.layout.secrets)
    with pytest.raises(SecretsError, match=r"不属于这个数据库（cover_keys\[1\]、pepper 不符）"):
        reopen(filled)


def test_a_cover_key_may_be_added_and_not_removed(filled: Services) -> None:
    path = filled.settings.layout.secrets
    two = {**filled.secrets.cover_keys, "2": "MDEyMzQ1Njc4OWFiY2RlZg=="}
    path.write_bytes(
        msgspec.json.encode(
            msgspec.structs.replace(filled.secrets, cover_keys=two, current_cover_key=2)
        )
    )
    reopen(filled)
    path.write_bytes(msgspec.json.encode(filled.secrets))
    with pytest.raises(SecretsError, match=r"cover_keys\[2\] 不符"):
        reopen(filled)


def test_an_earlier_versions_database_learns_its_secrets(filled: Services) -> None:
    forget_fingerprints(filled)
    reopen(filled)
    with filled.database.read() as connection:
        names = connection.execute(sa.select(secret_fingerprint.c.name)).scalars().all()
    assert sorted(names) == ["cover_keys[1]", "pepper"]


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_lost_database_is_not_made_anew(
    filled: Services, engine: str, lose: Callable[[Path], object], request: pytest.FixtureRequest
) -> None:
    filled.objects.put_if_absent("media/public/abc/1.mp4", b"x")
    settings = filled.settings
    filled.database.close()
    if engine == "sqlite":
        for file in filled.settings.layout.database_files[1:]:
            file.unlink(missing_ok=True)
        lose(filled.settings.layout.database)
    else:
        empty = new_database(str(request.getfixturevalue("postgres")))
        settings = msgspec.structs.replace(settings, database_url=empty)
    before = contents(settings.data_dir)
    with pytest.raises(LostDatabaseError, match="liuying restore"):
        open_services(settings)
    assert contents(settings.data_dir) == before
    found = [
        one for one in examine(settings, lambda: NOW, is_quick=True) if one.topic == "database"
    ]
    assert [one.severity for one in found] == ["error"]
    assert found[0].remedy is not None
    assert found[0].remedy.commands == ("liuying restore 备份.tar",)
    assert contents(settings.data_dir) == before


def test_a_first_start_that_was_killed_goes_on(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    made = create_secrets(settings.layout.secrets)
    # Killed again after the database's file was made, and after it was migrated.
    settings.layout.database.touch()
    for _ in range(2):
        services = open_services(settings)
        bring_up_to_date(services)
        assert services.secrets == made
        services.database.close()


def test_a_migrated_database_without_rows_may_have_new_secrets(tmp_path: Path) -> None:
    services = open_services(Settings(data_dir=tmp_path))
    bring_up_to_date(services)
    forget_fingerprints(services)
    services.settings.layout.secrets.unlink()
    reopen(services)
    services.database.close()


def test_secrets_of_the_settings_are_used_and_never_created(
    filled: Services, tmp_path: Path
) -> None:
    """Another machine has a data folder of its own, and the same secrets."""
    content = filled.settings.layout.secrets.read_text()
    elsewhere = msgspec.structs.replace(
        filled.settings, data_dir=tmp_path / "elsewhere", database_url=filled.database.url
    )
    given = open_services(msgspec.structs.replace(elsewhere, secrets=content))
    assert given.secrets == filled.secrets
    if given.database.is_sqlite:
        target = tmp_path / "backup.tar"
        write_backup(given, target, lambda _: None, with_media=False, with_originals=False)
        with tarfile.open(target) as archive:
            kept = archive.extractfile("secrets.json")
            assert kept is not None
            assert parse_secrets(kept.read(), "") == filled.secrets
    given.database.close()
    assert not elsewhere.layout.secrets.exists()
    for wrong in ("{}", "[", content.replace(filled.secrets.pepper, "MDEyMw==")):
        with pytest.raises(SecretsError):
            open_services(msgspec.structs.replace(elsewhere, secrets=wrong))
    create_secrets(elsewhere.layout.secrets)
    foreign = elsewhere.layout.secrets.read_text()
    with pytest.raises(SecretsError, match="LIUYING_SECRETS 的密钥 不属于这个数据库"):
        open_services(msgspec.structs.replace(elsewhere, secrets=foreign))


def test_the_commands_say_it_in_one_line(filled: Services, engine: str, run: Run) -> None:
    if engine != "sqlite":
        pytest.skip("the command line is called on SQLite")
    filled.database.close()
    filled.settings.layout.secrets.unlink()
    for arguments in (("video", "list"), ("migrate",), ("notice", "list")):
        result = run(filled.data_dir, *arguments)
        assert result.exit_code == 2, arguments
        assert len(result.stderr.splitlines()) == 1
        assert "找不到密钥文件" in result.stderr
    doctor = run(filled.data_dir, "doctor", "--quick")
    assert doctor.exit_code == 2
    assert "找不到密钥文件" in doctor.stdout + doctor.stderr
    assert not filled.settings.layout.secrets.exists()


def test_the_database_is_private_from_the_first_moment(tmp_path: Path) -> None:
    services = open_services(Settings(data_dir=tmp_path))
    bring_up_to_date(services)
    with services.database.write() as connection:
        connection.exec_driver_sql("CREATE TABLE odd (id INTEGER)")
        assert modes(tmp_path) == {
            "liuying.db": 0o600,
            "liuying.db-wal": 0o600,
            "liuying.db-shm": 0o600,
        }
    services.database.close()


def test_an_earlier_versions_database_becomes_private(filled: Services, engine: str) -> None:
    if engine != "sqlite":
        pytest.skip("PostgreSQL has no file here")
    for path in filled.data_dir.glob("liuying.db*"):
        path.chmod(0o644)
    found = examine(filled.settings, lambda: NOW, is_quick=True)
    assert "的权限是 644" in next(
        one.sentence for one in found if one.topic == "database-permissions"
    )
    reopen(filled)
    assert set(modes(filled.data_dir).values()) == {0o600}


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.glob("liuying.db*")}


def test_a_backup_brings_back_what_is_lost(filled: Services, engine: str, run: Run) -> None:
    if engine != "sqlite":
        pytest.skip("the command line is called on SQLite")
    filled.database.close()
    backup = filled.data_dir.parent / "backup.tar"
    assert run(filled.data_dir, "backup", backup, "--without-media").exit_code == 0
    filled.settings.layout.secrets.unlink()
    assert run(filled.data_dir, "migrate").exit_code == 2
    # As the refusal says.
    shutil.unpack_archive(backup, filled.data_dir.parent / "unpacked", "tar", filter="data")
    shutil.copy(filled.data_dir.parent / "unpacked" / "secrets.json", filled.data_dir)
    assert run(filled.data_dir, "migrate").exit_code == 0
    filled.settings.layout.secrets.unlink()
    assert run(filled.data_dir, "restore", backup, "--yes").exit_code == 0
    assert run(filled.data_dir, "migrate").exit_code == 0
    assert modes(filled.data_dir)["liuying.db"] == 0o600
