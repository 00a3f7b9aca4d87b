"""Made-up installations: what is in them, that they are whole, and that nothing real joins them. On
both databases.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from liuying.cli.app import app
from liuying.core.catalogue.queries import listing
from liuying.core.catalogue.queries.name_counts import (
    LINKS,
    counted_anew,
    has_changes,
    listed_counts,
)
from liuying.core.catalogue.sort_index import SortIndex
from liuying.core.catalogue.tables import artist, category, label, video, video_artist, video_label
from liuying.features.search.queries.matches import ordered_ids
from liuying.features.search.tables import search_document
from liuying.installation.migrating import migrate
from liuying.installation.services import Services
from liuying.kit.errors import InvalidInputError
from liuying.kit.paging import PageRequest
from liuying.workflows import indexing
from liuying.workflows.editing import set_hidden
from liuying.workflows.import_preview import preview_file
from liuying.workflows.import_video import import_file
from liuying.workflows.video_meta import VideoMeta
from liuying_seeding import fill
from liuying_seeding.videos import ARTISTS, CATEGORIES, LABELS, Plan, make_batch
from liuying_seeding.words import load_words
from tests.catalogue_factory import NOW, add_video
from tests.conftest import open_copy
from tests.installation.test_migrating import differences

VIDEOS = 2500
PLAN = Plan(VIDEOS, 1, NOW)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def followed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Services, SortIndex]]:
    """A seeded installation for all who change nothing in it, with orders from before: seeding
    takes seconds.
    """
    services = open_copy(tmp_path_factory.mktemp("seeded"), request.param, request)
    orders = SortIndex(services.database, services.hashes)
    orders.build()
    assert orders.is_ready
    reported: list[int] = []
    fill.seed(services.database, PLAN, reported.append)
    assert reported == [VIDEOS]
    yield services, orders
    services.database.close()


@pytest.fixture
def seeded(followed: tuple[Services, SortIndex]) -> Services:
    """The same for whoever asks the database alone."""
    return followed[0]


def count(connection: sa.Connection, table: sa.Table) -> int:
    return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


def test_it_is_a_whole_installation(seeded: Services) -> None:
    with seeded.database.read() as connection:
        tables = (video, category, artist, label)
        assert [count(connection, table) for table in tables] == [
            VIDEOS,
            CATEGORIES,
            ARTISTS,
            LABELS,
        ]
        assert VIDEOS < count(connection, video_artist) < 2 * VIDEOS
        assert 2 * VIDEOS < count(connection, video_label) < 5 * VIDEOS
        listed = listing.count_videos(connection, listing.LISTED)
        assert VIDEOS - 20 < listed < VIDEOS
        assert count(connection, search_document) == listed
        assert indexing.check_index(connection).is_right
        title = connection.execute(
            sa.select(video.c.title).where(video.c.id == VIDEOS - 7)
        ).scalar_one()
        assert VIDEOS - 7 in ordered_ids(connection, title)
        for kind in LINKS:
            assert listed_counts(connection, kind) == counted_anew(connection, kind)
        assert not has_changes(connection)  # none was noted one by one
    assert differences(seeded) == []  # every index that was dropped is there again
    migrate(seeded.database)
    with seeded.database.read() as connection:
        assert count(connection, search_document) == listed


def test_numbers_of_names_go_on_from_there(seeded: Services) -> None:
    with seeded.database.read() as connection:
        chosen = connection.execute(sa.select(video_label.c.video_id).limit(1)).scalar_one()
    set_hidden(seeded, [chosen], is_hidden=True)
    with seeded.database.read() as connection:
        assert has_changes(connection)
        assert listed_counts(connection, "label") == counted_anew(connection, "label")
    set_hidden(seeded, [chosen], is_hidden=False)


def test_views_fall_by_zipf_and_words_are_real(seeded: Services) -> None:
    with seeded.database.read() as connection:
        views = sorted(connection.execute(sa.select(video.c.pageviews)).scalars(), reverse=True)
    assert views[0] / views[99] == pytest.approx(100**0.95, rel=0.01)
    assert len(set(views)) > VIDEOS * 0.9
    words = load_words(1).words
    assert len(set(words)) == len(words) == 15_000
    assert {"火车", "音乐"} & {word for seed in range(1, 9) for word in load_words(seed).words}


def test_a_batch_is_the_same_in_every_process() -> None:
    assert make_batch(PLAN, 1) == make_batch(PLAN, 1)
    assert make_batch(PLAN, 1) != make_batch(Plan(VIDEOS, 2, NOW), 1)
    assert [len(make_batch(PLAN, number).videos) for number in range(PLAN.batches)] == [2000, 500]


def test_whoever_follows_builds_anew(followed: tuple[Services, SortIndex]) -> None:
    services, orders = followed
    with services.database.read() as connection:
        orders.follow(connection)
        assert not orders.is_ready
        assert orders.in_category(connection, 0, "new", PageRequest(1, 8)).ids[0] == VIDEOS


def test_what_is_added_later_has_a_number_of_its_own(seeded: Services) -> None:
    with seeded.database.write() as connection:
        values = {"title": "后来", "category_id": 1, "created_at": 1, "updated_at": 1}
        added = connection.execute(
            sa.insert(video).values(**values).returning(video.c.id)
        ).scalar_one()
        connection.execute(sa.delete(video).where(video.c.id == added))
    assert added == VIDEOS + 1


def test_real_videos_do_not_join_made_up_ones(seeded: Services, tmp_path: Path) -> None:
    source = tmp_path / "a.mp4"
    source.write_bytes(b"x")
    for work in (import_file, preview_file):
        with pytest.raises(InvalidInputError, match="不能导入真实视频"):
            work(seeded, source, VideoMeta())
    with pytest.raises(InvalidInputError, match="已经填充过"):
        fill.seed(seeded.database, Plan(3, 1, NOW))


def test_made_up_videos_do_not_join_real_ones(filled: Services) -> None:
    with pytest.raises(InvalidInputError, match="有真实的数据"):
        fill.seed(filled.database, Plan(3, 1, NOW))
    with filled.database.write() as connection:
        add_video(connection, 999, 1)  # nothing is marked


def test_one_category_is_real_data(services: Services) -> None:
    with services.database.write() as connection:
        connection.execute(
            sa.text("INSERT INTO category(id, name, position) VALUES (1, '旅行', 1)")
        )
    with pytest.raises(InvalidInputError, match="有真实的数据"):
        fill.seed(services.database, Plan(3, 1, NOW))


def test_the_command_says_what_it_did_and_refuses_a_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIUYING_DATA_DIR", str(tmp_path / "made-up"))
    first, second = (CliRunner().invoke(app, ["bench", "seed", "--videos", "5"]) for _ in range(2))
    assert (first.exit_code, first.stdout.startswith("已填充 5 个视频")) == (0, True)
    assert (second.exit_code, second.stdout) == (1, "")
    assert second.stderr.startswith("这里已经填充过测试数据")
