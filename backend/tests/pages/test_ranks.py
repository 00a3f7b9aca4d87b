"""Views, ranks and play health on both databases (docs/product.md#playback,
docs/product.md#operator).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from liuying.core.catalogue.tables import video
from liuying.core.visitors.tables import visitor
from liuying.features.favourites.tables import favourite
from liuying.features.views.queries import add_pending_views, add_views
from liuying.features.views.rules import period_start
from liuying.features.views.schemas import PlayEvent
from liuying.features.views.service import View, count_views, note_health
from liuying.features.views.tables import (
    play_health,
    view_day,
    view_hour,
    view_mark,
    view_pending,
)
from liuying.installation.services import Services, limits_of
from liuying.kit.client_network import ClientNetwork
from liuying.kit.clock import DAY_MS, HOUR_MS, hour_of
from liuying.pages.queries.ranks import watched_since
from liuying.pages.ranks import aggregate_views
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.view_batches import batch_of

CODE = {"x-visitor-code": "abcdef123456"}


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def report(client: Client, headers: Mapping[str, str] = CODE, **event: object) -> Any:
    response = client.request("POST", "/api/play/event", headers, json={"event": "view", **event})
    assert response.status_code == 200, response.text
    return msgspec.json.decode(response.content)["rescont"]["is_counted"]


def views_of(services: Services, video_id: int) -> int:
    with services.database.read() as connection:
        return int(
            connection.execute(
                sa.select(video.c.pageviews).where(video.c.id == video_id)
            ).scalar_one()
        )


def settle(client: Client, now: int = NOW) -> None:
    aggregate_views(client.services.database, now)
    client.application.look_for_changes()


def ids(page: Any) -> list[int]:
    return [item["id"] for item in page["data"]]


def test_a_view_counts_once_a_visitor_video_and_hour(client: Client) -> None:
    before = views_of(client.services, 105)
    assert report(client, id=105) is True
    assert report(client, id=105) is False
    assert report(client, id=106) is True
    assert report(client, {"x-visitor-code": "zzzzzz"}, id=105) is True
    settle(client)
    assert views_of(client.services, 105) == before + 2
    assert client.rescont("/api/videoplay/105?uuid=1")["pageviews"] == before + 2
    settle(client)
    assert views_of(client.services, 105) == before + 2


def test_a_client_without_a_code_counts_by_its_network(client: Client) -> None:
    assert report(client, {}, id=105) is True
    assert report(client, {"x-forwarded-for": "198.51.100.1"}, id=105) is False


def test_a_network_that_invents_codes_adds_thirty_views_an_hour_to_a_video(client: Client) -> None:
    codes = [{"x-visitor-code": f"farm{number:08}"} for number in range(40)]
    assert sum(report(client, code, id=105) for code in codes) == 30
    assert report(client, codes[39], id=106) is True  # another video has a limit of its own
    client.address = "203.0.113.9"
    assert (
        report(client, codes[0], id=105) is False
    )  # and a code that has counted counts nowhere else
    assert report(client, codes[38], id=106) is True
    settle(client)
    assert views_of(client.services, 105) == 105 * 10 + 30


def test_play_events_are_limited_by_network(client: Client) -> None:
    event = {"id": 105, "event": "error"}
    answers = [client.request("POST", "/api/play/event", json=event) for _ in range(601)]
    assert [one.status_code for one in answers] == [200] * 600 + [429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    client.address = "203.0.113.9"
    assert client.request("POST", "/api/play/event", json=event).status_code == 200


def test_views_at_once_count_once_each(client: Client) -> None:
    services = client.services

    def view(viewer: int) -> bool:
        limits = limits_of(services)
        watched = View(105, ClientNetwork(f"203.0.113.{viewer}"), f"viewer{viewer % 4}")
        with services.database.write() as connection:
            (counted,) = count_views(connection, services.hashes, limits, [watched], NOW)
        return counted is True

    with ThreadPoolExecutor(8) as pool:
        counted = list(pool.map(view, range(32)))
    assert sum(counted) == 4
    with services.database.read() as connection:
        assert connection.execute(sa.select(view_hour.c.views)).scalars().all() == [4]


def test_views_of_one_moment_are_counted_in_one_transaction(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is told its own: counted, counted before, unknown, too many."""
    services, sizes = client.services, []

    def counted(*arguments: Any) -> Any:
        sizes.append(len(arguments[3]))
        return count_views(*arguments)

    monkeypatch.setattr("liuying.features.views.batch.count_views", counted)
    monkeypatch.setattr("liuying.features.views.batch.COLLECTED_S", 0.3)
    batch = batch_of(services)
    home, office = ClientNetwork("203.0.113.7"), ClientNetwork("203.0.113.8")
    watched = [View(105, home, f"viewer{number}") for number in range(31)]
    watched += [
        View(105, office, "viewer0"),
        View(999, office, "other"),
        View(106, office, "other"),
    ]

    async def watch() -> list[Any]:
        return await asyncio.gather(*map(batch.count, watched), return_exceptions=True)

    told = asyncio.run(watch())
    assert sizes == [len(watched)]
    assert told[:32] == [True] * 30 + [False, False]
    assert [type(one).__name__ for one in told[32:]] == ["NotFoundError", "bool"]
    with services.database.read() as connection:
        rows = connection.execute(sa.select(view_pending.c.video_id, view_pending.c.views)).all()
    assert sorted(map(tuple, rows)) == [(105, 30), (106, 1)]


def test_a_batch_that_fails_tells_everybody(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = client.services

    def fail(*_: object) -> None:
        raise sa.exc.OperationalError("INSERT", {}, Exception("gone"))

    monkeypatch.setattr("liuying.features.views.batch.count_views", fail)
    batch = batch_of(services)
    views = [View(105, ClientNetwork("203.0.113.7"), f"viewer{number}") for number in range(3)]

    async def watch() -> list[Any]:
        return await asyncio.gather(*map(batch.count, views), return_exceptions=True)

    assert [type(one) for one in asyncio.run(watch())] == [sa.exc.OperationalError] * 3


@pytest.mark.parametrize(
    "event",
    [
        {"id": 0},
        {"id": 2**31},
        {"id": 105, "event": "like"},
        {"id": 105, "event": "start", "wait": -1},
        {"event": "view"},
    ],
)
def test_what_is_not_an_event_is_refused(client: Client, event: dict[str, object]) -> None:
    response = client.request("POST", "/api/play/event", CODE, json={"event": "view", **event})
    assert response.status_code == 422


def test_an_unknown_video_is_not_watched(client: Client) -> None:
    assert (
        client.request(
            "POST", "/api/play/event", CODE, json={"id": 999, "event": "view"}
        ).status_code
        == 404
    )


def test_a_rank_follows_its_period(client: Client) -> None:
    with client.services.database.write() as connection:
        add_views(connection, {103: 5}, hour_of(NOW))
        add_views(connection, {104: 50}, hour_of(NOW - 2 * DAY_MS))
        add_views(connection, {105: 500}, hour_of(NOW - 20 * DAY_MS))
    settle(client)
    day = client.rescont("/api/rank?type=pageviews")["data"]
    assert [(item["id"], item["rank"], item["score"]) for item in day[:2]] == [
        (103, 1, 5),
        (129, 2, 0),
    ]
    assert ids(client.rescont("/api/rank?type=pageviews&period=week"))[:3] == [104, 103, 129]
    assert ids(client.rescont("/api/rank/pageviews/month"))[:4] == [105, 104, 103, 129]
    assert ids(client.rescont("/api/rank/pageviews/all"))[:2] == [129, 128]
    assert ids(client.rescont("/api/rank/pageviews/day")) == ids(client.rescont("/api/rank"))
    assert ids(client.rescont("/api/rank/pageviews")) == ids(client.rescont("/api/rank"))
    assert ids(client.rescont("/api/rank/pageviews?page=2")) == ids(
        client.rescont("/api/rank?page=2")
    )


def test_views_of_many_videos_are_added_in_parts(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("liuying.pages.ranks.AT_ONCE", 2)
    added, services = {103: 1, 104: 20, 105: 300}, client.services
    counts = sa.select(video.c.id, video.c.pageviews).where(video.c.id.in_(added))
    with services.database.write() as connection:
        before = {row.id: row.pageviews for row in connection.execute(counts)}
        add_pending_views(connection, added)
    settle(client)
    with services.database.read() as connection:
        assert {
            row.id: row.pageviews - before[row.id] for row in connection.execute(counts)
        } == added
        assert connection.execute(sa.select(view_pending)).all() == []


SPREAD = some.lists(
    some.tuples(
        some.integers(-34 * 24, 0), some.sampled_from([103, 104, 105, 106]), some.integers(1, 9)
    ),
    max_size=40,
)
LATER = some.lists(some.integers(0, 60), min_size=1, max_size=5)


@given(spread=SPREAD, later=LATER)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_days_that_are_summed_count_as_their_hours_do(
    filled: Services, spread: list[tuple[int, int, int]], later: list[int]
) -> None:
    """Whenever views come, and however long nobody sums."""
    with filled.database.write() as connection:
        for table in (view_hour, view_day):
            connection.execute(sa.delete(table))
        for hours, video_id, count in spread:
            add_views(connection, {video_id: count}, hour_of(NOW) + hours)
    now = NOW
    for hours in later:
        now += hours * HOUR_MS
        aggregate_views(filled.database, now)
        with filled.database.write() as connection:
            # A clock that is an hour behind.
            add_views(connection, {103: 1}, hour_of(now) - 1)
        with filled.database.read() as connection:
            for period in ("day", "week", "month"):
                first = hour_of(period_start(period, now))
                total = sa.func.sum(view_hour.c.views).label("total")
                whole = (
                    sa.select(view_hour.c.video_id, total)
                    .where(view_hour.c.hour >= first)
                    .group_by(view_hour.c.video_id)
                    .order_by(total.desc(), view_hour.c.video_id.desc())
                )
                expected = [(row[0], int(row[1])) for row in connection.execute(whole)]
                assert watched_since(connection, first) == expected


def test_days_are_summed_in_turn_two_hours_after_their_end(filled: Services) -> None:
    today = hour_of(NOW) // 24
    with filled.database.write() as connection:
        for day, hour in ((today - 9, 3), (today - 9, 23), (today - 2, 0), (today - 1, 5)):
            add_views(connection, {103: 2}, day * 24 + hour)
    first = today * DAY_MS + HOUR_MS  # The day before may still get views.
    for now in (first, first, first + HOUR_MS - 1):
        aggregate_views(filled.database, now)
    assert summed(filled) == [(today - 9, 103, 4), (today - 2, 103, 2)]
    aggregate_views(filled.database, first + HOUR_MS)
    assert summed(filled) == [(today - 9, 103, 4), (today - 2, 103, 2), (today - 1, 103, 2)]
    aggregate_views(filled.database, first + 32 * DAY_MS)
    assert summed(filled) == []


def summed(services: Services) -> list[tuple[int, int, int]]:
    with services.database.read() as connection:
        rows = connection.execute(sa.select(view_day).order_by(view_day.c.day))
        return [(row.day, row.video_id, row.views) for row in rows]


def test_places_count_through_the_pages_without_gaps(client: Client) -> None:
    settle(client)
    first = client.rescont("/api/rank?type=pageviews&period=all")
    assert first["total"] == 30
    second = client.rescont(first["next_page_url"])
    assert [item["rank"] for item in first["data"] + second["data"]] == list(range(1, 17))
    with client.services.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == 129).values(is_hidden=True))
    settle(client)
    again = client.rescont("/api/rank?type=pageviews&period=all")
    assert again["data"][0]["id"] == 128
    assert again["data"][0]["rank"] == 1
    assert again["total"] == 29


def test_favourites_and_novelty_are_ranked_too(client: Client) -> None:
    with client.services.database.write() as connection:
        for number in range(2):
            connection.execute(
                sa.insert(visitor).values(
                    id=number, code_hash=str(number), row_id=str(number), alias="a", created_at=NOW
                )
            )
            connection.execute(
                sa.insert(favourite).values(
                    visitor_id=number, site="sg", video_id=110 + number, created_at=NOW
                )
            )
        connection.execute(
            sa.insert(favourite).values(
                visitor_id=0, site="sg", video_id=111, created_at=NOW - 3 * DAY_MS
            )
        )
    settle(client)
    assert ids(client.rescont("/api/rank?type=favorites&period=week"))[:2] == [111, 110]
    assert ids(client.rescont("/api/rank?type=new&period=all"))[:2] == [129, 128]


@pytest.mark.parametrize(
    "address", ["/api/rank?type=72", "/api/rank?period=year", "/api/rank/pageviews/hour"]
)
def test_unknown_ranks_are_refused(client: Client, address: str) -> None:
    assert client.get(address).status_code == 422


def test_kept_ranks_are_dropped_only_where_they_changed(client: Client) -> None:
    settle(client)
    etag = client.get("/api/rank").headers["etag"]
    settle(client)
    assert client.get("/api/rank", {"if-none-match": etag}).status_code == 304
    report(client, id=103)
    settle(client)
    changed = client.get("/api/rank", {"if-none-match": etag})
    assert changed.status_code == 200


def test_old_marks_and_buckets_are_forgotten(client: Client) -> None:
    report(client, id=103)
    settle(client, NOW + 40 * DAY_MS)
    with client.services.database.read() as connection:
        assert connection.execute(sa.select(view_mark)).all() == []
        assert connection.execute(sa.select(view_hour)).all() == []


def failures_of(services: Services, video_id: int) -> int:
    with services.database.read() as connection:
        found = connection.execute(
            sa.select(play_health.c.failures).where(play_health.c.video_id == video_id)
        )
        return int(found.scalar() or 0)


def test_one_network_cannot_make_a_video_look_bad(client: Client) -> None:
    for number in range(40):  # with as many codes as it likes
        code = {"x-visitor-code": f"invented{number:04}"}
        assert report(client, code, id=105, event="error") is (number == 0)
    assert report(client, id=106, event="error") is True
    client.address = "2001:db8:1:2::1"
    assert report(client, id=105, event="error") is True
    client.address = "2001:db8:1:2:ffff::9"  # the same household
    assert report(client, id=105, event="error") is False
    assert (failures_of(client.services, 105), failures_of(client.services, 106)) == (2, 1)
    assert report(client, id=105) is True  # a view is counted apart
    with client.services.database.read() as connection:
        marks = str(connection.execute(sa.select(view_mark)).all())
    assert "2001:db8" not in marks
    assert "127.0.0.1" not in marks


def test_a_failure_counts_again_in_the_next_hour_and_its_mark_goes(filled: Services) -> None:
    network = ClientNetwork("203.0.113.7")
    event = PlayEvent(id=105, event="error")
    for moment, is_counted in (
        (NOW, True),
        (NOW, False),
        (NOW + HOUR_MS, True),
        (NOW + HOUR_MS, False),
    ):
        with filled.database.write() as connection:
            assert note_health(connection, filled.hashes, network, event, moment) is is_counted
    assert failures_of(filled, 105) == 2
    aggregate_views(filled.database, NOW + 3 * HOUR_MS)
    with filled.database.read() as connection:
        assert connection.execute(sa.select(view_mark)).all() == []


def test_two_failures_at_once_count_once(filled: Services) -> None:
    def fail(_number: int) -> bool:
        with filled.database.write() as connection:
            event = PlayEvent(id=105, event="error")
            return note_health(connection, filled.hashes, ClientNetwork("203.0.113.7"), event, NOW)

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(fail, range(16))) == 1
    assert failures_of(filled, 105) == 1


def test_health_is_summed_by_day_and_video(client: Client) -> None:
    report(client, id=103, event="start", wait=200)
    report(client, id=103, event="start", wait=100)
    report(client, id=103, event="stall")
    report(client, id=103, event="error")
    with client.services.database.read() as connection:
        row = connection.execute(sa.select(play_health)).one()
    assert (row.video_id, row.starts, row.start_ms, row.stalls, row.failures) == (103, 2, 300, 1, 1)


def test_periods_begin_with_a_whole_hour() -> None:
    assert period_start("day", 100 * HOUR_MS + 5) == 77 * HOUR_MS
    assert period_start("all", NOW) == 0
