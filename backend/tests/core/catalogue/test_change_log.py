"""The log that what is in memory follows, while somebody prunes it."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.change_log import (
    changes_after,
    newest_number,
    note_changed,
    prune_changes,
)
from liuying.installation.services import Services


@pytest.fixture
def engine() -> str:
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
