"""The numbers of listed videos of artists and labels are those of the links, whatever happens."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from liuying.core.catalogue.editing import merge_artists, merge_labels, remove_label
from liuying.core.catalogue.name_counts import NameCounts
from liuying.core.catalogue.queries import name_counts, names
from liuying.core.catalogue.queries.listing import LISTED
from liuying.core.catalogue.queries.name_counts import (
    LINKS,
    Kind,
    count_again,
    counted_anew,
    fold_changes,
    has_changes,
    leave_counting,
    listed_count,
    listed_counts,
    resume_counting,
    wrong_counts,
)
from liuying.core.catalogue.tables import artist, label, video, video_artist, video_label
from liuying.installation.migrating import MIGRATIONS, migrate
from liuying.installation.services import Services
from liuying.kit.database import Database
from liuying.workflows.bulk_editing import BulkChange, edit_many
from liuying.workflows.editing import edit_video
from liuying.workflows.removal import remove_videos, restore_videos
from liuying.workflows.scheduled_publication import publish_due
from liuying.workflows.video_meta import GivenMeta
from tests.catalogue_factory import DAY, NOW
from tests.pages.catalogue_churn import CatalogueChurn

TITLES = ["★ 收起", "放出", "★★", "再 ★"]
LABELS = ["海", "山", "夜", "新标签"]
PEOPLE = ["作者1", "作者2", "作者3", "新人"]


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def by_links(connection: sa.Connection, kind: Kind) -> Counter[int]:
    """The numbers that lists would show."""
    link = LINKS[kind]
    statement = (
        sa.select(link, sa.func.count())
        .join(video, video.c.id == link.table.c.video_id)
        .where(LISTED)
        .group_by(link)
    )
    return Counter({row[0]: row[1] for row in connection.execute(statement)})


def differences(database: Database, followers: list[NameCounts]) -> list[str]:
    """Where a number is not what the links say."""
    found = []
    with database.read() as connection:
        for kind in LINKS:
            right = by_links(connection, kind)
            if (
                counted_anew(connection, kind) != right
                or listed_counts(connection, kind) != right
                or wrong_counts(connection, kind)
            ):
                found.append(f"{kind} in the database")
            for follower in followers:
                if +follower.of_all(connection, kind) != right:
                    found.append(f"{kind} in memory")
                numbers = [*right, 10**6]
                some = follower.of_some(connection, kind, numbers)
                if some != {one: right[one] for one in numbers}:
                    found.append(f"some of {kind} in memory")
            if any(listed_count(connection, kind, one) != right[one] for one in (*right, 10**6)):
                found.append(f"one of {kind}")
    return found


class NameChurn(CatalogueChurn):
    """Changes what is listed and what it is called in every way that there is."""

    def steps(self) -> list[Callable[[], None]]:
        return [
            *super().steps(),
            self.label,
            self.credit,
            self.change_many,
            self.bin_and_back,
            self.publish_later,
            self.drop_name,
            self.merge,
            self.fold,
        ]

    def label(self) -> None:
        chosen = tuple(self.dice.sample(LABELS, self.dice.randrange(4)))
        edit_video(self._services, self.some(1)[0], GivenMeta(labels=chosen))

    def credit(self) -> None:
        chosen = tuple(self.dice.sample(PEOPLE, self.dice.randrange(3)))
        edit_video(self._services, self.some(1)[0], GivenMeta(artists=chosen))

    def change_many(self) -> None:
        added, removed = self.dice.sample(LABELS, 2)
        hidden = self.dice.choice([None, None, True, False])
        change = BulkChange(is_hidden=hidden, add_labels=(added,), remove_labels=(removed,))
        edit_many(self._services, self.some(5), change)

    def bin_and_back(self) -> None:
        chosen = self.some(2)
        remove_videos(self._services, chosen)
        restore_videos(self._services, chosen[:1])
        self._there.remove(chosen[1])

    def publish_later(self) -> None:
        edit_video(self._services, self.some(1)[0], GivenMeta(created_at=NOW + DAY))
        if self.dice.randrange(2):
            publish_due(self._services.database, NOW + 2 * DAY)

    def drop_name(self) -> None:
        with self._services.database.write() as connection:
            number = names.id_by_name(connection, label, self.dice.choice(LABELS))
            if number is not None:
                remove_label(connection, number)

    def merge(self) -> None:
        table, change, every = self.dice.choice(
            [(label, merge_labels, LABELS), (artist, merge_artists, PEOPLE)]
        )
        with self._services.database.write() as connection:
            known = [names.id_by_name(connection, table, one) for one in every]
            there = [one for one in known if one is not None]
            if len(there) > 1:
                change(connection, *self.dice.sample(there, 2))

    def fold(self) -> None:
        with self._services.database.write() as connection:
            fold_changes(connection)


@pytest.mark.parametrize("seed", [3, 17])
def test_they_are_those_of_the_links_after_any_changes(
    filled: Services, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_counts, "FOLDED_AT_ONCE", 7)
    churn = NameChurn(filled, seed, TITLES, [1, 2, 72, 73])
    # One looks after each change, one rarely.
    often, rarely = NameCounts(), NameCounts()
    steps = churn.steps()
    order = [one for one in range(len(steps)) for _ in range(6)]
    churn.dice.shuffle(order)
    for number, step in enumerate(order):
        steps[step]()
        followers = [often, NameCounts()] + ([rarely] if number % 20 == 0 else [])
        assert differences(filled.database, followers) == []


@pytest.mark.parametrize("kind", LINKS)
def test_what_is_written_while_they_are_compared_is_no_difference(
    filled: Services, kind: Kind
) -> None:
    numbers = iter(range(101, 110))

    def change(*_: object) -> None:
        edit_video(filled, next(numbers), GivenMeta(labels=("新标签",), artists=("新人",)))

    with filled.database.read() as connection:
        sa.event.listen(connection, "after_cursor_execute", change)
        assert wrong_counts(connection, kind) == []
    assert next(numbers) > 101


def test_an_older_databases_numbers_are_read_anew(filled: Services) -> None:
    counts = NameCounts()
    for _ in range(3):
        with filled.database.write() as connection:
            count_again(connection)
    with filled.database.read() as connection:
        counts.of_all(connection, "label")
    with filled.database.write() as connection:
        connection.exec_driver_sql("UPDATE name_count SET folded = 1, videos = videos + 5")
    with filled.database.read() as connection:
        assert +counts.of_all(connection, "label") == listed_counts(connection, "label")


def test_counting_again_mends_and_whoever_has_read_sees_it(filled: Services) -> None:
    counts = NameCounts()
    with filled.database.write() as connection:
        while fold_changes(connection):
            pass
        connection.exec_driver_sql("UPDATE name_count SET videos = videos + 5")
        connection.exec_driver_sql(
            "INSERT INTO name_count (kind, name_id, videos, folded) VALUES ('label', 9999, 3, 1)"
        )
    assert differences(filled.database, [counts]) != []
    with filled.database.write() as connection:
        count_again(connection)
    assert differences(filled.database, [counts]) == []


def test_what_is_written_past_the_triggers_is_counted_in_the_end(filled: Services) -> None:
    with filled.database.write() as connection:
        left = leave_counting(connection)
        connection.execute(sa.delete(video_label).where(video_label.c.video_id < 110))
        connection.execute(sa.update(video).where(video.c.id > 120).values(is_hidden=True))
        resume_counting(connection, left)
        assert not has_changes(connection)
    assert differences(filled.database, [NameCounts()]) == []
    with filled.database.write() as connection:
        connection.execute(sa.delete(video).where(video.c.id == 115))
        connection.execute(sa.delete(video_artist).where(video_artist.c.video_id == 116))
        connection.execute(sa.update(video).values(is_hidden=False))
        assert has_changes(connection)
    assert differences(filled.database, [NameCounts()]) == []


def at_once(database: Database, first: sa.Executable, second: sa.Executable) -> None:
    """One transaction waits for another, which changes something before it: on PostgreSQL both have
    begun then.
    """
    failures: list[BaseException] = []

    def run() -> None:
        try:
            with database.write() as connection:
                connection.execute(second)
        except BaseException as error:  # noqa: BLE001  # told below
            failures.append(error)

    thread = threading.Thread(target=run)
    with database.write() as connection:
        connection.execute(first)
        thread.start()
        # Until it waits; on SQLite it cannot begin.
        while thread.is_alive() and not database.is_sqlite and not waits(database):
            pass
    thread.join()
    assert failures == []


def waits(database: Database) -> bool:
    statement = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    with database.read() as connection:
        return int(connection.exec_driver_sql(statement).scalar_one()) > 0


def test_links_and_visibility_may_change_at_once(filled: Services) -> None:
    database = filled.database
    with database.write() as connection:
        number = names.get_or_create(connection, label, "同时")
        connection.execute(sa.update(video).where(video.c.id == 105).values(is_hidden=True))
    link = sa.insert(video_label).values(video_id=105, label_id=number, position=9)
    no_link = sa.delete(video_label).where(
        video_label.c.video_id == 105, video_label.c.label_id == number
    )
    show, hide = (
        sa.update(video).where(video.c.id == 105).values(is_hidden=hidden)
        for hidden in (False, True)
    )
    pairs = [
        (show, link),
        (hide, no_link),
        (link, show),
        (no_link, hide),
        (show, link),
        (no_link, hide),
        (link, show),
        (hide, no_link),
        (link, sa.delete(video).where(video.c.id == 105)),
    ]
    for first, second in pairs:
        at_once(database, first, second)
        assert differences(database, [NameCounts()]) == []


def test_what_was_there_before_is_counted_by_the_migration(
    database_url: str, tmp_path: Path
) -> None:
    database = Database(database_url or f"sqlite:///{tmp_path / 'liuying.db'}")
    with database.write() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "0043")
        connection.exec_driver_sql("INSERT INTO category (id, name) VALUES (1, '旅行')")
        for number, title, listed, hidden in (
            (1, "海", "true", "false"),
            (2, "★海", "true", "false"),
            (3, "海", "false", "false"),
            (4, "海", "true", "true"),
            (5, "海★", "true", "false"),
        ):
            connection.exec_driver_sql(
                "INSERT INTO video (id, title, category_id, is_listed, is_hidden, created_at,"  # noqa: S608  # constants
                f" updated_at) VALUES ({number}, '{title}', 1, {listed}, {hidden}, 0, 0)"
            )
        for kind in LINKS:
            connection.exec_driver_sql(f"INSERT INTO {kind} (id, name) VALUES (7, '名')")  # noqa: S608  # constants
            connection.exec_driver_sql(
                f"INSERT INTO video_{kind} (video_id, {kind}_id) SELECT id, 7 FROM video"  # noqa: S608  # constants
            )
    migrate(database)
    assert differences(database, [NameCounts()]) == []
    with database.read() as connection:
        assert [listed_count(connection, kind, 7) for kind in LINKS] == [2, 2]
    database.close()
