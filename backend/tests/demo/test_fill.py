"""Filling an installation with a part of the demo: complete, repeatable, continued where it
stopped.
"""

from __future__ import annotations

import msgspec
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, category, video
from liuying.core.playback.tables import asset
from liuying.features.ads.tables import ad, app_link, banner_tag
from liuying.features.notices.service import write_notice
from liuying.features.notices.tables import notice
from liuying.features.search.queries.matches import ordered_ids
from liuying.features.search.tables import hot_group
from liuying.features.topics.tables import topic
from liuying.installation.services import Services
from liuying.kit.provenance import ids_made_by
from liuying_demo.catalogue import DemoCatalogue, TopicEntry, load_catalogue
from liuying_demo.fill import FILLING_TITLE, fill, is_needed
from liuying_demo.progress import PlainReport, Report


class Told(PlainReport):
    """Remembers what was reported."""

    def __init__(self, total: int, done: int) -> None:
        super().__init__(total, done)
        self.titles: list[str] = []
        self.failures: list[str] = []

    def finished(self, title: str) -> None:
        self.titles.append(title)

    def failed(self, title: str, reason: str) -> None:
        self.failures.append(f"{title}: {reason}")


class Listener:
    """Makes the reports of several runs and keeps them."""

    def __init__(self) -> None:
        self.runs: list[Told] = []

    def __call__(self, total: int, done: int) -> Report:
        self.runs.append(Told(total, done))
        return self.runs[-1]


def part(count: int) -> DemoCatalogue:
    """The quickest films with their artists, a topic of them, and two advertisements."""
    whole = load_catalogue()
    chosen = [entry for entry in whole.videos if entry.scenes[0] in {"vinyl", "chip"}]
    artists = tuple(
        entry for entry in whole.artists if entry.name in chosen[0].artists + chosen[1].artists
    )
    topics = (TopicEntry(title="专题", intro="", videos=tuple(one.key for one in chosen)),)
    return msgspec.structs.replace(
        whole,
        videos=tuple(chosen[:count]),
        artists=artists,
        topics=topics,
        ads=(whole.ads[0], whole.ads[-6]),
    )


def count(services: Services, table: sa.Table) -> int:
    with services.database.read() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def test_a_demo_is_filled_continued_and_then_left_alone(services: Services) -> None:
    listener, wanted = Listener(), part(2)
    assert is_needed(services.database)
    fill(services, report=listener, catalogue=part(1))
    assert not is_needed(services.database)

    # As after a kill: the notice still stands, a film is missing.
    with services.database.write() as connection:
        write_notice(connection, FILLING_TITLE, "<p>…</p>", 1)
    assert is_needed(services.database)
    fill(services, report=listener, catalogue=wanted)
    assert not is_needed(services.database)
    _check_content(services, wanted)

    fill(services, report=listener, catalogue=wanted)
    assert [run.failures for run in listener.runs] == [[], [], []]
    # Nothing is drawn or imported twice.
    assert [run.titles for run in listener.runs] == [
        [wanted.videos[0].title],
        [wanted.videos[1].title],
        [],
    ]
    _check_content(services, wanted)
    assert not (services.data_dir / "demo").exists()


def _check_content(services: Services, wanted: DemoCatalogue) -> None:
    assert count(services, video) == count(services, asset) == len(wanted.videos)
    assert count(services, category) == len(wanted.categories)
    assert count(services, artist) == len(wanted.artists)
    assert count(services, ad) == len(wanted.ads)
    assert count(services, banner_tag) == len(wanted.banner_tags)
    assert count(services, notice) == len(wanted.notices)
    assert count(services, hot_group) == len(wanted.hot_groups)
    assert count(services, app_link) == len(wanted.links)
    assert count(services, topic) == len(wanted.topics)
    with services.database.read() as connection:
        for row in connection.execute(
            sa.select(video, asset.c.state).join(asset, asset.c.key == video.c.asset_key)
        ):
            assert (row.state, row.is_listed, row.duration, row.height) == (
                "complete",
                True,
                6000,
                540,
            )
            assert row.cover["type"].startswith("image/avif")
        assert all(row.image for row in connection.execute(sa.select(artist)))
        found = list(ordered_ids(connection, "黑胶"))
        assert len(found) == 1


def test_what_the_demo_made_is_noted_row_by_row(services: Services) -> None:
    with services.database.write() as connection:
        connection.execute(sa.insert(category).values(id=3, name="纪录片"))
        connection.execute(
            sa.insert(notice).values(title="我的", content="<p>我</p>", updated_at=1)
        )
    wanted = part(1)
    fill(services, report=Listener(), catalogue=wanted)
    with services.database.read() as connection:
        for table, name in ((category, "纪录片"), (notice, "我的")):
            column = table.c.name if table is category else table.c.title
            others = sa.select(table.c.id).where(column != name)
            assert ids_made_by(connection, "demo", table.name) == set(connection.scalars(others))
        for table in (video, artist, ad, banner_tag, hot_group, app_link, topic):
            every = set(connection.scalars(sa.select(table.c.id)))
            assert ids_made_by(connection, "demo", table.name) == every, table.name
            assert every, table.name


def test_what_an_operator_wrote_stays(services: Services) -> None:
    with services.database.write() as connection:
        connection.execute(sa.insert(hot_group).values(title="我的热词"))
        connection.execute(sa.insert(category).values(id=3, name="纪录片"))
    empty = msgspec.structs.replace(load_catalogue(), videos=(), ads=(), artists=())
    fill(services, report=Listener(), catalogue=empty)
    with services.database.read() as connection:
        assert connection.execute(sa.select(hot_group.c.title)).scalars().all() == ["我的热词"]
        assert (
            connection.execute(sa.select(category.c.name).where(category.c.id == 3)).scalar_one()
            == "纪录片"
        )


@pytest.mark.parametrize("title", ["[方括号]", "普通标题"])
def test_plain_lines_count_up(title: str, capsys: pytest.CaptureFixture[str]) -> None:
    with PlainReport(3, 1) as report:
        report.finished(title)
    assert f"[2/3] {title}" in capsys.readouterr().out
