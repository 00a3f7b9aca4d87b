"""The texts in memory follow whatever the operator and visitors do, in every process, for readers
of any state.
"""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.editing import rename_label
from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.change_log import note_all_changed
from liuying.core.catalogue.tables import label, video_change
from liuying.features.search import memory_index, segments
from liuying.features.search.memory_index import MemoryIndex
from liuying.features.search.queries import texts
from liuying.features.search.queries.matches import ordered_ids
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.tables import search_document, search_state
from liuying.installation.migrating import migrate
from liuying.installation.services import Services
from liuying.kit.database import Database
from liuying.workflows.editing import edit_video, set_hidden
from liuying.workflows.indexing import reindex_videos
from liuying.workflows.video_meta import GivenMeta
from tests.catalogue_factory import add_category, add_video
from tests.moments import moment_after
from tests.pages.catalogue_churn import CatalogueChurn, view

KEYWORDS = [
    "视",
    "视频",
    "视频 1",
    "1",
    "标签1",
    "作者",
    "作者2",
    "海边",
    "海",
    "灯塔",
    "三十",
    "30 海",
    "shipin",
    "hb",
]
TITLES = ["海边", "海边的灯塔", "在海边", "★ 收起", "第三十集 海边", "灯塔 视频", "视频"]
ALL = 10**6


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Process:
    """What one serving process has in memory."""

    def __init__(self, database: Database) -> None:
        self.index = MemoryIndex(database, change_log)
        self.index.build()
        self.orders = ResultCache(self.index)
        self._database = database

    def look(self) -> None:
        state = self.index._state
        with self._database.read() as connection:
            self.index.follow(connection, moment_after(connection, state.seq if state else 0))

    def differing(self, connection: sa.Connection) -> list[str]:
        """Keywords for which it says something else than the statements do."""
        return [
            keyword
            for keyword in KEYWORDS
            if self.orders.find(connection, keyword, 0, ALL)[0]
            != list(ordered_ids(connection, keyword))
        ]

    def differs(self) -> list[str]:
        with self._database.read() as connection:
            return self.differing(connection)


@pytest.fixture(autouse=True)
def _without_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_index, "REST_S", 0.0)


@pytest.fixture
def process(filled: Services) -> Process:
    return Process(filled.database)


def is_ready(process: Process) -> bool:
    return process.index.is_ready


def test_every_process_says_what_the_statements_say_after_any_changes(
    filled: Services, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_index, "FOLLOWED_AT_ONCE", 3)
    churn, lagging = CatalogueChurn(filled, 13, TITLES, [1]), Process(filled.database)

    def rename_a_label() -> None:
        with filled.database.write() as connection:
            number = connection.execute(sa.select(sa.func.min(label.c.id))).scalar_one()
            reindex_videos(
                connection, rename_label(connection, number, f"海边{churn.dice.randrange(10**9)}")
            )

    def watch() -> None:
        view(filled, {one: 10 ** churn.dice.randrange(1, 8) for one in churn.some(6)})

    for number in range(60):
        churn.dice.choice([*churn.steps(), rename_a_label, watch])()
        if number % 3 == 0:
            process.look()
        assert process.differs() == []
        if number % 20 == 0:
            assert lagging.differs() == []
    assert lagging.differs() == []
    assert is_ready(process)


def test_added_views_change_the_order_alone(filled: Services, process: Process) -> None:
    with filled.database.read() as connection:
        before = process.orders.find(connection, "视频", 0, ALL)[0]
    view(filled, {before[-1]: 10**6})
    asked: list[str] = []
    process.look()
    sa.event.listen(
        filled.database.engine, "before_cursor_execute", lambda *event: asked.append(event[2])
    )
    with filled.database.read() as connection:
        after = process.orders.find(connection, "视频", 0, ALL)[0]
    assert not any("search_" in statement for statement in asked)
    assert sorted(after) == sorted(before)
    assert process.differs() == []


def test_many_changes_are_followed_together_and_a_search_between_sees_them(
    filled: Services, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(memory_index, "REST_S", 0.05)
    monkeypatch.setattr(memory_index, "monotonic", lambda: now)
    with filled.database.read() as connection:
        ids = process.orders.find(connection, "视频", 0, ALL)[0]

    def lag() -> int:
        """How far the texts are behind, and the watcher is told that they are not."""
        with filled.database.read() as connection:
            newest = process.index.newest_number(connection)
        assert process.index._state is not None
        behind = newest - process.index._state.seq
        assert process.index.has_followed(newest) is (behind == 0 or now < 0.05)
        return behind

    for number in range(3):
        view(filled, {ids[-1]: 10**6 + number})
        process.look()
        assert lag() == number
    assert process.differs() == []
    assert lag() == 0
    view(filled, {ids[-1]: 10**7})
    process.look()
    assert lag() == 1
    now = 0.05
    assert lag() == 1
    process.look()
    assert lag() == 0


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_what_comes_while_a_search_catches_up_does_not_keep_it_from_memory(
    filled: Services, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise statements would answer most searches of a site that changes all the time."""
    with filled.database.read() as connection:
        ids = process.orders.find(connection, "视频", 0, ALL)[0]
        view(filled, {ids[-1]: 10**6})
        newest = process.index.newest_number(connection)
        advance = process.index._advance

        def advance_and_lag(*given: Any) -> None:
            advance(*given)
            view(filled, {ids[-1]: 10**7})

        monkeypatch.setattr(process.index, "_advance", advance_and_lag)
        seen = process.index._seen_by(connection, newest)
    assert seen is not None
    assert seen.seq == newest


def test_a_reader_of_an_older_state_is_answered_by_it_and_leaves_nothing(
    filled: Services, process: Process
) -> None:
    if not filled.database.is_sqlite:
        pytest.skip("a connection of PostgreSQL sees what was written last with every statement")
    with filled.database.read() as older:
        before = {keyword: list(ordered_ids(older, keyword)) for keyword in KEYWORDS}
        edit_video(filled, 105, GivenMeta(title="海边的灯塔"))
        set_hidden(filled, [110], is_hidden=True)
        view(filled, {101: 10**6})
        for _ in range(2):
            assert process.differs() == []  # it follows
            assert {one: process.orders.find(older, one, 0, ALL)[0] for one in KEYWORDS} == before
        process.index.follow(older)
        assert is_ready(process)
        assert process.differs() == []


def test_whoever_lags_behind_the_log_reads_anew(filled: Services, process: Process) -> None:
    edit_video(filled, 105, GivenMeta(title="海边"))
    with filled.database.write() as connection:
        note_all_changed(connection)
    assert process.differs() == []  # by the database
    assert not is_ready(process)
    process.index.build()
    assert is_ready(process)
    assert process.differs() == []


def test_a_log_of_another_database_is_not_followed(filled: Services, process: Process) -> None:
    with filled.database.write() as connection:
        connection.execute(sa.delete(video_change))
    assert process.differs() == []
    process.look()
    assert not is_ready(process)


def test_an_index_that_is_built_anew_is_followed(filled: Services, process: Process) -> None:
    with filled.database.write() as connection:
        connection.execute(sa.update(search_state).values(version=0))
    migrate(filled.database)
    assert process.differs() == []
    assert not is_ready(process)


def test_what_changes_while_texts_are_read_is_among_them(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = texts.all_parts

    def read_and_hide(connection: sa.Connection) -> object:
        parts = list(read(connection))
        set_hidden(filled, [105], is_hidden=True)
        return parts

    monkeypatch.setattr(memory_index, "all_parts", read_and_hide)
    assert Process(filled.database).differs() == []


def test_an_empty_catalogue_finds_nothing_until_there_is_something(services: Services) -> None:
    process = Process(services.database)
    assert is_ready(process)
    assert process.differs() == []
    with services.database.write() as connection:
        add_category(connection, 1, "电影")
        add_video(connection, 7, 1, title="海边")
    assert process.differs() == []
    assert is_ready(process)


def test_much_that_is_new_is_joined_and_more_is_read_anew(
    filled: Services, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    for video_id in range(100, 130):
        edit_video(filled, video_id, GivenMeta(title=f"海边 {video_id}"))
        assert process.differs() == []
    state = process.index._state
    assert state is not None
    assert len(state.segments) <= 3
    with filled.database.read() as connection:
        count = connection.execute(
            sa.select(sa.func.count()).select_from(search_document)
        ).scalar_one()
    assert sum(int(one.is_there.sum()) for one in state.segments) == count
    monkeypatch.setattr(memory_index, "READ_AT_ONCE", 1)
    for video_id in range(100, 130):
        edit_video(filled, video_id, GivenMeta(title=f"灯塔 {video_id}"))
    assert process.differs() == []
    assert not is_ready(process)


def test_texts_of_several_ranges_are_followed(
    filled: Services, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changes goes into segments of its own, none larger than a segment may be."""
    state = process.index._state
    assert state is not None
    most = sum(len(one.blocks.units) for one in state.segments) // 3
    monkeypatch.setattr(segments, "MAX_UNITS", most)
    monkeypatch.setattr(texts, "READ_AT_ONCE", 10)
    monkeypatch.setattr(memory_index, "MUCH_LARGER", 1)
    process = Process(filled.database)
    read = process.index._state
    assert read is not None
    assert len(read.base) > 2
    for video_id in range(100, 130):
        edit_video(filled, video_id, GivenMeta(title=f"海边的灯塔 {video_id}" * 5))
        assert process.differs() == []
    state = process.index._state
    assert state is not None
    assert all(len(one.blocks.units) <= most for one in state.segments)
    assert [one.ids.tolist() for one in state.base] == [one.ids.tolist() for one in read.base]


def test_what_changes_again_and_again_does_not_pile_up(
    filled: Services, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is outdated counts too, where segments cannot be joined."""
    monkeypatch.setattr(segments, "MAX_UNITS", 1)
    monkeypatch.setattr(memory_index, "READ_AT_ONCE", 1)
    rebuilt = 0
    for number in range(60):
        edit_video(filled, 100 + number % 2, GivenMeta(title=f"海边 {number}"))
        assert process.differs() == []
        state = process.index._state
        if state is None:
            process.index.build()
            rebuilt += 1
        else:
            read = sum(len(one.ids) for one in state.base)
            assert sum(len(one.ids) for one in state.fresh) * 8 <= read
    assert rebuilt > 0
