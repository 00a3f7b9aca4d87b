"""Fixtures of the calls about content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from tests.console.desk import Desk


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def desk(filled: Services) -> Iterator[Desk]:
    """An editor in front of a filled installation's console."""
    if not filled.database.is_sqlite:
        # The filled installation's rows came with their numbers.
        with filled.database.write() as connection:
            for table in ("ad", "banner_tag", "notice", "topic", "app_link", "hot_group"):
                last = f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), 1000)"
                connection.execute(sa.text(last))
    opened = Desk(filled)
    opened.log_in(Role.EDITOR)
    yield opened
    opened.close()


def refused(desk: Desk, method: str, path: str, body: object = None) -> tuple[int, str]:
    """The code and the field of a refusal."""
    response = desk.request(method, path, body)
    problem = response.json()
    fields = problem["rescont"]
    return response.status_code, fields[0]["field"] if fields else ""


def last_entry(desk: Desk) -> dict[str, Any]:
    """The newest entry of the audit log, as the owner reads it; the editor is logged in again."""
    desk.log_in()
    entries = desk.rescont("GET", "/api/audit")["data"]
    desk.log_in(Role.EDITOR)
    found: dict[str, Any] = next(one for one in entries if not one["action"].startswith("session"))
    return found
