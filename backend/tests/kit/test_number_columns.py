"""Columns of numbers that come as one text each keep their rows together, on both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import artist
from liuying.installation.services import Services
from liuying.kit.number_columns import read_columns

NUMBERS = [1, 2, 2**31 - 1]


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("chosen", [NUMBERS, NUMBERS[1:2], []])
def test_rows_stay_together(services: Services, chosen: list[int]) -> None:
    with services.database.write() as connection:
        rows = [{"id": number, "name": f"第{number}位"} for number in NUMBERS]
        connection.execute(sa.insert(artist), rows)
    far = sa.cast(artist.c.id, sa.BigInteger) * -(2**31)
    statement = sa.select(artist.c.id, far.label("far")).where(artist.c.id.in_(chosen))
    with services.database.read() as connection:
        found = read_columns(connection, statement)
    assert found.shape == (2, len(chosen))
    assert sorted(found.T.tolist()) == [[number, -(2**31) * number] for number in chosen]
