"""Limits of a client's network: moving windows, bounded memory."""

from __future__ import annotations

import pytest

from liuying.features.feedback.rules import REPORTS
from liuying.features.sharing.rules import VISITS
from liuying.features.views.rules import VIEWS
from liuying.kit import limits as module
from liuying.kit.client_network import ClientNetwork
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limit, Limits
from tests.limited import DAY, HOME, OFFICE, START, Time, refusal


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def limits(time: Time) -> Limits:
    return Limits(KeyedHashes(bytes(32)), time.milliseconds)


def counted(limits: Limits, limit: Limit) -> int:
    """Keys that a limit's first rule has counted."""
    return len(limits._counted[limit.name, limit.rules[0]])


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


def test_memory_is_bounded(limits: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_COUNTED", 50)
    for number in range(500):
        limits.check(REPORTS, ClientNetwork(f"2001:db8:{number:x}::/64"))
    assert [len(windows) for windows in limits._counted.values()] == [50, 50]


def test_what_left_its_window_is_forgotten(limits: Limits, time: Time) -> None:
    for video in range(200):
        limits.check(VIEWS, HOME, video)
    time.now += 3600.1
    limits.check(VIEWS, HOME, 1)
    assert counted(limits, VIEWS) == 1


def test_what_is_limited_apart_does_not_push_out_the_rest(
    limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_COUNTED", 50)
    for _ in range(5):
        limits.check(REPORTS, HOME)
    for video in range(200):
        assert limits.allows(VIEWS, HOME, video)
    refusal(lambda: limits.check(REPORTS, HOME))


def test_a_limit_of_each_video(limits: Limits, time: Time) -> None:
    assert [limits.allows(VIEWS, HOME, 1) for _ in range(31)] == [True] * 30 + [False]
    assert limits.allows(VIEWS, HOME, 2)
    assert limits.allows(VIEWS, OFFICE, 1)
    time.now += 3600.1
    assert limits.allows(VIEWS, HOME, 1)


def test_no_address_is_stored(limits: Limits) -> None:
    limits.check(REPORTS, HOME)
    moments = [windows._moments for windows in limits._counted.values()]
    assert any(moments)
    assert "203.0.113" not in f"{moments}"


def test_a_clock_set_back_locks_nobody_out_and_forgets_nothing(limits: Limits, time: Time) -> None:
    for _ in range(5):
        limits.check(REPORTS, HOME)
    for back in (1, 3600, 3 * DAY):
        time.now -= back
        # Nothing is counted anew, though another day's key is the clock's now.
        assert refusal(lambda: limits.check(REPORTS, HOME)) <= 60
    time.now += 60.1
    limits.check(REPORTS, HOME)


def test_a_clock_set_forward_goes_on(limits: Limits, time: Time) -> None:
    for _ in range(5):
        limits.check(REPORTS, HOME)
    time.now += 2 * DAY
    limits.check(REPORTS, HOME)
    time.now -= 2 * DAY
    for _ in range(4):
        limits.check(REPORTS, HOME)
    assert refusal(lambda: limits.check(REPORTS, HOME)) <= 60
