"""A video is removed for good while it is watched: PostgreSQL lets both begin, and whoever reports
a view waits at the foreign key. SQLite has one writer at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries.videos import existing_ids
from liuying.core.catalogue.tables import video
from liuying.features.views import queries
from liuying.features.views.batch import TRIES, ViewBatch
from liuying.features.views.service import View
from liuying.features.views.tables import play_health, view_hour, view_mark, view_pending
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import hour_of
from liuying.kit.database import Database
from liuying.kit.errors import NotFoundError
from liuying.kit.rows import delete_row
from liuying.workflows.purging import purge_video
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.view_batches import batch_of
from tests.waiting import PATIENCE_S, wait_until

T = TypeVar("T")
WAITING = sa.text(
    "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND wait_event_type = 'Lock'"
    " AND position(:kind IN query) > 0 AND datname = current_database()"
)
NETWORK = ClientNetwork("203.0.113.7")


@pytest.fixture
def engine() -> str:
    return "postgresql"


def is_waiting(database: Database, kind: str = "INSERT INTO") -> bool:
    with database.read() as connection:
        return connection.execute(WAITING, {"kind": kind}).first() is not None


def while_removed(database: Database, video_id: int, report: Callable[[], T]) -> T:
    """Report something of a video whose row is gone, but not committed until the report waits."""
    with ThreadPoolExecutor(1) as pool:
        with database.write() as connection:
            delete_row(connection, video, video_id)
            reported = pool.submit(report)
            wait_until(lambda: is_waiting(database) or reported.done())
            assert not reported.done()
        return reported.result(PATIENCE_S)


def watched(batch: ViewBatch, views: list[View]) -> list[Any]:
    async def watch() -> list[Any]:
        return await asyncio.gather(*map(batch.count, views), return_exceptions=True)

    return asyncio.run(watch())


def test_the_other_views_of_a_batch_count(client: Client) -> None:
    services = client.services
    views = [View(number, NETWORK, f"viewer{number}") for number in (105, 106, 107)]
    told = while_removed(services.database, 106, lambda: watched(batch_of(services), views))
    assert (told[0], type(told[1]), told[2]) == (True, NotFoundError, True)
    with services.database.read() as connection:
        rows = connection.execute(sa.select(view_pending.c.video_id, view_pending.c.views)).all()
        marks = connection.execute(sa.select(view_mark)).all()
    assert sorted(map(tuple, rows)) == [(105, 1), (107, 1)]
    assert len(marks) == 2


def test_a_batch_that_always_fails_ends(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def fail(*_: object) -> None:
        tried.append(1)
        raise sa.exc.IntegrityError("INSERT", {}, Exception("gone"))

    monkeypatch.setattr("liuying.features.views.batch.count_views", fail)
    (told,) = watched(batch_of(client.services), [View(105, NETWORK, "viewer")])
    assert (type(told), len(tried)) == (sa.exc.IntegrityError, TRIES)


def test_a_batch_that_waits_for_who_waits_for_it_counts_once_more(client: Client) -> None:
    services = client.services
    views = [View(105, NETWORK, "viewer")]
    with ThreadPoolExecutor(1) as pool:
        with services.database.write() as connection:
            queries.add_pending_views(connection, {105: 1})
            reported = pool.submit(watched, batch_of(services), views)
            wait_until(lambda: is_waiting(services.database))
            # The batch waited first, so it is the one that PostgreSQL ends.
            queries.add_views(connection, {105: 1}, hour_of(NOW))
        assert reported.result(PATIENCE_S) == [True]
    with services.database.read() as connection:
        assert connection.execute(sa.select(view_pending.c.views)).scalars().all() == [2]
        assert connection.execute(sa.select(view_hour.c.views)).scalars().all() == [2]


def test_a_video_is_purged_while_its_views_are_counted(client: Client) -> None:
    services = client.services
    with services.database.write() as connection:
        queries.add_pending_views(connection, {105: 1})
    with ThreadPoolExecutor(1) as pool:
        with services.database.write() as connection:
            queries.add_pending_views(connection, {105: 1})
            purged = pool.submit(purge_video, services, 105)
            wait_until(lambda: is_waiting(services.database, "DELETE"))
            # As the check of a row that is new does.
            lock = sa.select(video.c.id).where(video.c.id == 105)
            connection.execute(lock.with_for_update(read=True, key_share=True, nowait=True))
        purged.result(PATIENCE_S)
    with services.database.read() as connection:
        assert existing_ids(connection, [105]) == set()
        assert connection.execute(sa.select(view_pending)).all() == []


@pytest.mark.parametrize("event", ["start", "stall", "error"])
def test_how_it_played_is_of_no_video(client: Client, event: str) -> None:
    def report() -> int:
        said = {"id": 105, "event": event}
        return client.request("POST", "/api/play/event", json=said).status_code

    assert while_removed(client.services.database, 105, report) == 404
    with client.services.database.read() as connection:
        assert connection.execute(sa.select(play_health)).all() == []
        assert connection.execute(sa.select(view_mark)).all() == []
