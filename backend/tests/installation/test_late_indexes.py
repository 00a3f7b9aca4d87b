"""Indexes that are built after the migrations, beside whoever writes the table."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest
import sqlalchemy as sa

from liuying.installation import migrating
from liuying.installation.migrating import LATE_INDEXES, known_revisions, migrate
from liuying.installation.services import Services
from liuying.installation.tables import metadata
from liuying.kit.database import Database
from liuying.workflows.queries.late_indexes import LateIndex, unbuilt
from tests.installation.test_migrating import pretend
from tests.waiting import wait_until

INDEX = LateIndex("ix_feedback_of_a_next_version", "feedback (created_at DESC, id)")
PATIENCE_S = 60.0
ROW = "INSERT INTO feedback (created_at, title, content) VALUES (0, 'x', 'x')"
# Of statements that wait for others' transactions.
WAITING = (
    "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND wait_event_type = 'Lock'"
    " AND left(query, 12) = 'CREATE INDEX' AND datname = current_database()"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def _next_version(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version with such an index, and no migration for it; the installation is of this one."""
    del services
    monkeypatch.setattr(migrating, "LATE_INDEXES", (INDEX,))


@pytest.fixture
def postgresql(services: Services) -> Database:
    if services.database.is_sqlite:
        pytest.skip("SQLite has one writer, and no statement that lets it go on")
    return services.database


@pytest.fixture
def writer(postgresql: Database) -> Iterator[sa.Connection]:
    """Somebody who has written the table and has not committed yet: a build waits for him."""
    with closing(postgresql.detached()) as connection:
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql(ROW)
        yield connection


def is_built(database: Database) -> bool:
    with database.read() as connection:
        return not unbuilt(connection, (INDEX,))


def builders(database: Database) -> list[int]:
    """The server's processes that build an index and wait."""
    with database.read() as connection:
        return list(connection.exec_driver_sql(WAITING).scalars())


def names(database: Database) -> set[str]:
    with database.read() as connection:
        return {str(one["name"]) for one in sa.inspect(connection).get_indexes("feedback")}


def test_each_is_one_of_a_tables_indexes() -> None:
    """And none is unique: until it is built, nothing would keep doubles out."""
    declared = {str(one.name): one for table in metadata.tables.values() for one in table.indexes}
    assert all(one.name in declared and not declared[one.name].unique for one in LATE_INDEXES)


def test_it_is_built_once(services: Services) -> None:
    assert not is_built(services.database)
    for _ in range(2):
        migrate(services.database)
        assert is_built(services.database)


@contextmanager
def building(database: Database, writer: sa.Connection) -> Iterator[Future[None]]:
    """A migration that builds the index, and waits for the writer until the block ends."""
    with ThreadPoolExecutor(1) as pool:
        migrated = pool.submit(migrate, database)
        try:
            wait_until(lambda: builders(database))
            yield migrated
        finally:
            writer.exec_driver_sql("COMMIT")


def test_nobody_who_writes_waits_for_it(postgresql: Database, writer: sa.Connection) -> None:
    with building(postgresql, writer) as migrated:
        with postgresql.write() as connection:
            connection.exec_driver_sql("SET LOCAL lock_timeout = '1s'")
            connection.exec_driver_sql(ROW)
        assert not is_built(postgresql)
    migrated.result(PATIENCE_S)
    assert is_built(postgresql)


def test_what_was_broken_off_is_built_anew(
    postgresql: Database, writer: sa.Connection, caplog: pytest.LogCaptureFixture
) -> None:
    """And a server starts all the same."""
    with building(postgresql, writer) as broken:
        with postgresql.read() as connection:
            for pid in builders(postgresql):
                connection.execute(sa.select(sa.func.pg_terminate_backend(pid)))
        broken.result(PATIENCE_S)
    assert INDEX.name in caplog.text
    assert INDEX.name in names(postgresql)  # half of it
    assert not is_built(postgresql)
    migrate(postgresql)
    assert is_built(postgresql)


def test_one_process_builds_and_others_go_on(
    postgresql: Database, writer: sa.Connection, caplog: pytest.LogCaptureFixture
) -> None:
    another = Database(postgresql.url)
    with building(postgresql, writer) as first:
        migrate(another)
        assert not is_built(postgresql)
        assert "another process builds indexes" in caplog.text
    another.close()
    first.result(PATIENCE_S)
    assert is_built(postgresql)


def test_a_later_versions_tables_get_none(services: Services) -> None:
    """It may have taken away what the index was of."""
    pretend(services, "9998", known_revisions()[0])
    migrate(services.database)
    assert not is_built(services.database)
