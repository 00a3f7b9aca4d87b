"""Limits of a client's network: moving windows, in one process and shared by several."""

from __future__ import annotations

import pytest

from liuying.core.visitors.presented_codes import UNSEEN_CODE
from liuying.features.favourites.rules import CHANGES
from liuying.features.feedback.rules import REPORTS
from liuying.features.sharing.rules import VISITS
from liuying.features.views.rules import VIEWS
from liuying.installation.services import Services
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import FirstUse, Limits
from liuying.kit.process_limits import ProcessLimits
from liuying.kit.shared_limits import SharedLimits
from tests.limited import DAY, HOME, OFFICE, START, Time, refusal


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def limits(services: Services, engine: str, time: Time) -> Limits:
    hashes = KeyedHashes(bytes(32))
    if engine == "sqlite":
        return ProcessLimits(hashes, time.milliseconds)
    return SharedLimits(services.database, hashes, time.milliseconds)


def test_keys_rotate_and_windows_do_not(limits: Limits, time: Time) -> None:
    time.now = (START // DAY + 1) * DAY - 5  # five seconds before midnight
    for _ in range(5):
        limits.check(REPORTS, HOME)
    time.now += 10
    assert refusal(lambda: limits.check(REPORTS, HOME)) == 50


def test_five_a_minute_and_thirty_a_day(limits: Limits, time: Time) -> None:
    first = time.now
    for number in range(30):
        limits.check(REPORTS, HOME)
        time.now += 1 if number % 5 < 4 else 60
    assert refusal(lambda: limits.check(REPORTS, HOME)) == round(first + DAY - time.now)
    limits.check(REPORTS, OFFICE)
    limits.check(VISITS, HOME)
    time.now = first + DAY + 0.1
    limits.check(REPORTS, HOME)


def test_a_limit_of_each_video(limits: Limits, time: Time) -> None:
    assert [limits.allows(VIEWS, HOME, 1) for _ in range(31)] == [True] * 30 + [False]
    assert limits.allows(VIEWS, HOME, 2)
    assert limits.allows(VIEWS, OFFICE, 1)
    time.now += 3600.1
    assert limits.allows(VIEWS, HOME, 1)


def test_of_two_rules_the_first_that_is_spent_tells_when(limits: Limits, time: Time) -> None:
    for _ in range(1200):
        limits.check(CHANGES, HOME)
    assert refusal(lambda: limits.check(CHANGES, HOME)) == 60
    time.now += 60.1
    limits.check(CHANGES, HOME)


def test_what_is_refused_does_not_count(limits: Limits, time: Time) -> None:
    """Neither by the rule that refuses nor by the others."""
    for number in range(30):
        limits.check(REPORTS, HOME)
        time.now += 1 if number % 5 < 4 else 60
    for _ in range(10):
        refusal(lambda: limits.check(REPORTS, HOME))
    time.now = START + DAY + 4.1  # The first five have left the window.
    for _ in range(5):
        limits.check(REPORTS, HOME)


def test_a_mark_counts_once(limits: Limits) -> None:
    limits.check_first(FirstUse("a", "b", ((UNSEEN_CODE, HOME),)))
    for number in range(1, 60):
        limits.check_first(FirstUse(f"a{number}", "b", ((UNSEEN_CODE, HOME),)))
    refusal(lambda: limits.check_first(FirstUse("z", "b", ((UNSEEN_CODE, HOME),))))
    limits.check_first(FirstUse("z", "b", ((UNSEEN_CODE, OFFICE),)))
