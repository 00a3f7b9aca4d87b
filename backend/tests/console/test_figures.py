"""Figures in the console."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from liuying.features.operators.rules import Role
from liuying.features.views.tables import view_hour
from liuying.installation.services import Services
from liuying.kit.clock import hour_of
from tests.catalogue_factory import NOW
from tests.console.desk import Desk


@pytest.fixture
def desk(filled: Services) -> Iterator[Desk]:
    opened = Desk(filled)
    opened.log_in(Role.VIEWER, "看客")
    yield opened
    opened.close()


def test_views_are_summed_by_day_hour_and_video(desk: Desk) -> None:
    rows = [
        {"video_id": 105, "hour": hour_of(NOW), "views": 3},
        {"video_id": 105, "hour": hour_of(NOW) - 1, "views": 4},
        {"video_id": 106, "hour": hour_of(NOW) - 24, "views": 5},
        {"video_id": 106, "hour": hour_of(NOW) - 24 * 10, "views": 50},
    ]
    with desk.services.database.write() as connection:
        connection.execute(sa.delete(view_hour))
        connection.execute(sa.insert(view_hour), rows)
    found = desk.rescont("GET", "/api/figures?days=7")
    sums = found["statistics"]
    assert sums["totals"]["views_in_period"] == 12
    assert [one["count"] for one in sums["views_by_day"]] == [0, 0, 0, 0, 0, 5, 7]
    assert [one["count"] for one in sums["views_by_hour"]][-2:] == [4, 3]
    assert [(one["id"], one["count"]) for one in sums["top_videos"]] == [(105, 7), (106, 5)]
    assert {one["kind"] for one in found["storage"]} >= {"数据库", "图片"}


@pytest.mark.parametrize("days", ["0", "31", "x"])
def test_periods_that_are_not_kept(desk: Desk, days: str) -> None:
    assert desk.request("GET", f"/api/figures?days={days}").status_code == 422
