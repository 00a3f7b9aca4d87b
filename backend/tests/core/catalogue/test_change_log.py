"""The log that what is in memory follows, while somebody prunes it."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.change_log import (
    NextChanges,
    changes_after,
    newest_number,
    note_all_changed,
    note_changed,
    prune_changes,
)
from liuying.installation.services import Services
from tests.moments import moment_after

BOTH = pytest.mark.parametrize("engine", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    if hasattr(request, "param"):
        return str(request.param)
    # Each statement of a reader sees what was committed before it: in SQLite a reader has one view.
    return "postgresql"


def test_what_is_pruned_between_two_statements_is_noticed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_log, "KEPT_AT_LEAST", 1)
    with services.database.write() as connection:
        for video_id in range(1, 21):
            note_changed(connection, [video_id])
        newest = newest_number(connection)
        known = newest - 19
        prune_changes(connection, newest - 10)

    pruned: list[int] = []

    def prune(*_: object) -> None:
        if not pruned:
            pruned.append(newest - 5)
            with services.database.write() as connection:
                prune_changes(connection, newest - 5)

    with services.database.read() as connection:
        assert changes_after(connection, known, 100) is None
        connection.rollback()
        sa.event.listen(services.database.engine, "after_cursor_execute", prune)
        assert changes_after(connection, known, 100) is None
        connection.rollback()
        assert changes_after(connection, newest - 1, 100) == (newest, [20], True)


def test_what_comes_between_two_statements_is_no_other_log(services: Services) -> None:
    with services.database.write() as connection:
        note_changed(connection, [1])
        known = newest_number(connection)
    came: list[int] = []

    def come(*_: object) -> None:
        if not came:
            came.append(2)
            with services.database.write() as connection:
                note_changed(connection, came)

    with services.database.read() as connection:
        sa.event.listen(services.database.engine, "after_cursor_execute", come)
        assert changes_after(connection, known, 100) == (known, (), False)
        assert changes_after(connection, known, 100) == (known + 1, [2], True)
        assert changes_after(connection, known, 1) == (known + 1, [2], False)
        assert changes_after(connection, known + 1, 1) == (known + 1, (), True)
        assert changes_after(connection, known + 2, 1) is None


@BOTH
def test_a_moment_says_what_the_log_says(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_log, "KEPT_AT_LEAST", 1)
    with services.database.write() as connection:
        first = newest_number(connection)
        for video_id in [3, 1, 3, *range(10, 200)]:
            note_changed(connection, [video_id])
        end = newest_number(connection)
        prune_changes(connection, first + 1)
        for since in (first, first + 1, first + 2, end - 99, end - 1, end, end + 1):
            moment = moment_after(connection, since)
            assert moment.newest_number(connection) == end
            for seq in (since, first + 2, end):
                told = moment.changes_after(connection, seq, change_log.LOOKED_AT_ONCE)
                assert told == changes_after(connection, seq, change_log.LOOKED_AT_ONCE)
        note_all_changed(connection)
        assert moment_after(connection, end).changes_after(connection, end, 100) is None


@BOTH
def test_a_moment_is_not_asked_for_again(services: Services) -> None:
    """Whoever follows from there sends no statement; what came since is not in it."""
    with services.database.write() as connection:
        note_changed(connection, [7])
        since = newest_number(connection)
        note_changed(connection, [9])
        note_changed(connection, [8])
    asked: list[str] = []
    with services.database.read() as connection:
        moment = moment_after(connection, since)
        sa.event.listen(
            services.database.engine, "before_cursor_execute", lambda *event: asked.append(event[2])
        )
        found = moment.changes_after(connection, since, 100)
        assert found == NextChanges(since + 2, [8, 9], is_rest=True)
        assert moment.changes_after(connection, since + 2, 100) == (since + 2, (), True)
        assert moment.newest_numbers(connection)[1] == since + 2
    assert asked == []
