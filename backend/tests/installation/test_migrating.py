"""Migrations: they arrive at what the code expects, on both databases, however often they run."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from liuying.core.catalogue.queries.gating import OPEN, SEALED, SEALED_IN_PART
from liuying.core.catalogue.tables import category, video
from liuying.core.playback.tables import asset
from liuying.features.reports.tables import reported_video
from liuying.installation import migrating
from liuying.installation.migrating import (
    MIGRATIONS,
    NewerDatabaseError,
    UnmigratedDatabaseError,
    bring_up_to_date,
    is_usable,
    known_revisions,
    migrate,
)
from liuying.installation.services import Services, open_services
from liuying.installation.settings import Settings
from liuying.installation.tables import metadata
from liuying.kit.database import Database
from liuying.kit.rows import insert_row
from liuying.workflows.doctor.database import examine_database
from liuying.workflows.queries.database import note_oldest_reader
from tests.catalogue_factory import add_category, fill_catalogue

ENGINE_TABLES = ("search_words", "search_readings", "search_descriptions", "search_index")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def differences(services: Services) -> list[object]:
    """What the database has and the code's tables have not, or the other way."""

    def is_ours(name: str | None, kind: str, _parents: object) -> bool:
        # The word index is the engine's own (`features.search.queries.engines`).
        return kind != "table" or name is None or not name.startswith(ENGINE_TABLES)

    with services.database.read() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": is_ours})
        return list(compare_metadata(context, metadata))


def test_migrations_arrive_at_the_tables_of_the_code(services: Services) -> None:
    assert differences(services) == []


def leading_columns(table: sa.Table) -> list[list[str]]:
    """The columns of each key and index of a table, in their order."""
    unique = [
        one
        for one in table.constraints
        if isinstance(one, sa.PrimaryKeyConstraint | sa.UniqueConstraint)
    ]
    return [list(one.columns.keys()) for one in (*unique, *table.indexes)]


def test_no_removal_looks_through_a_table_for_what_goes_with_it() -> None:
    scanned = [
        (table.name, *columns)
        for table in metadata.tables.values()
        for columns in (list(key.columns.keys()) for key in table.foreign_key_constraints)
        if not any(led[: len(columns)] == columns for led in leading_columns(table))
    ]
    # Advertisements are few.
    assert scanned == [("ad", "banner_tag_id")]


@pytest.mark.parametrize("number", [2**31, 2**62])
def test_a_number_that_arrays_do_not_hold_is_refused(services: Services, number: int) -> None:
    with services.database.write() as connection:
        fill_catalogue(connection)
    change = sa.update(video).where(video.c.id == 100).values(id=number)
    row = {"id": number, "title": "x", "category_id": 1, "created_at": 0, "updated_at": 0}
    for statement in (change, sa.insert(video).values(row)):
        with pytest.raises(sa.exc.DBAPIError, match=r"from 1 to 2147483647|out of range"):
            change_by(services, statement)


def test_a_purged_videos_number_is_never_given_again(services: Services) -> None:
    row = {"title": "x", "category_id": 1, "created_at": 0, "updated_at": 0}
    with services.database.write() as connection:
        add_category(connection, 1, "旅行")
    numbers = []
    for _ in range(3):
        with services.database.write() as connection:
            numbers.append(insert_row(connection, video, row))
        change_by(services, sa.delete(video))
    assert numbers == sorted(set(numbers))


@pytest.fixture
def older(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """An empty file."""
    folder = tmp_path_factory.mktemp("older")
    database = Database(f"sqlite:///{folder / 'liuying.db'}")
    yield database
    database.close()


def upgrade_to(connection: sa.Connection, wanted: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, wanted)


def test_numbers_that_were_given_before_are_not_given_again(older: Database) -> None:
    """Of a database of the version before, whose highest videos were purged already."""
    with older.write() as connection:
        upgrade_to(connection, "0031")
        row = {"title": "x", "category_id": 1, "created_at": 0, "updated_at": 0}
        connection.execute(sa.insert(category).values(id=1, name="旅行"))
        connection.execute(sa.insert(video), [row | {"id": number} for number in (1, 2)])
        connection.exec_driver_sql("INSERT INTO video_detail (video_id) VALUES (1)")
        entry = {"video_id": 7, "title": "x", "state": "removed", "first_at": 0, "last_at": 0}
        entries = [entry | {"decided_at": 1}, entry | {"video_id": 2, "decided_at": 1}]
        connection.execute(sa.insert(reported_video), entries)
    migrate(older)
    with older.write() as connection:
        assert insert_row(connection, video, row) == 8
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
        details = connection.exec_driver_sql("SELECT video_id FROM video_detail").scalars()
        assert list(details) == [1]
        statement = sa.select(reported_video.c.state).order_by(reported_video.c.video_id)
        assert list(connection.execute(statement).scalars()) == ["restored", "removed"]


def test_videos_that_passed_for_sealed_are_sealed_after_the_upgrade(older: Database) -> None:
    cases = {  # Category, seal, whether the files are protected; the seal afterwards.
        1: (1, SEALED, False, SEALED_IN_PART),
        2: (1, SEALED, True, SEALED),
        3: (1, OPEN, True, SEALED_IN_PART),
        4: (1, OPEN, False, OPEN),
        5: (73, OPEN, True, OPEN),
        6: (73, SEALED, True, SEALED),
        7: (73, OPEN, False, SEALED_IN_PART),
    }
    with older.write() as connection:
        upgrade_to(connection, "0045")
        rows = [{"id": 1, "name": "旅行"}, {"id": 73, "name": "分享解锁"}]
        connection.execute(sa.insert(category), rows)
        for number, (category_id, seal, is_protected, _) in cases.items():
            key = f"asset{number}"
            row = {"key": key, "source_hash": key, "source_name": "", "state": "complete"}
            connection.execute(sa.insert(asset).values(row | {"is_protected": is_protected}))
            values = {"id": number, "category_id": category_id, "seal": seal, "asset_key": key}
            values |= {"title": "x", "created_at": 0, "updated_at": 0}
            connection.execute(sa.insert(video).values(values))
    migrate(older)
    with older.read() as connection:
        found = connection.execute(sa.select(video.c.id, video.c.seal))
        assert {row.id: row.seal for row in found} == {
            number: seal for number, (*_, seal) in cases.items()
        }


def change_by(services: Services, statement: sa.Executable) -> None:
    with services.database.write() as connection:
        connection.execute(statement)


def test_repeating_changes_nothing(services: Services) -> None:
    migrate(services.database)
    assert differences(services) == []


def newest() -> str | None:
    """The last migration that lies in the folder."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return ScriptDirectory.from_config(config).get_current_head()


def pretend(services: Services, revision: str, oldest: str) -> None:
    """A later version migrated the database, and noted who still understands it."""
    with services.database.write() as connection:
        statement = sa.text("UPDATE alembic_version SET version_num = :revision")
        connection.execute(statement, {"revision": revision})
        note_oldest_reader(connection, oldest)


def test_a_later_versions_database_is_left_as_it_is(services: Services) -> None:
    pretend(services, "9999", "9999")
    with pytest.raises(NewerDatabaseError):
        migrate(services.database)
    with services.database.read() as connection:
        assert (
            connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
            == "9999"
        )


def test_a_later_version_that_takes_nothing_away_is_served(services: Services) -> None:
    """During an upgrade of many machines the old version serves on."""
    pretend(services, "9998", newest() or "")
    migrate(services.database)
    bring_up_to_date(services, may_migrate=False)
    topics = {one.topic: one for one in examine_database(services.database, known_revisions())}
    assert topics["migrations"].severity == "info"
    pretend(services, "9998", "9997")
    with pytest.raises(NewerDatabaseError):
        migrate(services.database)
    assert not is_usable(services.database)


def test_where_a_start_may_not_migrate_it_says_who_does(
    database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("unmigrated")
    services = open_services(Settings(data_dir=folder, database_url=database_url))
    with pytest.raises(UnmigratedDatabaseError, match="liuying migrate"):
        bring_up_to_date(services, may_migrate=False)
    bring_up_to_date(services)
    bring_up_to_date(services, may_migrate=False)
    services.database.close()


def test_a_table_in_use_is_not_waited_for_in_front_of_others(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a reader holds the table, a migration gives up and comes again, so that nobody waits
    behind it.
    """
    if services.database.is_sqlite:
        pytest.skip("SQLite has no locks of tables")
    monkeypatch.setattr(migrating, "DDL_WAIT_S", 1)
    tried: list[int] = []
    holder = services.database.engine.connect()
    holder.exec_driver_sql("BEGIN")
    holder.exec_driver_sql("SELECT 1 FROM video")

    def upgrade(connection: sa.Connection) -> None:
        tried.append(1)
        if len(tried) == 2:
            holder.rollback()
        connection.exec_driver_sql("ALTER TABLE video ADD COLUMN passing INTEGER")

    monkeypatch.setattr(migrating, "is_usable", lambda _: False)
    monkeypatch.setattr(migrating, "_upgrade", upgrade)
    migrate(services.database)
    holder.close()
    assert len(tried) == 2


def test_two_processes_may_migrate_at_once(
    database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = database_url or f"sqlite:///{tmp_path_factory.mktemp('both') / 'liuying.db'}"
    databases = [Database(url) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(migrate, databases))
    with databases[0].read() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == newest()
    for database in databases:
        database.close()


def test_revisions_are_named_as_their_files() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config).walk_revisions()
    assert known_revisions() == [script.revision for script in scripts]
