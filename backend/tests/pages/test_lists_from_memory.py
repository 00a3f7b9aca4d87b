"""Lists that are made of what is in memory say what the database says, and leave it alone."""

from __future__ import annotations

import msgspec
import pytest

from liuying.core.catalogue import service, sort_index
from liuying.core.catalogue.schemas import ListedVideo, as_sent
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.sort_orders import SORT_ORDERS, SortOrder
from liuying.installation.services import Services
from liuying.kit.envelope import Page
from liuying.kit.paging import PageRequest
from liuying.workflows.editing import set_hidden
from tests.conftest import Client
from tests.moments import moment_after
from tests.pages.catalogue_churn import CatalogueChurn, view

PATH = "/api/videosort/1"
FIRST = PageRequest(1, 12)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def orders(filled: Services, orders: SortIndex) -> SortIndex:
    """Orders that follow the filled catalogue, and know the first videos of category 1."""
    follow(filled, orders)
    from_database(filled, orders)
    return orders


def follow(services: Services, orders: SortIndex) -> None:
    built = orders._built
    with services.database.read() as connection:
        orders.follow(connection, moment_after(connection, built.seq if built else 0))


def from_database(
    services: Services, orders: SortIndex, order: SortOrder = "new", request: PageRequest = FIRST
) -> Page[ListedVideo]:
    with services.database.read() as connection:
        return service.list_category(connection, orders, 1, order, request, PATH)


def from_memory(
    orders: SortIndex, order: SortOrder = "new", request: PageRequest = FIRST
) -> Page[ListedVideo] | None:
    return service.list_known_category(orders, 1, order, request, PATH)


def test_they_say_what_the_database_says_after_any_changes(
    filled: Services, orders: SortIndex
) -> None:
    churn = CatalogueChurn(filled, 5, ["★ 收起", "放出", "新"], [1, 2])

    def watch() -> None:
        view(filled, {one: churn.dice.randrange(1, 400) for one in churn.some(3)})

    steps = [*churn.steps(), watch]
    for _ in range(25):
        churn.dice.choice(steps)()
        follow(filled, orders)
        for order in SORT_ORDERS:
            for request in (FIRST, PageRequest(2, 5)):
                # What memory says before the database is asked is right already, or nothing.
                before = from_memory(orders, order, request)
                fresh = SortIndex(filled.database, filled.hashes)
                expected = from_database(filled, fresh, order, request)
                assert before is None or as_sent(before) == as_sent(expected)
                assert as_sent(from_database(filled, orders, order, request)) == as_sent(expected)
                assert from_memory(orders, order, request) is not None


def test_items_are_sent_as_they_would_be_encoded(filled: Services, orders: SortIndex) -> None:
    page = from_database(filled, orders)
    plain = Page([one.item for one in page.data], page.total, page.per_page, page.next_page_url)
    assert len(page.data) > 1
    assert msgspec.json.encode(as_sent(page)) == msgspec.json.encode(plain)


def test_a_change_that_was_followed_is_not_shown_as_it_was(
    filled: Services, orders: SortIndex
) -> None:
    known = from_memory(orders)
    assert known is not None
    changed = known.data[0].item.id
    view(filled, {changed: 3})
    follow(filled, orders)
    assert from_memory(orders) is None
    from_database(filled, orders)
    renewed = from_memory(orders)
    assert renewed is not None
    assert renewed.data[0].item.page_views == known.data[0].item.page_views + 3
    set_hidden(filled, [changed], is_hidden=True)
    follow(filled, orders)
    from_database(filled, orders)
    without = from_memory(orders)
    assert without is not None
    assert changed not in [one.item.id for one in without.data]


def test_memory_that_nobody_kept_current_lately_says_nothing(
    orders: SortIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert from_memory(orders) is not None
    monkeypatch.setattr(sort_index, "FOLLOWED_WITHIN_S", -1.0)
    assert from_memory(orders) is None


def test_what_was_never_followed_says_nothing(filled: Services) -> None:
    unfollowed = SortIndex(filled.database, filled.hashes)
    unfollowed.build()
    from_database(filled, unfollowed)
    assert from_memory(unfollowed) is None


@pytest.mark.parametrize("path", ["/api/videosort/1", "/api/videoshare?type=1"])
def test_an_answer_out_of_memory_asks_no_database(
    client: Client, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = client.application
    application.orders.build()
    application.look_for_changes()
    first = client.rescont(path)
    # Its address is another one: what is kept of the first does not answer it.
    other = path + ("&" if "?" in path else "?") + "page=1"

    def refuse(*_values: object, **_query: object) -> None:
        raise AssertionError("the database was asked")

    with monkeypatch.context() as patch:
        patch.setattr(service, "list_category", refuse)
        assert client.rescont(other) == first
