"""Rows that are asked of the driver itself, on both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import label
from liuying.installation.services import Services
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


@pytest.mark.parametrize("engine", ["postgresql"])
def test_one_that_breaks_while_it_is_used_is_not_used_again(services: Services) -> None:
    with services.database.read() as reader:
        broken = reader.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        with services.database.read() as other:
            other.exec_driver_sql(f"SELECT pg_terminate_backend({broken}, 10000)")
        with pytest.raises(sa.exc.DBAPIError) as caught:
            read_number(reader, COUNT)
        assert caught.value.connection_invalidated
        assert reader.invalidated
    with services.database.read() as reader:
        assert read_number(reader, COUNT) == 0
