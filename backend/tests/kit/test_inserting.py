"""Rows that are written once, on both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.domains.visitors.tables import visitor
from liuying.kit.inserting import insert_if_absent
from liuying.main.services import Services


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
