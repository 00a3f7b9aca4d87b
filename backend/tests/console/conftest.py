"""Fixtures of the console."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from liuying.features.operators.rules import Role
from liuying.installation.services import Services
from tests.console.desk import Desk


@pytest.fixture
def desk(services: Services) -> Iterator[Desk]:
    """A browser in front of an empty installation's console."""
    opened = Desk(services)
    yield opened
    opened.close()


@pytest.fixture
def editor(desk: Desk) -> Desk:
    """The same, logged in."""
    desk.log_in(Role.EDITOR, "小王")
    return desk
