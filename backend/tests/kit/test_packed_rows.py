"""Rows that come as one text are the rows that would have come one by one, on both databases."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import category, video
from liuying.installation.services import Services
from liuying.kit.packed_rows import PackedRows


class Row(msgspec.Struct, array_like=True):
    id: int
    title: str
    is_hidden: bool
    views: int
    cover: dict[str, Any] | None


COLUMNS = (video.c.id, video.c.title, video.c.is_hidden, video.c.pageviews, video.c.cover)
IDS = sa.bindparam("ids", type_=sa.Integer, expanding=True)
ROWS = PackedRows(sa.select(*COLUMNS).where(video.c.id.in_(IDS)), Row)
WRITTEN = [
    Row(id=1, title="流影", is_hidden=True, views=0, cover={"url": "/enc/一", "width": 3}),
    Row(id=2, title="\"'\\ \n\t\x01\u2028 😀 [1, 2]", is_hidden=False, views=2**53 + 1, cover=None),
    Row(id=3, title="", is_hidden=False, views=2**63 - 1, cover={}),
]


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def written(services: Services) -> None:
    with services.database.write() as connection:
        connection.execute(sa.insert(category), {"id": 5, "name": "茶", "position": 1})
        for row in WRITTEN:
            values = dict(
                zip([column.name for column in COLUMNS], msgspec.to_builtins(row), strict=True)
            )
            connection.execute(
                sa.insert(video), values | {"category_id": 5, "created_at": 0, "updated_at": 0}
            )


@pytest.mark.parametrize("ids", [[1, 2, 3], [3], [9], []])
def test_they_are_as_they_were_written(services: Services, ids: list[int]) -> None:
    with services.database.read() as connection:
        found = ROWS.read(connection, {"ids": ids})
    assert sorted(found, key=lambda row: row.id) == [row for row in WRITTEN if row.id in ids]


def test_sqlite_writes_one_text(services: Services) -> None:
    asked: list[str] = []
    with services.database.read() as connection:
        sa.event.listen(
            services.database.engine,
            "before_cursor_execute",
            lambda *arguments: asked.append(arguments[2]),
        )
        ROWS.read(connection, {"ids": [1, 2, 3]})
    assert (
        any(statement.startswith("SELECT json_group_array(") for statement in asked)
        is services.database.is_sqlite
    )
