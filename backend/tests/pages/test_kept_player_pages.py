"""What is kept of player pages and similar videos is what the database says, on both databases."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.catalogue import sort_index
from liuying.core.catalogue.age_gate import set_category_gated
from liuying.core.catalogue.editing import edit_artist, edit_category, remove_label, rename_label
from liuying.core.catalogue.schemas import as_sent
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.tables import artist, label
from liuying.http.application import Application
from liuying.installation.services import Services
from liuying.kit.errors import NotFoundError
from liuying.pages import player
from liuying.pages.player import PlayInfos, play_info, similar_videos
from liuying.pages.schemas import PlayInfo
from liuying.workflows.bulk_editing import BulkChange, edit_many
from liuying.workflows.editing import edit_video, set_hidden
from liuying.workflows.purging import purge_video
from liuying.workflows.removal import remove_videos
from liuying.workflows.subtitle_files import set_subtitle
from liuying.workflows.video_meta import GivenMeta
from tests.pages.catalogue_churn import CatalogueChurn, view


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def follow(services: Services, orders: SortIndex) -> None:
    with services.database.read() as connection:
        orders.follow(connection)


def said(services: Services, infos: PlayInfos, video_id: int) -> bytes | None:
    with services.database.read() as connection:
        try:
            return msgspec.json.encode(infos.find(connection, video_id))
        except NotFoundError:
            return None


def test_pages_say_what_the_database_says_after_any_changes(
    filled: Services, orders: SortIndex
) -> None:
    infos = PlayInfos(orders)
    churn = CatalogueChurn(filled, 9, ["★ 收起", "放出", "新"], [1, 2])

    def watch() -> None:
        view(filled, {one: churn.dice.randrange(1, 400) for one in churn.some(3)})

    steps = [*churn.steps(), watch, watch]
    for _ in range(25):
        churn.dice.choice(steps)()
        follow(filled, orders)
        for video_id in churn.some(4):
            # Kept, and as it is read.
            assert said(filled, infos, video_id) == said(filled, PlayInfos(orders), video_id)


SUBTITLE = "1\n00:00:01,000 --> 00:00:02,000\n你好\n".encode()
EDITS: dict[str, Callable[[Services], object]] = {
    "title": lambda services: edit_video(services, 101, GivenMeta(title="别的")),
    "description": lambda services: edit_video(services, 101, GivenMeta(description="说明")),
    "labels": lambda services: edit_video(services, 101, GivenMeta(labels=("新的",))),
    "artists": lambda services: edit_video(services, 101, GivenMeta(artists=("新人",))),
    "category": lambda services: edit_video(services, 101, GivenMeta(category=3)),
    "many": lambda services: edit_many(services, [101], BulkChange(add_labels=("许多",))),
    "hidden": lambda services: set_hidden(services, [101], is_hidden=True),
    "removed": lambda services: remove_videos(services, [101]),
    "purged": lambda services: purge_video(services, 101),
    "subtitle": lambda services: set_subtitle(services, 101, "zh", SUBTITLE),
    "name of a category": lambda services: written(
        services, lambda connection: edit_category(connection, 2, "改名", None, None)
    ),
    "name of an artist": lambda services: written(
        services,
        lambda connection: edit_artist(
            connection, numbered(connection, artist, "作者1"), "改名", None, None
        ),
    ),
    "name of a label": lambda services: written(
        services,
        lambda connection: rename_label(connection, numbered(connection, label, "标签1"), "改名"),
    ),
    "label removed": lambda services: written(
        services,
        lambda connection: remove_label(connection, numbered(connection, label, "标签1")),
    ),
    "gate": lambda services: written(
        services, lambda connection: set_category_gated(connection, 2, is_gated=True)
    ),
    "another video of the artist": lambda services: set_hidden(services, [105], is_hidden=True),
}


def written(services: Services, write: Callable[[sa.Connection], object]) -> None:
    with services.database.write() as connection:
        write(connection)


def numbered(connection: sa.Connection, table: sa.Table, name: str) -> int:
    statement = sa.select(table.c.id).where(table.c.name == name)
    return int(connection.execute(statement).scalar_one())


@pytest.mark.parametrize("edit", EDITS)
def test_whatever_a_page_shows_is_read_again_after_a_change_of_it(
    filled: Services, orders: SortIndex, edit: str
) -> None:
    infos = PlayInfos(orders)
    before = said(filled, infos, 101)
    EDITS[edit](filled)
    after = said(filled, infos, 101)
    assert after == said(filled, PlayInfos(orders), 101)
    assert after != before


def test_a_change_while_a_page_is_read_is_not_lost(
    filled: Services, orders: SortIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    infos = PlayInfos(orders)

    def late(connection: sa.Connection, known: SortIndex, video_id: int) -> PlayInfo:
        found = play_info(connection, known, video_id)
        if connection.dialect.name == "sqlite":
            connection.rollback()  # A reader's view ends before a writer's begins.
        edit_video(filled, 101, GivenMeta(title="刚改的"))
        return found

    monkeypatch.setattr(player, "play_info", late)
    said(filled, infos, 101)
    monkeypatch.undo()
    with filled.database.read() as connection:
        assert infos.find(connection, 101).title == "刚改的"


def test_what_was_chosen_before_the_orders_followed_is_not_kept(
    filled: Services, orders: SortIndex
) -> None:
    with filled.database.read() as connection:
        first = similar_videos(connection, orders, 101, 1).data[0].item.id
    set_hidden(filled, [first], is_hidden=True)
    similar(filled, orders, 101)
    assert len(orders.similar) == 0
    follow(filled, orders)
    fresh = SortIndex(filled.database, filled.hashes)
    assert similar(filled, orders, 101) == similar(filled, fresh, 101)
    assert len(orders.similar) == 1


def test_another_log_with_the_same_numbers_means_nothing_kept(filled: Services) -> None:
    application = Application(filled)
    infos, orders = application._play_infos, application.orders
    said(filled, infos, 101)
    searches = application._search_orders
    similar(filled, orders, 101)
    with filled.database.read() as connection:
        searches.find(connection, infos.find(connection, 101).title, 0, 24)
    assert (len(infos._kept), len(orders.similar), searches.held_bytes > 0) == (1, 1, True)
    application._begin_anew()
    assert (len(infos._kept), len(orders.similar), searches.held_bytes) == (0, 0, 0)


def statements(services: Services) -> list[str]:
    asked: list[str] = []
    sa.event.listen(
        services.database.engine, "before_cursor_execute", lambda *event: asked.append(event[2])
    )
    return asked


def test_views_alone_cost_a_page_no_statements_of_its_own(
    filled: Services, orders: SortIndex
) -> None:
    infos = PlayInfos(orders)
    said(filled, infos, 101)
    view(filled, {101: 77})
    with filled.database.read() as connection:
        expected = play_info(connection, orders, 101)
        asked = statements(filled)
        found = infos.find(connection, 101)
    assert found == expected
    assert not any("FROM video" in one for one in asked)


@pytest.mark.parametrize("video_id", [999_999, 2**31 - 1, 2**63, 2**70])
def test_an_unknown_video_is_not_found_and_not_kept(
    filled: Services, orders: SortIndex, video_id: int
) -> None:
    infos = PlayInfos(orders)
    assert said(filled, infos, video_id) is None
    assert len(infos._kept) == 0


def similar(services: Services, orders: SortIndex, video_id: int) -> object:
    with services.database.read() as connection:
        return as_sent(similar_videos(connection, orders, video_id, 1))


def test_similar_videos_are_chosen_again_after_changes_but_not_after_views(
    filled: Services, orders: SortIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chosen() -> list[int]:
        with filled.database.read() as connection:
            similar_videos(connection, orders, 101, 1)
        found = orders.similar._kept[101].value
        return list(found)

    first = chosen()
    kept = orders.similar._kept[101]
    view(filled, {101: 5, first[0]: 10**6})
    follow(filled, orders)
    chosen()
    assert orders.similar._kept[101] is kept
    set_hidden(filled, [first[0]], is_hidden=True)
    follow(filled, orders)
    assert first[0] not in chosen()
    edit_video(filled, 101, GivenMeta(title="别的"))
    follow(filled, orders)
    kept = orders.similar._kept[101]
    chosen()
    assert orders.similar._kept[101] is not kept
    assert orders.similar._lifetime_s == sort_index.SIMILAR_LIFETIME_S
    monkeypatch.setattr(orders.similar, "_lifetime_s", 0.0)
    kept = orders.similar._kept[101]
    chosen()
    assert orders.similar._kept[101] is not kept
    assert sort_index.SIMILAR_LIFETIME_S > 0


def test_beside_a_removed_video_are_the_most_watched(filled: Services, orders: SortIndex) -> None:
    assert similar(filled, orders, 101) != similar(filled, orders, 999_999)
    set_hidden(filled, [101], is_hidden=True)
    follow(filled, orders)
    assert similar(filled, orders, 101) == similar(filled, orders, 999_999)
    assert 999_999 not in orders.similar._kept
