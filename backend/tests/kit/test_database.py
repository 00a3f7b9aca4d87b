"""Transactions and connections of PostgreSQL."""

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
from liuying.kit.driver_rows import read_number

COUNT = "SELECT count(*) FROM label"


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
