"""What is in memory before the first visitor is answered, and again after a change."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
import sqlalchemy as sa

from liuying.core.catalogue import service, sort_index
from liuying.core.catalogue.queries.change_log import note_changed
from liuying.core.catalogue.queries.listing import LISTED
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.tables import video
from liuying.features.search.names_index import NamesIndex
from liuying.http import index_builder
from liuying.http.application import Application
from liuying.http.index_builder import IndexBuilder
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, record_change


class Texts:
    """Searchable texts whose build waits until it may end, or fails so many times."""

    def __init__(self, failures: int = 0) -> None:
        self.is_ready = False
        self.saves = 0
        self.is_ended = False
        self.may_end = threading.Event()
        self.failures = failures

    def build(self) -> None:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("the database does not answer")
        self.may_end.wait(20)
        self.is_ready = True

    def save(self) -> None:
        self.saves += 1

    def end(self) -> None:
        self.is_ended = True


@pytest.fixture
def orders(filled: Services) -> SortIndex:
    return SortIndex(filled.database, filled.hashes)


def builder_of(services: Services, orders: SortIndex, texts: Texts) -> IndexBuilder:
    names = NamesIndex(services.database)
    return IndexBuilder(services.database, orders, texts, names)  # type: ignore[arg-type]  # all that it uses of them


def listed_ids(services: Services) -> list[int]:
    with services.database.read() as connection:
        return list(connection.execute(sa.select(video.c.id).where(LISTED)).scalars())


def test_everything_is_in_memory_before_the_first_connection(filled: Services) -> None:
    application = Application(filled)
    found: list[tuple[bool, bool, int]] = []

    async def live() -> None:
        is_started = asyncio.Event()

        async def receive() -> dict[str, str]:
            if not found:
                return {"type": "lifespan.startup"}
            await is_started.wait()
            return {"type": "lifespan.shutdown"}

        async def send(_message: dict[str, str]) -> None:
            orders, texts = application.orders, application.texts
            found.append((orders.is_ready, texts.is_ready, len(orders.items)))
            is_started.set()

        scope: Any = {"type": "lifespan", "state": {}}
        await application(scope, receive, send)

    asyncio.run(live())
    assert found[0] == (True, True, len(listed_ids(filled)))


def test_a_long_build_keeps_nobody_waiting(
    filled: Services, orders: SortIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_builder, "BEFORE_ANSWERING_S", 0.01)
    texts = Texts()
    builder = builder_of(filled, orders, texts)

    async def live() -> None:
        await builder.begin()
        states.append(texts.is_ready)
        running = asyncio.create_task(builder.run())
        texts.may_end.set()
        while not texts.saves:
            await asyncio.sleep(0)
        assert not texts.is_ended
        running.cancel()

    states: list[bool] = []
    asyncio.run(live())
    assert states == [False]
    assert texts.is_ready
    assert texts.is_ended


def test_a_build_that_fails_is_tried_again(
    filled: Services, orders: SortIndex, caplog: pytest.LogCaptureFixture
) -> None:
    texts = Texts(failures=2)
    texts.may_end.set()
    builder = builder_of(filled, orders, texts)

    async def live() -> None:
        await builder.begin()
        running = asyncio.create_task(builder.run())
        while not texts.is_ready:
            await asyncio.sleep(0)
        running.cancel()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(index_builder, "INTERVAL_S", 0.0)
        patched.setattr(index_builder, "SHARE_OF_TIME", 0)
        asyncio.run(live())
    assert "could not be read into memory" in caplog.text


@pytest.mark.parametrize("topic", [CacheTopic.VIEWS, CacheTopic.CATALOGUE])
def test_items_that_changed_are_read_again_beside(
    filled: Services, orders: SortIndex, topic: CacheTopic
) -> None:
    texts = Texts()
    texts.may_end.set()
    builder = builder_of(filled, orders, texts)
    asyncio.run(builder.begin())
    ids = listed_ids(filled)
    with filled.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == ids[0]).values(title="改了"))
        note_changed(connection, ids[:1])
        record_change(connection, topic)
    with filled.database.read() as connection:
        orders.follow(connection)
    assert orders.items.known(ids) is None
    asyncio.run(builder.begin())
    known = orders.items.known(ids)
    assert known is not None
    assert known[0].item.title == "改了"


def test_of_too_many_videos_the_foremost_are_read(
    filled: Services, orders: SortIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_CACHED_ITEMS", 3)
    monkeypatch.setattr(sort_index, "STEP", 1)
    orders.build()
    service.read_ahead(filled.database, orders)
    with filled.database.read() as connection:
        first = orders.leading(connection, 0, "new", 1)
    assert len(orders.items) == 3
    assert orders.items.known(first)


def test_the_foremost_are_of_every_list_and_each_once(filled: Services, orders: SortIndex) -> None:
    assert orders.foremost(10) == []  # not built
    orders.build()
    everything = orders.foremost(1_000_000)
    assert sorted(everything) == sorted(listed_ids(filled))
    assert orders.foremost(7) == everything[:7]
