"""What visitors ask for most brings few rows one by one: SQLite's driver lets the other threads
have their turns at each (docs/decisions/0017-answers-under-load.md).
"""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import artist
from liuying.features.views.tables import rank_place
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, record_change
from tests.conftest import Client

FEW = 28
# More than few of what each of these answers is made of.
SHOWN = range(100, 130)


@pytest.fixture
def engine() -> str:
    return "sqlite"


@pytest.fixture
def brought(filled: Services) -> list[object]:
    """The rows that the driver has handed over one by one."""
    rows: list[object] = []

    def noted(_cursor: object, row: tuple[object, ...]) -> tuple[object, ...]:
        rows.append(row)
        return row

    def watch(connection: Any, *_of_the_pool: object) -> None:
        connection.row_factory = noted

    sa.event.listen(filled.database.engine, "checkout", watch)
    return rows


@pytest.mark.parametrize(
    "path",
    [
        "/api/videoSearch?serach=视频&page=1",
        "/api/videomaylike?id=101",
        "/api/videorecommand?seed=7",
        "/api/videoplay/101?uuid=1",
        "/api/rank?type=pageviews&period=day",
        "/api/videosort/0?orderby=new&page=1",
        "/api/videosuggest?q=视频",
        "/api/artist",
        "/api/videosort",
    ],
)
def test_an_answer_brings_few_rows(client: Client, brought: list[object], path: str) -> None:
    services = client.services
    with services.database.write() as connection:
        places = [
            {"kind": "pageviews", "period": "day", "place": place, "video_id": id_, "score": 9}
            for place, id_ in enumerate(SHOWN, start=1)
        ]
        connection.execute(sa.insert(rank_place), places)
        connection.execute(sa.insert(artist), [{"name": f"另一位{number}"} for number in SHOWN])
        record_change(connection, CacheTopic.ARTISTS)
    client.application.orders.build()
    brought.clear()
    response = client.get(path)
    assert response.status_code == 200, response.text
    assert response.json()["rescont"]
    assert 0 < len(brought) <= FEW, brought
