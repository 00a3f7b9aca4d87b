"""An owner, and what works for him in the background."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from liuying.console.maintenance.attendant import Attendant
from tests.console.desk import Desk


@pytest.fixture
def owner(desk: Desk) -> Desk:
    desk.log_in()
    return desk


@pytest.fixture
def attendant(desk: Desk) -> Iterator[Attendant]:
    """What a console process does beside its requests, one look at a time."""
    made = Attendant(desk.services)
    yield made
    made.close()
