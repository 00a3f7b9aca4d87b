"""Numbers that are asked of the driver itself, on both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import label
from liuying.installation.services import Services
from liuying.kit.database import read_number

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


def test_what_goes_wrong_is_an_error_of_the_database(services: Services) -> None:
    with (
        services.database.read() as connection,
        pytest.raises(sa.exc.DBAPIError, match="no_such_table"),
    ):
        read_number(connection, "SELECT max(id) FROM no_such_table")
