"""Limits that several processes count in PostgreSQL: exactly those of one process."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import hypothesis.strategies as st
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings

from liuying.core.visitors.presented_codes import PresentedCodes
from liuying.features.feedback.rules import REPORTS
from liuying.features.views.rules import VIEWS
from liuying.installation.services import Services
from liuying.kit.client_network import ClientNetwork
from liuying.kit.database import Database
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import DAY, FirstUse, Limit, Limits, Rule
from liuying.kit.process_limits import ProcessLimits
from liuying.kit.shared_limits import (
    TABLES,
    SharedLimits,
    first_use,
    limit_use,
    prune_limits,
)
from liuying.kit.visitor_code import parse_code
from tests.limited import HOME, OFFICE, Time, refusal

HASHES = KeyedHashes(bytes(32))
PROCESSES = 8
SMALL = Limit("small", (Rule(3, 60), Rule(5, 3600)))
DAILY = Limit("daily", (Rule(2, 60), Rule(4, DAY)))


@pytest.fixture
def engine() -> str:
    return "postgresql"


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def processes(services: Services, time: Time) -> Iterator[list[SharedLimits]]:
    """Each with connections of its own."""
    databases = [Database(services.database.url) for _ in range(PROCESSES)]
    yield [SharedLimits(one, HASHES, time.milliseconds) for one in databases]
    for one in databases:
        one.close()


@pytest.mark.parametrize(("limit", "most"), [(REPORTS, 5), (VIEWS, 30)])
def test_many_processes_at_once_grant_exactly_the_limit(
    processes: list[SharedLimits], limit: Limit, most: int
) -> None:
    with ThreadPoolExecutor(PROCESSES) as pool:
        asked = [pool.submit(processes[n % PROCESSES].allows, limit, HOME) for n in range(2 * most)]
    assert sum(one.result() for one in asked) == most


def test_a_code_seen_by_one_process_is_seen_by_all(
    processes: list[SharedLimits], time: Time
) -> None:
    presented = [PresentedCodes(one, HASHES, time.milliseconds) for one in processes]
    for number in range(60):
        presented[number % PROCESSES].check(parse_code(f"code{number:08}"), HOME)
    for one in presented:
        for number in range(60):
            one.check(parse_code(f"code{number:08}"), HOME)
        refusal(lambda one=one: one.check(parse_code("code99999999"), HOME))  # type: ignore[misc]  # bound at once
    # The next day they are known everywhere, too.
    time.now += DAY
    for number in range(60):
        presented[0].check(parse_code(f"code{number:08}"), HOME)
    presented[0].check(parse_code("code99999999"), HOME)


def test_several_codes_at_once_are_counted_one_by_one(
    processes: list[SharedLimits], time: Time
) -> None:
    presented = PresentedCodes(processes[0], HASHES, time.milliseconds)
    codes = [parse_code(f"code{number:08}") for number in range(70)]
    # A guesser among others, and somebody who asks twice.
    told = presented.check_many(
        [(codes[0], OFFICE), *((one, HOME) for one in codes), (codes[0], OFFICE)]
    )
    assert [one is None for one in told] == [True, *[True] * 60, *[False] * 10, True]
    # Who was refused is new still, and knows when to come again.
    assert {one.retry_after for one in told if one is not None} == {60}
    time.now += 61
    other = PresentedCodes(processes[1], HASHES, time.milliseconds)
    assert other.check_many([(one, HOME) for one in codes]) == [None] * 70


def test_a_use_that_another_limit_refuses_is_given_back(
    services: Services, processes: list[SharedLimits], time: Time
) -> None:
    limits = processes[0]
    site = Limit("site", (Rule(2, 60),))
    firsts = [
        FirstUse(f"mark{number}", f"before{number}", ((SMALL, HOME), (site, OFFICE)))
        for number in range(4)
    ]
    told = limits.check_many_first(firsts)
    # Three of SMALL, of which the site takes two.
    assert [one is None for one in told] == [True, True, False, False]
    with services.database.read() as connection:
        rows = connection.execute(sa.select(limit_use.c.moments)).scalars()
        assert sorted(len(one) for one in rows) == [2, 2]
        marks = set(connection.execute(sa.select(first_use.c.mark)).scalars())
    assert marks == {"mark0", "mark1"}
    # A third of SMALL alone is free.
    limits.check(SMALL, HOME)
    refusal(lambda: limits.check(SMALL, HOME))
    time.now += 61
    assert limits.check_many_first(firsts[2:]) == [None, None]


FIRSTS = st.lists(
    st.tuples(
        st.integers(0, 12), st.sampled_from([HOME, OFFICE]), st.sampled_from([0.0, 7.0, 61.0])
    ),
    max_size=30,
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(asked=FIRSTS, together=st.integers(1, 9))
def test_several_at_once_are_told_what_each_is_told_alone(
    processes: list[SharedLimits],
    time: Time,
    asked: list[tuple[int, ClientNetwork, float]],
    together: int,
) -> None:
    site = Limit("site", (Rule(4, 60),))
    firsts = [
        FirstUse(
            f"{network}{number}", f"{network}{number} before", ((SMALL, network), (site, HOME))
        )
        for number, network, _ in asked
    ]

    def tell(size: int) -> list[int | None]:
        processes[0].reset()
        time.now = began
        told: list[int | None] = []
        for begin in range(0, len(asked), together):
            some = firsts[begin : begin + together]
            for part in range(0, len(some), size):
                found = processes[0].check_many_first(some[part : part + size])
                told += [None if one is None else one.retry_after for one in found]
            time.now += asked[begin][2]
        return told

    began = time.now
    assert tell(together) == tell(1)


def test_several_processes_count_several_codes_once(
    processes: list[SharedLimits], time: Time
) -> None:
    codes = [parse_code(f"code{number:08}") for number in range(40)]

    def check(limits: SharedLimits) -> list[TooManyRequestsError | None]:
        presented = PresentedCodes(limits, HASHES, time.milliseconds)
        return presented.check_many([(one, HOME) for one in random.sample(codes, len(codes))])

    with ThreadPoolExecutor() as pool:
        found = list(pool.map(check, processes * 4))
    assert found == [[None] * 40] * len(found)


USES = st.lists(
    st.tuples(
        st.sampled_from([SMALL, DAILY]),
        st.sampled_from([HOME, OFFICE]),
        st.sampled_from([0.0, 0.4, 7.0, 59.9, 61.0, 1800.0, 5 * 3600.0]),
    ),
    max_size=25,
)


def told(limits: Limits, limit: Limit, network: ClientNetwork) -> int | None:
    """Seconds that a caller is told to wait; None where the use counts."""
    try:
        limits.check(limit, network)
    except TooManyRequestsError as error:
        return error.retry_after
    return None


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(uses=USES)
def test_they_decide_as_one_process_does(
    processes: list[SharedLimits], time: Time, uses: list[tuple[Limit, ClientNetwork, float]]
) -> None:
    processes[0].reset()
    alone = ProcessLimits(HASHES, time.milliseconds)
    for number, (limit, network, pause) in enumerate(uses):
        time.now += pause
        shared = processes[number % PROCESSES]
        assert told(shared, limit, network) == told(alone, limit, network)


@pytest.mark.parametrize("seconds", [60, 3600, DAY])
def test_windows_reach_over_midnight(
    processes: list[SharedLimits], time: Time, seconds: int
) -> None:
    """Keys change at midnight; what was used before it counts as long as ever."""
    limit, shared = Limit("two", (Rule(2, seconds),)), processes[0]
    used_at = (time.now // DAY + 1) * DAY - 20
    for later, is_granted in (
        (0, True),
        (19, True),
        (21, False),
        (seconds - 1, False),
        (seconds + 1, True),
        (seconds + 2, False),
        (seconds + 20, True),
    ):
        time.now = used_at + later
        assert shared.allows(limit, HOME) == is_granted


def test_what_has_left_every_window_is_pruned(
    services: Services, processes: list[SharedLimits], time: Time
) -> None:
    limits = processes[0]
    limits.check(SMALL, HOME)
    limits.check(DAILY, HOME)
    limits.check_first(FirstUse("mark", "mark before", ()))
    for later, left in ((3500, [2, 1, 1]), (3700, [0, 1, 1]), (2 * DAY + 1, [0, 0, 0])):
        with services.database.write() as connection:
            prune_limits(connection, time.milliseconds() + later * 1000)
            counts = [
                connection.scalar(sa.select(sa.func.count()).select_from(one)) for one in TABLES
            ]
        assert counts == left


def test_only_what_is_limited_by_the_day_is_logged(services: Services) -> None:
    statement = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relpersistence = 'u'"
    with services.database.read() as connection:
        unlogged = set(connection.exec_driver_sql(statement).scalars())
    assert unlogged == {one.name for one in TABLES if one.info["unlogged"]}


def test_no_address_is_stored(services: Services, processes: list[SharedLimits]) -> None:
    processes[0].check(REPORTS, HOME)
    with services.database.read() as connection:
        rows = [connection.execute(sa.select(one)).all() for one in TABLES]
    assert any(rows)
    assert "203.0.113" not in f"{rows}"
