"""The orders in memory beside `ORDER BY`, on both databases, after whatever the operator and
visitors do.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from liuying.core.catalogue import sort_index
from liuying.core.catalogue.queries import change_log, listing, sort_facts
from liuying.core.catalogue.queries.change_log import note_all_changed
from liuying.core.catalogue.sort_index import PATIENCE_S, SortIndex
from liuying.core.catalogue.sort_orders import SORT_ORDERS, SortOrder
from liuying.core.catalogue.tables import video, video_change
from liuying.http.change_watcher import ChangeWatcher
from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.kit.paging import PageRequest, Place
from liuying.workflows.editing import set_hidden
from liuying.workflows.protection import move_to_category
from tests.catalogue_factory import NOW, add_video
from tests.conftest import Client
from tests.pages.catalogue_churn import CatalogueChurn, view

CATEGORIES: list[int | str] = [1, 2, 72, 73, "新分类"]
EVERYTHING = PageRequest(1, 100_000)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def follow(services: Services, *followers: SortIndex) -> None:
    with services.database.read() as connection:
        for one in followers:
            one.follow(connection)


def is_ready(orders: SortIndex) -> bool:
    return orders.is_ready


def by_sql(connection: sa.Connection, where: sa.ColumnElement[bool], order: SortOrder) -> list[int]:
    return list(
        connection.execute(
            sa.select(video.c.id).where(where).order_by(*listing.ordering(order))
        ).scalars()
    )


def differences(services: Services, orders: SortIndex) -> list[str]:
    """Lists that are not what plain SQL says, whole or in their pages."""
    found = []
    with services.database.read() as connection:
        for order in SORT_ORDERS:
            for category_id in (0, 1, 2, 3, 4, 72, 73, 99):
                wanted = by_sql(connection, listing.in_category(category_id or None), order)
                whole = orders.in_category(connection, category_id, order, EVERYTHING)
                pages = [
                    id_
                    for page in range(1, len(wanted) // 7 + 2)
                    for id_ in orders.in_category(
                        connection, category_id, order, PageRequest(page, 7)
                    ).ids
                ]
                first = orders.leading(connection, category_id, order, 5)
                if (list(whole.ids), whole.total, pages, first) != (
                    wanted,
                    len(wanted),
                    wanted,
                    wanted[:5],
                ):
                    found.append(f"category {category_id} {order}")
            for artist_id in range(1, 6):
                wanted = by_sql(connection, listing.by_artist(artist_id), order)
                whole = orders.by_artist(connection, artist_id, order, EVERYTHING)
                if (list(whole.ids), whole.total) != (wanted, len(wanted)):
                    found.append(f"artist {artist_id} {order}")
    return found


def test_they_say_what_sql_says_after_any_changes(
    filled: Services, orders: SortIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sort_index, "AT_ONCE", 3)
    churn = CatalogueChurn(filled, 11, ["★ 收起", "放出", "新", "再新", "又新"], [1, 2, 3, 72])

    def move() -> None:
        move_to_category(filled, churn.some(1)[0], churn.dice.choice(CATEGORIES))

    def watch() -> None:
        view(filled, {one: churn.dice.randrange(1, 400) for one in churn.some(6)})

    for number in range(70):
        churn.dice.choice([*churn.steps(), move, watch])()
        if number % 5 == 0:
            follow(filled, orders)
            assert differences(filled, orders) == []
    follow(filled, orders)
    assert differences(filled, orders) == []
    assert orders.is_ready


def test_the_database_answers_the_same_until_they_are_built(filled: Services) -> None:
    assert differences(filled, SortIndex(filled.database, filled.hashes)) == []


def test_every_process_follows(filled: Services, orders: SortIndex) -> None:
    other = SortIndex(filled.database, filled.hashes)
    other.build()
    set_hidden(filled, [105], is_hidden=True)
    assert differences(filled, other) != []
    follow(filled, orders, other)
    set_hidden(filled, [106], is_hidden=True)
    follow(filled, other)
    assert differences(filled, other) == []
    assert differences(filled, orders) != []
    follow(filled, orders)
    assert differences(filled, orders) == []


def test_whoever_lags_behind_the_log_builds_anew(
    filled: Services, orders: SortIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is kept by age: what was there at the last turn goes, but for the newest few."""
    monkeypatch.setattr(change_log, "KEPT_AT_LEAST", 5)
    monkeypatch.setattr(change_log, "PRUNED_AT_ONCE", 4)
    follow(filled, orders)
    housekeeping = Housekeeping(filled)
    housekeeping.prune()
    before = logged(filled)
    for video_id in range(100, 120):
        set_hidden(filled, [video_id], is_hidden=True)
    housekeeping.prune()
    assert logged(filled) >= 20
    follow(filled, orders)
    assert is_ready(orders) is True  # It is within the turn.
    for video_id in range(100, 120):
        set_hidden(filled, [video_id], is_hidden=False)
    housekeeping.prune()
    assert logged(filled) >= 20
    housekeeping.prune()
    assert logged(filled) == 5 <= before
    follow(filled, orders)
    assert is_ready(orders) is False
    assert differences(filled, orders) == []  # by the database
    orders.build()
    assert is_ready(orders) is True
    assert differences(filled, orders) == []
    set_hidden(filled, [105], is_hidden=False)
    housekeeping.prune()
    follow(filled, orders)
    assert is_ready(orders) is True
    assert differences(filled, orders) == []


def logged(services: Services) -> int:
    with services.database.read() as connection:
        count = sa.select(sa.func.count()).select_from(video_change)
        return int(connection.execute(count).scalar_one())


def test_a_log_of_another_database_is_not_followed(filled: Services, orders: SortIndex) -> None:
    with filled.database.write() as connection:
        connection.execute(sa.delete(video_change))
    follow(filled, orders)
    assert not orders.is_ready


def test_a_change_of_everything_is_built_anew(filled: Services, orders: SortIndex) -> None:
    with filled.database.write() as connection:
        connection.execute(sa.update(video).values(pageviews=7))
        note_all_changed(connection)
    follow(filled, orders)
    assert not orders.is_ready
    orders.build()
    assert differences(filled, orders) == []


def test_what_changes_during_the_build_is_in_it(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = sort_facts.all_facts

    def read_and_hide(connection: sa.Connection) -> object:
        rows = list(read(connection))
        set_hidden(filled, [105], is_hidden=True)
        return rows

    monkeypatch.setattr(sort_facts, "all_facts", read_and_hide)
    orders = SortIndex(filled.database, filled.hashes)
    orders.build()
    assert differences(filled, orders) == []


def test_a_page_waits_for_the_build_that_is_under_way(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a build the database would take long for a page, and make the build take longer."""
    began, go_on = threading.Event(), threading.Event()
    read = sort_facts.all_facts

    def read_when_told(connection: sa.Connection) -> object:
        began.set()
        assert go_on.wait(PATIENCE_S)
        return read(connection)

    def no_count(*_: object) -> int:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(sort_facts, "all_facts", read_when_told)
    monkeypatch.setattr(listing, "count_videos", no_count)
    orders = SortIndex(filled.database, filled.hashes)
    with ThreadPoolExecutor(2) as pool:
        building = pool.submit(orders.build)
        assert began.wait(PATIENCE_S)
        with filled.database.read() as connection:
            asked = pool.submit(orders.in_category, connection, 0, "new", EVERYTHING)
            assert not asked.done()
            go_on.set()
            assert asked.result(PATIENCE_S).total > 0
        building.result()


def test_an_empty_catalogue_has_orders(services: Services) -> None:
    orders = SortIndex(services.database, services.hashes)
    orders.build()
    assert orders.is_ready
    assert differences(services, orders) == []


def test_a_catalogue_of_several_readings_is_read_once(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sort_facts, "FACTS_AT_ONCE", 4)
    orders = SortIndex(filled.database, filled.hashes)
    orders.build()
    assert differences(filled, orders) == []


def test_home_waits_for_no_build(filled: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first videos are found in an index as fast as in memory."""

    def read_and_ask(connection: sa.Connection) -> object:
        assert not orders.is_ready
        assert len(orders.leading(connection, 0, "new", 5)) == 5
        assert orders.by_artist(connection, 1, "new", EVERYTHING).total > 0
        return read(connection)

    read = sort_facts.all_facts
    orders = SortIndex(filled.database, filled.hashes)
    monkeypatch.setattr(sort_facts, "all_facts", read_and_ask)
    orders.build()
    assert orders.is_ready


def test_views_leave_what_shows_none_of_them(client: Client) -> None:
    kept = ["/api/artist", "/api/tags", "/api/videosort"]
    renewed = [
        "/api/videosort/0?orderby=hot",
        "/api/artist/1",
        "/api/videoindex",
        "/api/videoplay/105",
    ]
    client.application.look_for_changes()
    for address in (*kept, *renewed):
        client.rescont(address)
    view(client.services, {105: 70})
    client.application.look_for_changes()
    found = {
        one: client.application.response_cache.find(one.encode()) is not None
        for one in (*kept, *renewed)
    }
    assert found == dict.fromkeys(kept, True) | dict.fromkeys(renewed, False)


def test_the_watcher_follows_before_anybody_hears_of_a_change(
    filled: Services, orders: SortIndex
) -> None:
    seen: list[list[str]] = []
    watcher = ChangeWatcher(
        filled.database,
        lambda _topics: seen.append(differences(filled, orders)),
        lambda _: None,
        orders.follow,
        orders.confirm,
        orders.doubt,
        orders.forget,
    )
    watcher.look_now()
    set_hidden(filled, [105], is_hidden=True)
    watcher.look_now()
    assert seen == [[], []]


def scrolled(client: Client, address: str, between: Callable[[], None]) -> list[int]:
    """Ids of all pages as a visitor scrolls; something happens before each further page."""
    found: list[int] = []
    following: str | None = address
    while following:
        page = client.rescont(following)
        found += [item["id"] for item in page["data"]]
        following = page["next_page_url"]
        between()
        client.application.look_for_changes()
    return found


ADDRESSES = [
    "/api/videosort/0",
    "/api/videosort/0?orderby=hot",
    "/api/videoshare?type=1",
    "/api/artist/1",
]


@pytest.mark.parametrize("is_built", [True, False])
@pytest.mark.parametrize("address", ADDRESSES)
def test_scrolling_while_videos_are_added_shows_none_twice_and_skips_none(
    client: Client, address: str, is_built: bool
) -> None:
    if is_built:
        client.application.orders.build()
    before = scrolled(client, address, lambda: None)
    added = iter(range(5000, 6000))

    def add_two() -> None:
        with client.services.database.write() as connection:
            for _ in range(2):
                add_video(
                    connection, next(added), 1, created_at=NOW, pageviews=10**6, artists=["作者0"]
                )

    during = scrolled(client, address, add_two)
    assert during == before
    assert len(set(scrolled(client, address, lambda: None))) > len(before)


@pytest.mark.parametrize("is_built", [True, False])
def test_scrolling_while_videos_go_or_rise_shows_none_twice(client: Client, is_built: bool) -> None:
    if is_built:
        client.application.orders.build()
    before = scrolled(client, "/api/videosort/0?orderby=hot", lambda: None)
    # Of the last ones: one is hidden after the first page, another rises to the top.
    hidden, risen, shown_and_hidden = before[-1], before[-2], before[0]

    def change() -> None:
        set_hidden(client.services, [hidden, shown_and_hidden], is_hidden=True)
        with client.services.database.write() as connection:
            connection.execute(sa.delete(sa.table("view_pending")))
        view(client.services, {risen: 70})
        with client.services.database.write() as connection:
            connection.execute(sa.update(video).where(video.c.id == risen).values(pageviews=10**7))
            change_log.note_changed(connection, [risen])

    during = scrolled(client, "/api/videosort/0?orderby=hot", change)
    assert during == [one for one in before if one not in {hidden, risen}]


def test_the_next_page_of_the_same_first_page_has_one_address(client: Client) -> None:
    first = client.rescont("/api/videosort/1")["next_page_url"]
    assert first == f"/api/videosort/1?orderby=new&after={NOW - 86_400_000 + 106_000}_106&page=2"
    assert client.rescont("/api/videosort/1")["next_page_url"] == first
    assert client.rescont(first) == client.rescont(first)
    # A jump by number needs no place.
    assert client.rescont(first)["data"] == client.rescont("/api/videosort/1?page=2")["data"]


@pytest.mark.parametrize(
    "after", ["x", "1", "_", "1_", "_1", "1_2_3", "1.5_2", "9" * 17 + "_1", "1_99999999999", "١_١"]
)
def test_bad_places_are_refused(client: Client, after: str) -> None:
    response = client.get(f"/api/videosort/0?page=2&after={after}")
    assert (response.status_code, response.json()["rescont"][0]["field"]) == (422, "after")


@pytest.mark.parametrize("after", ["9999999999999999_9999999999", "-9999999999999999_0", "0_0"])
@pytest.mark.parametrize("is_built", [True, False])
def test_places_beyond_all_videos_are_answered(client: Client, after: str, is_built: bool) -> None:
    if is_built:
        client.application.orders.build()
    page = client.rescont(f"/api/videosort/0?after={after}")
    assert (len(page["data"]), page["total"]) == (8 if after.startswith("99") else 0, 30)


def test_places_are_written_as_they_are_read() -> None:
    assert str(Place(-5, 129)) == "-5_129"
