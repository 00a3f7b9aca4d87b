"""Rows of an installation in another database: all of them, as they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries.name_counts import (
    counted_anew,
    has_changes,
    listed_counts,
)
from liuying.core.catalogue.tables import video
from liuying.features.feedback.tables import feedback
from liuying.features.search.tables import search_state
from liuying.installation.migrating import migrate
from liuying.kit.changes import CacheTopic, newest_change, record_change
from liuying.kit.database import Database
from liuying.kit.rows import insert_row
from liuying.workflows.indexing import check_index
from liuying.workflows.moving_rows import MoveError, move_rows, rows_to_report
from liuying.workflows.queries import moving
from liuying.workflows.queries.pictures import withdraw, withdrawn_content
from tests.conftest import new_database

ODD_TITLES = (
    "emoji 🎬👨‍👩‍👧 𠮷野家",
    "tab\tline\nback\\slash \\N \\. ",
    "'quotes\" and; -- $$",
    "ﬁ combining e\u0301 \u200b\u202e right to left",
    "\ufeff\x01\x7f\x85\u2028",
)
LATEST = 2**42  # Milliseconds since 1970, beyond 32 bits.


def say_nothing(_rows: int) -> None:
    """Nobody looks."""


@pytest.fixture
def source(tmp_path: Path, filled_file: Path) -> Iterator[Database]:
    copy = tmp_path / "source.db"
    copy.write_bytes(filled_file.read_bytes())
    database = Database(f"sqlite:///{copy}")
    yield database
    database.close()


@pytest.fixture
def server(postgres: str) -> Iterator[Database]:
    """An empty PostgreSQL database, migrated."""
    database = Database(new_database(postgres))
    migrate(database)
    yield database
    database.close()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Database]:
    """An empty SQLite database, migrated."""
    database = Database(f"sqlite:///{tmp_path / 'target.db'}")
    migrate(database)
    yield database
    database.close()


def all_rows(database: Database) -> dict[str, list[moving.Row]]:
    with database.read() as plain:
        connection = moving.see_one_moment(plain)
        return {
            table.name: sorted(moving.rows_of(connection, table), key=repr)
            for table in moving.moved_tables()
        }


def last_numbers(database: Database) -> dict[str, int]:
    with database.read() as connection:
        return {
            table.name: moving.last_number(connection, table) for table in moving.moved_tables()
        }


def rename_videos(database: Database, titles: tuple[str, ...]) -> None:
    with database.write() as connection:
        ids = connection.execute(sa.select(video.c.id).order_by(video.c.id)).scalars().all()
        for video_id, title in zip(ids, titles, strict=False):
            connection.execute(sa.update(video).where(video.c.id == video_id).values(title=title))


def test_rows_come_back_from_postgresql_as_they_were(
    source: Database, server: Database, folder: Database
) -> None:
    rename_videos(source, ODD_TITLES)
    with source.write() as connection:
        connection.execute(sa.update(video).values(created_at=LATEST))
    rows, numbers = all_rows(source), last_numbers(source)

    sums = move_rows(source, server, say_nothing)
    assert {name: one.rows for name, one in sums.items()} == {
        name: len(found) for name, found in rows.items()
    }
    assert sums["video"].rows > len(ODD_TITLES)
    assert all_rows(server) == rows
    move_rows(server, folder, say_nothing)

    assert all_rows(folder) == rows == all_rows(source)
    assert last_numbers(folder) == last_numbers(server) == numbers


def test_neither_side_is_ended_while_the_other_is_read(
    source: Database, server: Database, folder: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows_of, limits = moving.rows_of, set()

    def read_and_note(connection: sa.Connection, table: sa.Table) -> Iterator[moving.Row]:
        if connection.dialect.name == "postgresql":
            shown = connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout")
            limits.add(shown.scalar_one())
        return rows_of(connection, table)

    monkeypatch.setattr(moving, "rows_of", read_and_note)
    move_rows(source, server, say_nothing)
    move_rows(source, server, say_nothing)  # Repeated, it compares.
    move_rows(server, folder, say_nothing)
    assert limits == {"0"}
    with server.read() as connection:
        shown = connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout")
        assert shown.scalar_one() == "1min"


def test_what_is_newer_than_the_files_is_not_moved(source: Database, folder: Database) -> None:
    with source.write() as connection:
        newest = newest_change(connection, *CacheTopic)
        record_change(connection, CacheTopic.ADS)
    with pytest.raises(MoveError, match="有改动"):
        move_rows(source, folder, say_nothing, newest)
    assert move_rows(source, folder, say_nothing, newest + 1)["video"].rows


@pytest.mark.parametrize("target", ["server", "folder"])
def test_search_is_built_anew(
    source: Database, target: str, request: pytest.FixtureRequest
) -> None:
    found: Database = request.getfixturevalue(target)
    move_rows(source, found, say_nothing)

    with found.read() as connection:
        assert check_index(connection).is_right
        assert connection.execute(sa.select(search_state.c.is_complete)).scalar_one()
        assert connection.exec_driver_sql("SELECT count(*) FROM search_document").scalar_one() > 0


@pytest.mark.parametrize("target", ["server", "folder"])
def test_names_are_counted_anew_and_go_on_from_there(
    source: Database, target: str, request: pytest.FixtureRequest
) -> None:
    found: Database = request.getfixturevalue(target)
    move_rows(source, found, say_nothing)

    with found.read() as connection:
        assert not has_changes(connection)  # none was noted one by one
        before = listed_counts(connection, "label")
        assert before == counted_anew(connection, "label")
    rename_videos(found, ("★ 收起",))
    with found.read() as connection:
        assert listed_counts(connection, "label") == counted_anew(connection, "label") != before


def test_new_rows_get_new_numbers(source: Database, server: Database) -> None:
    move_rows(source, server, say_nothing)
    with source.read() as connection:
        largest = max(connection.execute(sa.select(video.c.id)).scalars())

    with server.write() as connection:
        row = connection.execute(sa.select(video).where(video.c.id == largest)).mappings().one()
        values = {name: value for name, value in row.items() if name != video.c.id.name}
        values[video.c.asset_key.name] = "another"
        statement = sa.insert(video).values(**values)
        added = connection.execute(statement.returning(video.c.id)).scalar_one()
    assert added > largest


@pytest.mark.parametrize("target", ["server", "folder"])
def test_a_purged_videos_number_is_not_given_again(
    source: Database, target: str, request: pytest.FixtureRequest
) -> None:
    with source.write() as connection:
        largest = max(connection.execute(sa.select(video.c.id)).scalars())
        connection.execute(sa.delete(video).where(video.c.id == largest))
        withdraw(connection, {"0" * 32: b"\x00\xff"}, 1)
    found: Database = request.getfixturevalue(target)
    move_rows(source, found, say_nothing)
    with found.write() as connection:
        row = {"title": "x", "category_id": 1, "created_at": 0, "updated_at": 0}
        assert insert_row(connection, video, row) == largest + 1
        assert withdrawn_content(connection, "0" * 32) == b"\x00\xff"


def test_a_repeated_move_ends_equal(source: Database, server: Database) -> None:
    first = move_rows(source, server, say_nothing)
    # As if it had been killed before the index was built.
    with server.write() as connection:
        connection.execute(sa.update(search_state).values(last_video_id=0, is_complete=False))

    assert move_rows(source, server, say_nothing) == first
    with server.read() as connection:
        assert check_index(connection).is_right


def test_a_target_that_holds_something_else_is_refused(source: Database, server: Database) -> None:
    move_rows(source, server, say_nothing)
    rename_videos(server, ("changed since",))
    rows = all_rows(server)

    with pytest.raises(MoveError, match="不是空的"):
        move_rows(source, server, say_nothing)
    assert all_rows(server) == rows


def test_a_move_that_breaks_off_leaves_the_target_as_it_was(
    source: Database, server: Database
) -> None:
    before, left = all_rows(server), rows_to_report(source)

    class KilledError(Exception):
        pass

    def break_off(rows: int) -> None:
        nonlocal left
        left -= rows
        if left <= 0:
            raise KilledError

    with pytest.raises(KilledError):
        move_rows(source, server, break_off)
    assert all_rows(server) == before


def test_a_value_that_postgresql_does_not_take_is_named(source: Database, server: Database) -> None:
    rename_videos(source, ("a zero \x00 inside",))
    before = all_rows(server)

    with pytest.raises(MoveError, match="表 video "):
        move_rows(source, server, say_nothing)
    assert all_rows(server) == before


@pytest.mark.parametrize("target", ["server", "folder"])
def test_every_table_is_moved_or_named(target: str, request: pytest.FixtureRequest) -> None:
    migrated: Database = request.getfixturevalue(target)
    with migrated.read() as connection:
        assert moving.unknown_tables(connection) == []
        found = set(sa.inspect(connection).get_table_names())
    moved = {table.name for table in moving.moved_tables()}
    assert feedback.name in moved
    # None is moved, or left out, that there is not.
    assert moved | moving.NOT_MOVED <= found
    assert moved.isdisjoint(moving.NOT_MOVED)


def test_a_table_that_would_be_left_behind_is_named(source: Database, server: Database) -> None:
    before = all_rows(server)
    with source.write() as connection:
        connection.exec_driver_sql("CREATE TABLE added_by_somebody (id INTEGER PRIMARY KEY)")

    with pytest.raises(MoveError, match="added_by_somebody"):
        move_rows(source, server, say_nothing)
    assert all_rows(server) == before
