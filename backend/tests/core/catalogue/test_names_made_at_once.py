"""Imports and the operator make and change names at the same time: on PostgreSQL one waits for the
other, and neither for good.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.editing import add_category, rename_label
from liuying.core.catalogue.named_categories import category_id_of
from liuying.core.catalogue.queries.names import get_or_create
from liuying.core.catalogue.tables import label
from liuying.installation.services import Services
from liuying.kit.database import Database
from liuying.kit.errors import InvalidInputError
from tests.waiting import wait_until

Act = Callable[[sa.Connection], object]


@pytest.fixture
def engine() -> str:
    """SQLite has one writer at a time."""
    return "postgresql"


def is_somebody_waiting(database: Database) -> bool:
    with database.read() as connection:
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        return int(connection.execute(sa.text(waiting)).scalar_one()) > 0


def made(connection: sa.Connection) -> object:
    return get_or_create(connection, label, "乙")


def like_an_import(connection: sa.Connection) -> object:
    found = category_id_of(connection, "海")
    get_or_create(connection, label, "乙")
    return found


def renamed(connection: sa.Connection) -> object:
    number = connection.execute(sa.select(label.c.id).where(label.c.name == "丙")).scalar_one()
    return rename_label(connection, number, "乙")


@pytest.mark.parametrize(
    ("theirs", "refusal"),
    [
        (made, None),
        (like_an_import, None),
        (renamed, InvalidInputError),
        (lambda one: add_category(one, "海", None, None), InvalidInputError),
    ],
    ids=["label", "import", "rename", "category"],
)
def test_neither_waits_for_good(
    services: Services, theirs: Act, refusal: type[Exception] | None
) -> None:
    database = services.database
    with database.write() as connection:
        get_or_create(connection, label, "丙")
    outcomes: list[object] = []

    def other() -> None:
        try:
            with database.write() as connection:
                outcomes.append(theirs(connection))
        except Exception as error:  # noqa: BLE001  # told to the test
            outcomes.append(type(error))

    beside = Thread(target=other)
    with database.write() as connection:
        get_or_create(connection, label, "甲")
        beside.start()
        wait_until(lambda: is_somebody_waiting(database))
        found = like_an_import(connection) if refusal else theirs(connection)
    beside.join()
    assert outcomes == [refusal or found]
