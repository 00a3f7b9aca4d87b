"""What the console tells of one video: sums, and nobody's identity."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from liuying.core.visitors.tables import visitor
from liuying.features.favourites.tables import favourite
from liuying.features.operators.rules import Role
from liuying.features.reports.tables import reported_video
from liuying.features.sharing.tables import share, share_visit
from liuying.features.views.tables import play_health, view_hour
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS, day_number, hour_of
from tests.catalogue_factory import NOW
from tests.console.desk import Desk

TODAY, HOUR = day_number(NOW), hour_of(NOW)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def desk(filled: Services) -> Iterator[Desk]:
    opened = Desk(filled)
    opened.log_in(Role.VIEWER)
    yield opened
    opened.close()


def number_in(desk: Desk, category: int) -> int:
    """A video of a category."""
    found = desk.rescont("GET", f"/api/videos?category={category}")["data"]
    return int(found[0]["id"])


def add_visitors(connection: sa.Connection, count: int) -> list[int]:
    rows = [
        {"code_hash": f"hash{number}", "row_id": f"row{number}", "alias": "访客", "created_at": NOW}
        for number in range(count)
    ]
    statement = sa.insert(visitor).returning(visitor.c.id)
    return list(connection.execute(statement, rows).scalars())


def test_nothing_is_known_of_a_video_that_nobody_watched(desk: Desk) -> None:
    number = number_in(desk, 73)
    figures = desk.rescont("GET", f"/api/videos/{number}/figures")
    assert [one["count"] for one in figures["views_by_day"]] == [0] * 30
    assert [one["count"] for one in figures["failures_by_day"]] == [0] * 30
    sums = ("starts", "stalls", "failures", "favourites", "shares", "share_visits", "unlocks")
    assert {figures[name] for name in sums} == {0}
    assert figures["fails_for_many"] is False


def test_the_days_of_a_video_are_summed_up(desk: Desk) -> None:
    rows = desk.rescont("GET", "/api/videos?sort=views")["data"]
    number, other = rows[0]["id"], rows[1]["id"]
    with desk.services.database.write() as connection:
        for back, count in ((0, 3), (1, 4), (24 * 29 + NOW // 3_600_000 % 24, 7), (24 * 31, 100)):
            row = {"hour": HOUR - back, "video_id": number, "views": count}
            connection.execute(sa.insert(view_hour).values(**row))
        row = {"hour": HOUR, "video_id": other, "views": 50}
        connection.execute(sa.insert(view_hour).values(**row))
        for back, failures, networks in ((0, 6, 6), (3, 2, 1), (40, 90, 9)):
            row = {
                "day": TODAY - back,
                "video_id": number,
                "starts": 10,
                "start_ms": 5000,
                "stalls": 1,
                "failures": failures,
                "failed_networks": networks,
            }
            connection.execute(sa.insert(play_health).values(**row))
    figures = desk.rescont("GET", f"/api/videos/{number}/figures")
    counts = [one["count"] for one in figures["views_by_day"]]
    assert (sum(counts), counts[0]) == (14, 7)
    failed = [one["count"] for one in figures["failures_by_day"]]
    assert (failed[-1], failed[-4], sum(failed)) == (6, 2, 8)
    assert (figures["starts"], figures["mean_wait_ms"], figures["stalls"]) == (20, 500, 2)
    assert (figures["failures"], figures["failed_networks"]) == (8, 7)
    assert figures["fails_for_many"] is True
    assert figures["views"] == rows[0]["pageviews"]
    assert len({one["moment"] for one in figures["views_by_day"]}) == 30


def test_keeping_sharing_and_unlocking_are_counted(desk: Desk) -> None:
    locked = number_in(desk, 73)
    with desk.services.database.write() as connection:
        known = add_visitors(connection, 3)
        for one in known:
            row = {"visitor_id": one, "site": "main", "video_id": locked, "created_at": NOW}
            connection.execute(sa.insert(favourite).values(**row))
        # Two visits of other networks unlock: here one and one that was pruned, one, and none.
        for one, settled, visits in ((known[0], 1, 1), (known[1], 0, 1), (known[2], 0, 0)):
            values = {
                "video_id": locked,
                "visitor_id": one,
                "sharer": f"s{one}",
                "settled": settled,
                "created_at": NOW,
            }
            share_id = connection.execute(
                sa.insert(share).values(**values).returning(share.c.id)
            ).scalar_one()
            for place in range(visits):
                row = {"share_id": share_id, "network_hash": f"n{place}", "seen_at": NOW}
                connection.execute(sa.insert(share_visit).values(**row))
            own = {
                "share_id": share_id,
                "network_hash": "own",
                "is_sharer": True,
                "seen_at": NOW - DAY_MS,
            }
            connection.execute(sa.insert(share_visit).values(**own))
        entry = {"video_id": locked, "title": "x", "state": "new", "reports": 4}
        times = {"first_at": NOW, "last_at": NOW}
        connection.execute(sa.insert(reported_video).values(**entry, **times))
    figures = desk.rescont("GET", f"/api/videos/{locked}/figures")
    assert (figures["favourites"], figures["reports"]) == (3, 4)
    assert (figures["shares"], figures["share_visits"], figures["unlocks"]) == (3, 3, 1)


def test_what_is_not_locked_has_no_unlocks(desk: Desk) -> None:
    number = next(
        row["id"]
        for row in desk.rescont("GET", "/api/videos")["data"]
        if row["category"] not in {73}
    )
    assert desk.rescont("GET", f"/api/videos/{number}/figures")["unlocks"] is None
