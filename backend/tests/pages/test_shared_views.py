"""Views counted in one statement, where processes share their limits: exactly as one process counts
them in several.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import hypothesis.strategies as st
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings

from liuying.core.visitors.presented_codes import UNSEEN_CODE
from liuying.features.views.rules import PLAY_EVENTS
from liuying.features.views.service import View, count_views
from liuying.features.views.tables import view_hour, view_mark, view_pending
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS, Clock
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limits
from liuying.kit.process_limits import ProcessLimits
from liuying.kit.shared_limits import TABLES, SharedLimits
from liuying.kit.visitor_code import parse_code
from tests.catalogue_factory import NOW
from tests.limited import HOME, OFFICE
from tests.view_batches import batch_of

COUNTED = (view_mark, view_hour, view_pending)
MIDNIGHT = NOW - NOW % DAY_MS


@pytest.fixture
def engine() -> str:
    return "postgresql"


class BatchTime:
    """The clock of limits: the moment of the batch that is counted."""

    now = NOW

    def __call__(self) -> int:
        return self.now


def told_and_stored(
    services: Services,
    limits_of: Callable[[KeyedHashes, Clock], Limits],
    batches: list[tuple[int, list[View]]],
) -> list[Any]:
    """What each batch is told, and what all leave behind, from nothing."""
    time = BatchTime()
    limits = limits_of(services.hashes, time)
    with services.database.write() as connection:
        for table in (*COUNTED, *TABLES):
            connection.execute(sa.delete(table))
    found: list[Any] = []
    for time.now, views in batches:
        with services.database.write() as connection:
            told = count_views(connection, services.hashes, limits, views, time.now)
        found += [one if isinstance(one, bool) else (type(one), vars(one)) for one in told]
    with services.database.read() as connection:
        for table in COUNTED:
            found.append(sorted(map(tuple, connection.execute(sa.select(table)))))
    return found


# Few networks, videos and viewers, so that views meet: in a batch, and across midnight.
MINUTES = st.lists(st.integers(-40, 40), min_size=1, max_size=4).map(sorted)
VIEWS = st.lists(
    st.builds(
        View,
        st.sampled_from([101, 102, 103, 999]),
        st.sampled_from([HOME, OFFICE]),
        st.integers(0, 70).map("viewer{}".format),
    ),
    min_size=1,
    max_size=90,
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(minutes=MINUTES, batches=st.lists(VIEWS, min_size=4, max_size=4))
def test_one_statement_counts_as_several_do(
    filled: Services, minutes: list[int], batches: list[list[View]]
) -> None:
    at_times = [
        (MIDNIGHT + minute * 60_000, views) for minute, views in zip(minutes, batches, strict=False)
    ]
    shared = partial(SharedLimits, filled.database)
    assert told_and_stored(filled, shared, at_times) == told_and_stored(
        filled, ProcessLimits, at_times
    )


def test_a_network_that_reports_too_much_is_told_until_when(filled: Services) -> None:
    (rule,) = PLAY_EVENTS.rules
    limits = SharedLimits(filled.database, filled.hashes, lambda: NOW)
    views = [View(101, HOME, f"viewer{number}") for number in range(rule.most + 1)]
    others = [View(101, OFFICE, "another")]
    with filled.database.write() as connection:
        told = count_views(connection, filled.hashes, limits, [*views[:-1], *others], NOW)
        (late,) = count_views(connection, filled.hashes, limits, views[-1:], NOW + 20_000)
    assert all(isinstance(one, bool) for one in told)
    assert told[-1] is True
    assert getattr(late, "retry_after", None) == rule.seconds - 20


def test_codes_that_a_network_presents_are_counted_with_the_views(filled: Services) -> None:
    (rule,) = UNSEEN_CODE.rules
    codes = [parse_code(f"visitor{number}") for number in range(rule.most + 1)]
    views = [View(101, HOME, one, one) for one in codes]

    async def watch(batch: Any, watched: list[View]) -> list[Any]:
        return await asyncio.gather(*map(batch.count, watched), return_exceptions=True)

    told = asyncio.run(watch(batch_of(filled), views))
    refused = [code for code, one in zip(codes, told, strict=True) if not isinstance(one, bool)]
    assert len(refused) == 1
    # Another process knows the codes that passed; a refused one is new still.
    again = asyncio.run(watch(batch_of(filled), views))
    assert [code for code, one in zip(codes, again, strict=True) if one is not False] == refused
