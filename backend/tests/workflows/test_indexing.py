"""The index follows every change in its own transaction, is built in batches, and says where it is
wrong.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.editing import edit_artist, rename_label
from liuying.core.catalogue.tables import artist, label, video
from liuying.features.search.queries import documents
from liuying.features.search.queries.engines import engine_of
from liuying.features.search.queries.matches import ordered_ids
from liuying.features.search.queries.spellings import SPELLED, names_beginning
from liuying.features.search.tables import (
    search_document,
    search_spelling,
    search_start,
    search_state,
)
from liuying.installation.migrating import migrate
from liuying.installation.services import Services
from liuying.pages.ranks import aggregate_views
from liuying.workflows import indexing
from liuying.workflows.indexing import check_index, reindex_video, reindex_videos
from tests.catalogue_factory import NOW
from tests.conftest import Client


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def found(services: Services, keyword: str) -> list[int]:
    with services.database.read() as connection:
        return sorted(ordered_ids(connection, keyword))


def is_right(services: Services) -> bool:
    with services.database.read() as connection:
        return check_index(connection).is_right


def change(services: Services, video_id: int, **values: object) -> None:
    with services.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == video_id).values(**values))
        reindex_video(connection, video_id)


def test_what_is_edited_hidden_or_removed_is_found_accordingly(filled: Services) -> None:
    assert found(filled, "视频 105") == [105]
    change(filled, 105, title="潮汐表")
    assert (found(filled, "视频 105"), found(filled, "潮汐")) == ([], [105])
    change(filled, 105, is_hidden=True)
    assert found(filled, "潮汐") == []
    change(filled, 105, is_hidden=False, title="★潮汐表")
    assert found(filled, "潮汐") == []
    change(filled, 105, title="潮★汐表")
    assert found(filled, "★汐") == [105]
    with filled.database.write() as connection:
        connection.execute(sa.delete(video).where(video.c.id == 105))
        reindex_video(connection, 105)
    assert found(filled, "★汐") == []
    assert is_right(filled)


def test_a_renamed_label_and_artist_are_found_by_the_new_name(filled: Services) -> None:
    before = found(filled, "标签1")
    with filled.database.write() as connection:
        number = connection.execute(
            sa.select(label.c.id).where(label.c.name == "标签1")
        ).scalar_one()
        reindex_videos(connection, rename_label(connection, number, "灯塔"))
        number = connection.execute(
            sa.select(artist.c.id).where(artist.c.name == "作者2")
        ).scalar_one()
        reindex_videos(connection, edit_artist(connection, number, "望舒", None, None))
    assert (found(filled, "灯塔"), found(filled, "标签1")) == (before, [])
    assert found(filled, "望舒") == found(filled, "wangshu") != []
    with filled.database.read() as connection:
        spelled = {
            one: connection.execute(names_beginning(connection, one)).scalars().all()
            for one in ("wangs", "灯")
        }
    assert spelled == {"wangs": ["望舒"], "灯": ["灯塔"]}
    assert is_right(filled)


def test_a_refused_change_leaves_the_index_as_it_was(filled: Services) -> None:
    with suppress(KeyError), filled.database.write() as connection:
        connection.execute(sa.update(video).where(video.c.id == 105).values(title="潮汐表"))
        reindex_video(connection, 105)
        raise KeyError
    assert (found(filled, "视频 105"), found(filled, "潮汐")) == ([105], [])
    assert is_right(filled)


def test_an_older_index_is_built_anew_by_several_processes(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled.database.write() as connection:
        engine_of(connection).clear(connection)
        connection.execute(sa.delete(search_document))
        connection.execute(sa.delete(search_start))
        spelled = connection.execute(
            sa.update(search_spelling).values(readings="x").returning(SPELLED.text)
        ).all()
        connection.execute(
            sa.update(search_state).values(version=0, last_video_id=77, is_complete=True)
        )
    monkeypatch.setattr(indexing, "BATCH", 7)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(migrate, [filled.database] * 3))
    assert found(filled, "视频 105") == [105]
    assert found(filled, "站务") == []
    assert is_right(filled)
    with filled.database.read() as connection:
        again = connection.execute(sa.select(SPELLED.text).where(SPELLED.readings != "x")).all()
        assert sorted(again) == sorted(spelled) != []


def test_an_interrupted_build_goes_on_where_it_was(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    with filled.database.write() as connection:
        connection.execute(sa.update(search_state).values(version=0))
        state = documents.lock_state(connection)
        assert (state.last_video_id, state.is_complete) == (0, False)
    monkeypatch.setattr(indexing, "BATCH", 10)
    with filled.database.write() as connection:
        assert indexing._build_batch(connection) is False
    assert found(filled, "视频") == list(range(100, 110))
    migrate(filled.database)
    assert len(found(filled, "视频")) == 39
    assert is_right(filled)


def test_the_check_names_what_is_wrong(filled: Services) -> None:
    assert is_right(filled)
    with filled.database.write() as connection:
        documents.forget_documents(connection, [101])
        connection.execute(sa.update(video).where(video.c.id == 102).values(title="别名"))
        connection.execute(sa.update(video).where(video.c.id == 103).values(is_hidden=True))
        entry = documents.stored_documents(connection, [104])[0].entry
        engine_of(connection).remove(connection, [entry])
        found = check_index(connection)
    assert (found.missing, found.stale, found.surplus, found.broken) == ([101], [102], [103], [104])
    assert not found.is_right


def test_views_reach_the_order_of_a_search(client: Client) -> None:
    assert client.rescont("/api/videoSearch?serach=作者1")["data"][0]["id"] != 101
    with client.services.database.write() as connection:
        connection.execute(
            sa.text("INSERT INTO view_pending(video_id, views) VALUES (101, 1000000)")
        )
    aggregate_views(client.services.database, NOW)
    client.application.look_for_changes()
    assert client.rescont("/api/videoSearch?serach=作者1")["data"][0]["id"] == 101
    assert is_right(client.services)
