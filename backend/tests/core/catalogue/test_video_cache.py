"""What is kept of videos is what the database says, on both databases, whatever changes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import sqlalchemy as sa

from liuying.core.catalogue import video_cache
from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.change_log import VideoLog, note_all_changed, note_changed
from liuying.core.catalogue.tables import video, video_change
from liuying.core.catalogue.video_cache import VideoCache
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, record_change
from tests.moments import moment_after


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Titles:
    """Titles by video, with a note of what was read of them."""

    def __init__(self, most: int = 100) -> None:
        self.kept: VideoCache[str] = VideoCache(most)
        self.read_ids: list[int] = []

    def find(self, connection: sa.Connection, *ids: int) -> dict[int, str]:
        return self.kept.find(connection, ids, self._read)

    def ask(self, services: Services, *ids: int) -> list[int]:
        """Look at some videos, and return which of them were read for it."""
        self.read_ids = []
        with services.database.read() as connection:
            found = self.find(connection, *ids)
            statement = sa.select(video.c.id, video.c.title).where(video.c.id.in_(ids))
            assert found == {row.id: row.title for row in connection.execute(statement)}
        return self.read_ids

    def _read(self, connection: sa.Connection, ids: Sequence[int]) -> dict[int, str]:
        self.read_ids += ids
        statement = sa.select(video.c.id, video.c.title).where(video.c.id.in_(ids))
        return {row.id: row.title for row in connection.execute(statement)}


def rename(services: Services, video_id: int, *topics: CacheTopic, is_all: bool = False) -> None:
    with services.database.write() as connection:
        connection.execute(
            sa.update(video).where(video.c.id == video_id).values(title=video.c.title + "。")
        )
        note_all_changed(connection) if is_all else note_changed(connection, [video_id])
        record_change(connection, *topics)


def test_what_is_known_is_not_read_again(filled: Services) -> None:
    titles = Titles()
    assert titles.ask(filled, 101, 102) == [101, 102]
    assert titles.ask(filled, 102, 103, 101) == [103]
    assert titles.ask(filled, 101, 999_999) == [999_999]


def test_a_change_of_one_video_is_read_alone(filled: Services) -> None:
    titles = Titles()
    titles.ask(filled, 101, 102)
    rename(filled, 101, CacheTopic.VIEWS)
    assert titles.ask(filled, 101, 102) == [101]


def test_a_change_of_the_catalogue_drops_everything(filled: Services) -> None:
    titles = Titles()
    titles.ask(filled, 101, 102)
    rename(filled, 101, CacheTopic.CATALOGUE)
    assert titles.ask(filled, 101, 102) == [101, 102]


@pytest.mark.parametrize("kind", ["all", "many", "lost"])
def test_a_log_that_does_not_tell_drops_everything(
    filled: Services, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = Titles()
    rename(filled, 101, CacheTopic.VIEWS)
    titles.ask(filled, 101, 102)
    monkeypatch.setattr(video_cache, "MAX_CHANGES", 2)
    for _ in range(3):
        rename(filled, 101, CacheTopic.VIEWS, is_all=kind == "all")
    if kind == "lost":
        with filled.database.write() as connection:
            newest = sa.select(sa.func.max(video_change.c.seq)).scalar_subquery()
            connection.execute(sa.delete(video_change).where(video_change.c.seq < newest))
    assert titles.ask(filled, 101, 102) == [101, 102]


def test_only_so_many_are_kept_the_last_used(filled: Services) -> None:
    titles = Titles(most=2)
    titles.ask(filled, 101, 102)
    titles.ask(filled, 101)
    titles.ask(filled, 103)
    assert len(titles.kept) == 2
    assert titles.ask(filled, 101, 103) == []


@pytest.mark.parametrize(
    "engine", ["sqlite"], indirect=True
)  # PostgreSQL shows every statement the newest state
def test_whoever_sees_an_older_state_neither_takes_nor_leaves_anything(filled: Services) -> None:
    titles = Titles()
    with filled.database.read() as old:
        before = titles.find(old, 101)  # its state begins here
        rename(filled, 101, CacheTopic.VIEWS)
        titles.ask(filled, 101)
        assert titles.find(old, 101) == before
        titles.find(old, 102)
    assert titles.ask(filled, 101, 102) == [102]


def test_where_an_older_database_was_put_in_place_all_is_forgotten(filled: Services) -> None:
    titles = Titles()
    rename(filled, 101, CacheTopic.VIEWS)
    titles.ask(filled, 101)
    assert titles.kept.known([101]) is not None
    with filled.database.write() as connection:  # as it was before
        newest = sa.select(sa.func.max(video_change.c.seq)).scalar_subquery()
        connection.execute(sa.delete(video_change).where(video_change.c.seq == newest))
        connection.execute(sa.update(video).where(video.c.id == 101).values(title="从前"))
    with filled.database.read() as connection:
        titles.kept.follow(connection)
    assert titles.kept.known([101]) is None
    assert titles.ask(filled, 101) == [101]
    assert titles.kept.known([101]) == ["从前"]


def test_the_rest_is_followed_where_another_reader_was_ahead_in_part(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL shows each statement its own state: two readers may each be ahead in another
    number.
    """
    titles = Titles()
    titles.ask(filled, 105)
    now = video_cache._stamp_of
    with filled.database.read() as connection:
        older = now(connection, change_log)
    rename(filled, 105, CacheTopic.CATALOGUE)
    with filled.database.read() as connection:
        newer = now(connection, change_log)
    assert (newer.catalogue > older.catalogue, newer.videos > older.videos) == (True, True)
    titles.kept._stamp = video_cache._Stamp(older.catalogue, newer.videos)
    seen = [video_cache._Stamp(newer.catalogue, older.videos)]

    def in_part(connection: sa.Connection, log: VideoLog) -> video_cache._Stamp:
        return seen.pop() if seen else now(connection, log)

    monkeypatch.setattr(video_cache, "_stamp_of", in_part)
    with filled.database.read() as connection:
        titles.kept.follow(connection)
    assert titles.kept.known([105]) is None


def test_more_changes_than_a_look_finds_drop_no_others(filled: Services) -> None:
    titles = Titles()
    titles.ask(filled, 101, 102)
    with filled.database.read() as connection:
        since = change_log.newest_number(connection)
    with filled.database.write() as connection:
        note_changed(connection, [102, *range(1000, 1000 + change_log.LOOKED_AT_ONCE)])
        record_change(connection, CacheTopic.VIEWS)
    with filled.database.read() as connection:
        titles.kept.follow(connection, moment_after(connection, since))
    assert (titles.kept.known([101]), titles.kept.known([102])) == (["视频 101"], None)


def test_another_reader_who_follows_meanwhile_is_no_restored_database(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = Titles()
    titles.ask(filled, 101, 102)
    now = video_cache._stamp_of

    def overtaken(connection: sa.Connection, log: VideoLog) -> video_cache._Stamp:
        stamp = now(connection, log)
        monkeypatch.setattr(video_cache, "_stamp_of", now)
        rename(filled, 102, CacheTopic.VIEWS)
        titles.ask(filled, 102)
        monkeypatch.setattr(video_cache, "_stamp_of", overtaken)
        return stamp

    monkeypatch.setattr(video_cache, "_stamp_of", overtaken)
    with filled.database.read() as connection:
        titles.kept.follow(connection)
    assert titles.kept.known([101]) == ["视频 101"]


def test_what_was_dropped_is_reported_once(filled: Services) -> None:
    titles = Titles()
    titles.ask(filled, 101, 102, 103)
    rename(filled, 102, CacheTopic.VIEWS)
    rename(filled, 105, CacheTopic.VIEWS)
    titles.ask(filled, 101)
    assert titles.kept.take_dropped() == [102]
    rename(filled, 101, CacheTopic.CATALOGUE)
    titles.ask(filled, 102)
    assert sorted(titles.kept.take_dropped()) == [101, 103]
    assert titles.kept.take_dropped() == []
