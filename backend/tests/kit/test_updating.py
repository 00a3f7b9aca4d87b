"""Rows that are updated together, each with a value of its own."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.tables import video, video_change
from liuying.installation.services import Services
from liuying.kit.updating import update_each


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def views_of(services: Services) -> dict[int, int]:
    with services.database.read() as connection:
        rows = connection.execute(sa.select(video.c.id, video.c.pageviews))
        return {row.id: row.pageviews for row in rows}


def test_each_row_gets_its_own(filled: Services) -> None:
    before = views_of(filled)
    with filled.database.write() as connection:
        update_each(connection, video.c.pageviews, {103: 5, 101: 7, 999: 9})
    assert views_of(filled) == before | {101: 7, 103: 5}


def test_or_more_of_what_it_has(filled: Services) -> None:
    before = views_of(filled)
    with filled.database.write() as connection:
        update_each(connection, video.c.pageviews, {103: 5, 101: 7}, is_added=True)
        update_each(connection, video.c.pageviews, {101: 1}, is_added=True)
        update_each(connection, video.c.pageviews, {}, is_added=True)
    assert views_of(filled) == before | {101: before[101] + 8, 103: before[103] + 5}


def test_changes_are_numbered_in_their_order(filled: Services) -> None:
    with filled.database.write() as connection:
        newest = change_log.newest_number(connection)
        change_log.note_changed(connection, [105, 101, 103])
        later = sa.select(video_change.c.video_id).where(video_change.c.seq > newest)
        found = connection.execute(later.order_by(video_change.c.seq)).scalars().all()
    assert found == [105, 101, 103]
