"""Rows that are written once, on both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import label
from liuying.core.visitors.tables import visitor
from liuying.installation.services import Services
from liuying.kit.inserting import insert_absent, insert_if_absent, insert_many


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_first_row_stays(services: Services) -> None:
    def row(row_id: str) -> dict[str, object]:
        return {"code_hash": "one", "row_id": row_id, "alias": row_id, "created_at": 1}

    with services.database.write() as connection:
        assert insert_if_absent(connection, visitor, row("a")) is True
        assert insert_if_absent(connection, visitor, row("b")) is False
        assert connection.execute(sa.select(visitor.c.row_id)).scalars().all() == ["a"]


def test_of_several_rows_the_first_of_each_stays(services: Services) -> None:
    with services.database.write() as connection:
        for row_ids, expected in (
            (["a", "b"], {"a", "b"}),
            (["b", "c", "c"], {"c"}),
            (["a"], set()),
        ):
            new = [
                {"code_hash": one, "row_id": one, "alias": one, "created_at": 1} for one in row_ids
            ]
            assert insert_absent(connection, visitor, new, visitor.c.row_id) == expected
        assert connection.execute(sa.select(sa.func.count()).select_from(visitor)).scalar_one() == 3


def test_a_text_that_is_too_long_is_not_cut(services: Services) -> None:
    """PostgreSQL refuses it; SQLite has no lengths."""
    new = [{"code_hash": "x" * 65, "row_id": "a", "alias": "a", "created_at": 1}]
    with services.database.write() as connection:
        if connection.dialect.name == "postgresql":
            with pytest.raises(sa.exc.DataError):
                insert_absent(connection, visitor, new, visitor.c.code_hash)
        else:
            assert insert_absent(connection, visitor, new, visitor.c.code_hash) == {"x" * 65}


def test_many_rows_are_written_as_they_are(services: Services) -> None:
    rows = [(number, f"标签\t{number}\n\\N") for number in range(1, 2001)]
    with services.database.write() as connection:
        insert_many(connection, label, iter(rows))
        insert_many(connection, label, [("后", 3000), ("先", 2999)], ("name", "id"))
        insert_many(connection, label, [])
        found = connection.execute(sa.select(label.c.id, label.c.name).order_by(label.c.id)).all()
    assert [tuple(row) for row in found] == [*rows, (2999, "先"), (3000, "后")]


def test_a_row_that_is_there_already_is_an_error_of_the_database(services: Services) -> None:
    with pytest.raises(sa.exc.IntegrityError), services.database.write() as connection:
        insert_many(connection, label, [(1, "一"), (1, "二")])
    with services.database.read() as connection:
        assert connection.execute(sa.select(label.c.id)).all() == []
