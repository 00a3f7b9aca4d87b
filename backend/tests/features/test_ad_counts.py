"""Counting advertisements: numbers by day, nobody's name."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from liuying.features.ads import queries, rules
from liuying.features.ads.counting import CLICKS, MAX_GATHERED, VIEWS, AdCounter
from liuying.features.ads.tables import ad, ad_count
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS
from liuying.kit.limits import HOUR, Limit, Rule
from tests.catalogue_factory import NOW
from tests.conftest import Client

PATH = "/api/ad/event"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def ids_of(services: Services) -> list[int]:
    with services.database.read() as connection:
        return list(connection.execute(sa.select(ad.c.id).order_by(ad.c.id)).scalars())


def counted(services: Services) -> dict[int, tuple[int, int]]:
    with services.database.read() as connection:
        rows = queries.all_ads(connection)
    return {row["id"]: (row["views"], row["clicks"]) for row in rows if row["views"]}


def send(client: Client, views: object = (), clicks: object = ()) -> tuple[int, int]:
    answer = client.request("POST", PATH, json={"views": views, "clicks": clicks})
    found = answer.json()["rescont"]
    return answer.status_code, found["counted"] if answer.status_code == 200 else -1


def test_views_and_clicks_reach_the_operator(client: Client) -> None:
    first, second, *_ = ids_of(client.services)
    assert send(client, [first, second, first], [first]) == (200, 3)
    client.address = "203.0.113.9"
    assert send(client, [first]) == (200, 1)
    counter = client.application.ad_counter
    for _ in range(2):
        counter.write(client.services.database)
        assert counted(client.services) == {first: (2, 1), second: (1, 0)}
    assert send(client, [second], [second]) == (200, 2)
    counter.write(client.services.database)
    assert counted(client.services) == {first: (2, 1), second: (2, 1)}


def test_nothing_tells_who_it_was(client: Client) -> None:
    assert {column.name for column in ad_count.columns} == {"ad_id", "day", "views", "clicks"}
    # A code, even a malformed one, is not looked at.
    for code in ("visitor0001", "NO"):
        answer = client.request("POST", PATH, {"x-visitor-code": code}, {"views": [1]})
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"


def test_a_network_counts_so_often(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "VIEWS", Limit("ad view", (Rule(2, HOUR),)))
    first, second, *_ = ids_of(client.services)
    assert [send(client, [first])[1] for _ in range(4)] == [1, 1, 0, 0]
    assert send(client, [second]) == (200, 1)
    statuses = [send(client)[0] for _ in range(200)]
    assert (statuses[0], statuses[-1]) == (200, 429)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"views": [0]}, "views"),
        ({"views": [2**31]}, "views"),
        ({"views": list(range(1, 52))}, "views"),
        ({"clicks": ["1"]}, "clicks"),
        ({"clicks": 5}, "clicks"),
    ],
)
def test_wrong_counts_are_refused(client: Client, body: object, field: str) -> None:
    answer = client.request("POST", PATH, json=body)
    assert answer.status_code == 422
    assert [one["field"] for one in answer.json()["rescont"]] == [field]


def test_what_is_no_advertisement_is_dropped(filled: Services) -> None:
    counter = AdCounter(lambda: NOW)
    first, *_ = ids_of(filled)
    for number in range(MAX_GATHERED + 100):
        counter.add(VIEWS, 1_000_000 + number)
    counter.add(CLICKS, first)
    counter.add(VIEWS, first)  # no room any more
    counter.write(filled.database)
    with filled.database.read() as connection:
        rows = connection.execute(sa.select(ad_count)).all()
    assert [tuple(row) for row in rows] == [(first, NOW // DAY_MS, 0, 1)]


def test_days_are_apart_and_go_with_their_advertisement(filled: Services) -> None:
    time = [NOW]
    counter = AdCounter(lambda: time[0])
    first, *_ = ids_of(filled)
    for _ in range(3):
        counter.add(VIEWS, first)
        time[0] += DAY_MS
    counter.write(filled.database)
    assert counted(filled) == {first: (3, 0)}
    with filled.database.write() as connection:
        assert len(connection.execute(sa.select(ad_count)).all()) == 3
        connection.execute(sa.delete(ad).where(ad.c.id == first))
        assert connection.execute(sa.select(ad_count)).all() == []


def test_what_could_not_be_written_is_kept(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = AdCounter(lambda: NOW)
    first, *_ = ids_of(filled)
    counter.add(VIEWS, first)

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(queries, "add_counts", fail)
        with pytest.raises(OSError, match="full"):
            counter.write(filled.database)
    counter.add(CLICKS, first)
    counter.write(filled.database)
    assert counted(filled) == {first: (1, 1)}


def test_counting_at_once_loses_nothing(filled: Services) -> None:
    counter = AdCounter(lambda: NOW)
    first, *_ = ids_of(filled)

    def count(number: int) -> None:
        counter.add(VIEWS, first)
        if number % 20 == 0:
            counter.write(filled.database)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(200)))
    counter.write(filled.database)
    assert counted(filled) == {first: (200, 0)}
