"""Lists that are put together without the framework are what it answers, and only where they are
asked for plainly.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from liuying.core.catalogue import sort_index
from liuying.features.embedding.schemas import Perks
from liuying.features.embedding.service import add_vendor
from liuying.installation.services import Services
from liuying.workflows.editing import set_hidden
from tests.catalogue_factory import NOW
from tests.conftest import Client
from tests.pages.catalogue_churn import view

PATHS = [
    "/api/videosort/0?",
    "/api/videosort/1?",
    "/api/videosort/999?",
    "/api/videoshare?",
    "/api/videoshare?type=1&",
]
PLAIN = [
    "",
    "orderby=new&page=1",
    "orderby=hot",
    "page=2&orderby=hot",
    "page=1000000",
    "orderby=new&after=1795000000000_9&page=2",
    "after=-5_0",
    "after=&uuid=1",
]
LOOSE = [
    *(
        "page=0",
        "page=01",
        "page=1000001",
        "page=99999999999",
        "page=1e3",
        "page=%31",
        "page=１",
        "page=-1",
        "page=",
    ),
    *(
        "page=1&page=1",
        "page",
        "orderby=old",
        "orderby=",
        "orderby=NEW",
        "orderby=hot&orderby=hot",
        "p%61ge=1",
    ),
    *("after=x", "after=1", "after=1_", "after=1_2_3", "after=12345678901234567_1", "after=1_1%0A"),
    *(
        "uuid=",
        "uuid=2",
        "uuid=1&uuid=1",
        "uuid=k3v9qmpa",
        "&",
        "&&&",
        "page=1&",
        "other=1",
        "type=1&type=1",
        "type=x",
    ),
]
ELSEWHERE = [
    *(
        "/api/videosort/",
        "/api/videosort",
        "/api/videosort/01",
        "/api/videosort/-1",
        "/api/videosort/2147483648",
    ),
    *(
        "/api/videosort/x",
        "/api/videosort/1/",
        "/api/videosort/%31",
        "/api/videosharex",
        "/api/videoshare/",
        "/api/videos",
    ),
    *("/api/videoshare?type=2147483648", "/api/videoshare?type=01", "/api/videoshare?type="),
]
ENCODINGS = {"accept-encoding": "gzip"}


@pytest.fixture
def ready(filled: Services, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """A site that has its lists in memory, and has shown every video."""
    # Nothing follows the logs beside a test, which a busy machine may hold up for longer.
    monkeypatch.setattr(sort_index, "FOLLOWED_WITHIN_S", 3600.0)
    client = Client(filled)
    client.application.orders.build()
    client.application.look_for_changes()
    for order in ("new", "hot"):
        for path in PATHS:
            for page in range(1, 4):
                client.get(f"{path}orderby={order}&page={page}&&")
    yield client
    client.close()


@pytest.fixture
def plain(filled: Services) -> Iterator[Client]:
    """A site that has nothing in memory."""
    client = Client(filled)
    yield client
    client.close()


def composed(client: Client) -> int:
    return client.application.response_cache.counts.composed


def said(answer: httpx.Response) -> tuple[int, bytes, list[tuple[bytes, bytes]]]:
    return answer.status_code, answer.content, answer.headers.raw


@pytest.mark.parametrize("path", PATHS)
def test_they_are_what_the_framework_answers(ready: Client, plain: Client, path: str) -> None:
    for number, query in enumerate(PLAIN, 1):
        address = (path + query).rstrip("?&")
        for headers in ({}, ENCODINGS):
            assert said(ready.get(address, headers)) == said(plain.get(address, headers)), address
        # Once for each address: it is kept from then on.
        assert composed(ready) == number, address
    assert composed(plain) == 0


@pytest.mark.parametrize("query", LOOSE)
def test_what_is_said_in_another_way_is_left_to_the_framework(
    ready: Client, plain: Client, query: str
) -> None:
    for path in PATHS:
        if "type=" in query and "share" not in path:
            continue
        assert said(ready.get(path + query)) == said(plain.get(path + query)), path
    assert composed(ready) == 0


@pytest.mark.parametrize("address", ELSEWHERE)
def test_other_addresses_are_left_to_the_framework(
    ready: Client, plain: Client, address: str
) -> None:
    assert said(ready.get(address)) == said(plain.get(address))
    assert composed(ready) == 0


def test_a_head_request_has_no_body(ready: Client, plain: Client) -> None:
    address = "/api/videosort/1?orderby=new&page=1"
    assert said(ready.request("HEAD", address)) == said(plain.request("HEAD", address))
    assert composed(ready) == 1
    assert ready.get(address).content == plain.get(address).content


def test_a_change_is_shown_from_the_next_look_on(ready: Client) -> None:
    address = "/api/videosort/1?orderby=new&page=1"
    before = ready.rescont(address)["data"][0]
    view(ready.services, {before["id"]: 3})
    ready.application.look_for_changes()
    assert ready.rescont(address)["data"][0]["pageviews"] == before["pageviews"] + 3


def test_nothing_is_put_together_of_what_cannot_be_followed(
    ready: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A video that was taken down meanwhile must not come back."""
    first = ready.rescont("/api/videosort/1?page=1")["data"][0]["id"]
    assert composed(ready) == 1
    watcher = ready.application._watcher

    def failing(*_: object) -> None:
        raise RuntimeError("unfollowable")

    with monkeypatch.context() as patch:
        patch.setattr(watcher, "_follow", failing)
        set_hidden(ready.services, [first], is_hidden=True)
        asyncio.run(watcher.look())
        shown = [one["id"] for one in ready.rescont("/api/videosort/1?page=1")["data"]]
        assert (first in shown, composed(ready)) == (False, 1)
    asyncio.run(watcher.look())
    ready.get("/api/videosort/1?page=1&&")  # reads the videos again
    ready.get("/api/videosort/1?page=1&orderby=new")
    assert composed(ready) == 2


def test_headers_are_those_of_now(ready: Client, plain: Client) -> None:
    with ready.services.database.write() as connection:
        add_vendor(
            connection,
            ready.services.hashes,
            "acme",
            "艾克米",
            "https://partner.example",
            Perks(),
            NOW,
        )
    for client in (ready, plain):
        client.application.look_for_changes()
    first, second = (client.get("/api/videosort/1?page=1") for client in (ready, plain))
    assert "partner.example" in first.headers["content-security-policy"]
    assert said(first) == said(second)
