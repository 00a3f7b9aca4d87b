"""Numbers that are asked of the driver itself, on both databases; transactions and connections of
PostgreSQL.
"""

from __future__ import annotations

from contextlib import suppress

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import label
from liuying.installation.services import Services
from liuying.kit import postgresql
from liuying.kit.changes import draw_in_order
from liuying.kit.database import Database
from liuying.kit.database_errors import STOOD_STILL, database_reason
from liuying.kit.driver_rows import read_number, read_some

SOME = "SELECT id FROM label WHERE id IN ({})"
COUNT = "SELECT count(*) FROM label"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_number_is_of_the_transaction(services: Services) -> None:
    with services.database.read() as reader, services.database.read() as other:
        assert read_number(reader, COUNT) == 0
        with services.database.write() as writer:
            writer.execute(sa.insert(label), {"id": 1, "name": "一"})
            assert read_number(writer, COUNT) == 1
            assert read_number(other, COUNT) == 0
            other.rollback()
        assert read_number(other, COUNT) == 1
        # PostgreSQL shows with every statement what was committed, SQLite what was when the
        # transaction began.
        assert read_number(reader, COUNT) == (0 if services.database.is_sqlite else 1)


def test_where_there_is_none_nothing_is_said(services: Services) -> None:
    with services.database.read() as connection:
        assert read_number(connection, "SELECT max(id) FROM label") is None
        assert read_number(connection, "SELECT id FROM label") is None


@pytest.mark.parametrize(("asked", "found"), [((), []), ((2,), [2]), ((3, 4, 1), [1, 3])])
def test_some_rows_are_found_by_their_numbers(
    services: Services, asked: tuple[int, ...], found: list[int]
) -> None:
    with services.database.write() as connection:
        connection.execute(
            sa.insert(label), [{"id": number, "name": str(number)} for number in (1, 2, 3)]
        )
        assert sorted(read_some(connection, SOME, asked)) == [(one,) for one in found]


def test_what_goes_wrong_is_an_error_of_the_database(services: Services) -> None:
    with (
        services.database.read() as connection,
        pytest.raises(sa.exc.DBAPIError, match="no_such_table"),
    ):
        read_number(connection, "SELECT max(id) FROM no_such_table")


def state_of(database: Database, number: int) -> str:
    """What the server says of a connection, asked over another one."""
    with database.read() as connection:
        statement = sa.text("SELECT state FROM pg_stat_activity WHERE pid = :number")
        return str(connection.execute(statement, {"number": number}).scalar_one())


def number_of(connection: sa.Connection) -> int:
    """The server's number of a connection, and a statement."""
    return int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())


@pytest.mark.parametrize("engine", ["postgresql"])
def test_only_a_writer_has_a_transaction(services: Services) -> None:
    database = services.database
    with database.read() as reader:
        assert state_of(database, number_of(reader)) == "idle"
    with database.write() as writer:
        assert state_of(database, number_of(writer)) == "idle in transaction"
    with suppress(KeyError), database.write() as writer:
        writer.execute(sa.insert(label), {"id": 1, "name": "一"})
        raise KeyError
    with database.read() as reader:
        assert read_number(reader, COUNT) == 0


def break_connection(database: Database) -> None:
    """Let the server end the connection that was used last."""
    with database.read() as reader, database.read() as other:
        # Until it is gone, in milliseconds.
        reader.exec_driver_sql(f"SELECT pg_terminate_backend({number_of(other)}, 10000)")


@pytest.mark.parametrize("engine", ["postgresql"])
def test_one_that_breaks_while_it_is_used_is_not_used_again(services: Services) -> None:
    with services.database.read() as reader:
        with services.database.read() as other:
            other.exec_driver_sql(f"SELECT pg_terminate_backend({number_of(reader)}, 10000)")
        with pytest.raises(sa.exc.DBAPIError) as caught:
            read_number(reader, COUNT)
        assert caught.value.connection_invalidated
        assert reader.invalidated
    with services.database.read() as reader:
        assert read_number(reader, COUNT) == 0


@pytest.mark.parametrize("engine", ["postgresql"])
def test_a_connection_that_rested_is_asked_first(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "RESTED_S", -1.0)
    break_connection(services.database)
    with services.database.read() as one, services.database.read() as two:
        assert read_number(one, COUNT) == read_number(two, COUNT) == 0


@pytest.mark.parametrize("engine", ["postgresql"])
def test_one_that_the_server_ended_is_noticed_however_short_it_rested(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "RESTED_S", 3600.0)
    for _ in range(4):
        break_connection(services.database)
        with services.database.read() as one, services.database.read() as two:
            assert read_number(one, COUNT) == read_number(two, COUNT) == 0


@pytest.mark.parametrize("engine", ["postgresql"])
def test_a_transaction_that_stands_still_gives_its_locks_up(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgresql.SESSION, "idle_in_transaction_session_timeout", "100ms")
    standing = Database(services.database.url)

    def stand_still() -> None:
        with standing.write() as connection:
            draw_in_order(connection)
            with services.database.write() as other:
                # Waits for the one above, which nobody ends but the server.
                draw_in_order(other)
            connection.exec_driver_sql("SELECT 1")

    with pytest.raises(sa.exc.DBAPIError) as caught:
        stand_still()
    assert database_reason(caught.value) is STOOD_STILL
    standing.close()
