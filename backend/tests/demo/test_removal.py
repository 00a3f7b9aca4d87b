"""Taking the demo away: all of it, nothing else, and for good."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, category, label, video
from liuying.core.playback.tables import asset
from liuying.features.ads.tables import ad, app_link, banner_tag
from liuying.features.notices.service import write_notice
from liuying.features.notices.tables import notice
from liuying.features.search.tables import hot_group
from liuying.features.topics.tables import topic
from liuying.installation.services import Services
from liuying.kit.provenance import ids_made_by
from liuying.workflows.pictures import FRESH_S
from liuying_demo.fill import fill, is_needed
from liuying_demo.removal import remove_demo
from tests.catalogue_factory import add_ad, add_video
from tests.demo.test_fill import Listener, part
from tests.workflows.aging import aging

TABLES = (video, artist, category, label, ad, app_link, banner_tag, notice, hot_group, topic)


def rows(services: Services) -> dict[str, set[tuple[object, ...]]]:
    """Everything that visitors may see, by table."""
    with services.database.read() as connection:
        return {
            str(table.name): {
                tuple(repr(value) for value in row) for row in connection.execute(sa.select(table))
            }
            for table in TABLES
        }


def objects(services: Services) -> set[str]:
    return {one.key for folder in ("enc/", "media/") for one in services.objects.objects(folder)}


def test_everything_of_the_demo_goes_and_nothing_else(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    with services.database.write() as connection:
        connection.execute(sa.insert(category).values(id=40, name="我的分类", position=40))
        add_video(connection, 500, 40, title="我的视频", labels=["我的标签"], artists=["我"])
        add_ad(connection, 900, "LIST")
        write_notice(connection, "我的公告", "<p>我</p>", 1)
    before, kept = rows(services), objects(services)
    wanted = part(2)
    fill(services, report=Listener(), catalogue=wanted)
    assert rows(services) != before
    # What was stored a moment ago might be about to be shown, and would be left to the sweep.
    aging(services, monkeypatch)(FRESH_S + 1)
    told: list[tuple[int, int]] = []
    assert remove_demo(services, lambda *one: told.append(one), wanted) == 2
    assert told == [(1, 2), (2, 2)]
    assert rows(services) == before
    assert objects(services) == kept
    with services.database.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(asset)) == 1


def test_it_does_not_come_back_by_itself(services: Services) -> None:
    wanted = part(1)
    fill(services, report=Listener(), catalogue=wanted)
    remove_demo(services, lambda *_: None, wanted)
    assert not is_needed(services.database)
    assert remove_demo(services, lambda *_: None, wanted) == 0
    assert not is_needed(services.database)


def test_what_the_operator_renamed_stays(services: Services) -> None:
    wanted = part(2)
    fill(services, report=Listener(), catalogue=wanted)
    renamed = (video, ad, app_link, topic, notice)
    numbers = {}
    with services.database.write() as connection:
        for table in renamed:
            numbers[table.name] = min(ids_made_by(connection, "demo", table.name), default=0)
            connection.execute(
                sa.update(table).where(table.c.id == numbers[table.name]).values(title="我的")
            )
    assert remove_demo(services, lambda *_: None, wanted) == 1
    with services.database.read() as connection:
        for table in renamed:
            if numbers[table.name]:
                assert list(connection.scalars(sa.select(table.c.id))) == [numbers[table.name]]
        kept = connection.scalar(sa.select(video.c.category_id))
        assert kept in list(connection.scalars(sa.select(category.c.id)))


def test_what_the_operator_made_of_it_stays(services: Services) -> None:
    wanted = part(1)
    fill(services, report=Listener(), catalogue=wanted)
    with services.database.write() as connection:
        mine = sorted(ids_made_by(connection, "demo", "ad"))
        # Renamed and pointed elsewhere: the operator's now.
        connection.execute(
            sa.update(ad).where(ad.c.id == mine[0]).values(title="我的", url="https://a.example/")
        )
        # A number that is used again.
        connection.execute(sa.delete(notice))
        number = min(ids_made_by(connection, "demo", "notice"))
        connection.execute(
            sa.insert(notice).values(id=number, title="我的公告", content="<p>我</p>", updated_at=1)
        )
        # The operator's own film in a category of the demo.
        used = connection.scalar(sa.select(video.c.category_id))
        add_video(connection, 500, int(used or 0), title="我的视频")
    remove_demo(services, lambda *_: None, wanted)
    with services.database.read() as connection:
        assert list(connection.scalars(sa.select(ad.c.url))) == ["https://a.example/"]
        assert list(connection.scalars(sa.select(notice.c.title))) == ["我的公告"]
        assert list(connection.scalars(sa.select(video.c.title))) == ["我的视频"]
        assert list(connection.scalars(sa.select(category.c.id))) == [used]
