"""What is kept of player pages and similar videos is what the database says, on both databases."""

from __future__ import annotations

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.catalogue import sort_index
from liuying.core.catalogue.schemas import as_sent
from liuying.core.catalogue.sort_index import SortIndex
from liuying.installation.services import Services
from liuying.kit.errors import NotFoundError
from liuying.pages.player import PlayInfos, play_info, similar_videos
from liuying.workflows.editing import edit_video, set_hidden
from liuying.workflows.video_meta import GivenMeta
from tests.pages.catalogue_churn import CatalogueChurn, view


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def orders(filled: Services) -> SortIndex:
    built = SortIndex(filled.database, filled.hashes)
    built.build()
    return built


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
    kept = orders.similar._kept[101]
    chosen()
    assert orders.similar._kept[101] is not kept
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
