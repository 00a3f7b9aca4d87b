"""Limits of a client's network: moving windows, codes that are seen first, bounded memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liuying.kit import limits as module
from liuying.kit.client_network import ClientNetwork
from liuying.kit.errors import TooManyRequestsError
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import RULES, Limited, Limits
from liuying.kit.visitor_code import VisitorCode, parse_code

HOME, OFFICE = ClientNetwork("203.0.113.7"), ClientNetwork("2001:db8:1:2::/64")
START = 1_795_000_000.0
DAY = 86_400


class Time:
    """A clock in seconds, moved by hand."""

    def __init__(self) -> None:
        self.now = START


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def limits(time: Time) -> Limits:
    return Limits(KeyedHashes(bytes(32)), lambda: round(time.now * 1000))


def code(number: int) -> VisitorCode:
    return parse_code(f"code{number:08}")


def counted(limits: Limits, what: Limited) -> int:
    """Keys that a limit's first rule has counted."""
    return len(limits._counted[what, RULES[what][0]])


def refusal(action: Callable[[], None]) -> int:
    """Seconds that a refused caller is told to wait."""
    with pytest.raises(TooManyRequestsError) as caught:
        action()
    return caught.value.retry_after


def test_sixty_unseen_codes_a_minute(limits: Limits, time: Time) -> None:
    for number in range(60):
        limits.check_code(code(number), HOME)
        time.now += 0.5
    assert refusal(lambda: limits.check_code(code(60), HOME)) == 30
    assert refusal(lambda: limits.check_code(code(60), HOME)) == 30  # a refused code stays unseen
    for number in range(60):
        limits.check_code(code(number), HOME)  # seen codes pass
    limits.check_code(code(60), OFFICE)  # so do others
    time.now += 30.1
    limits.check_code(code(60), HOME)
    assert refusal(lambda: limits.check_code(code(61), HOME)) == 1


def test_one_code_never_counts_twice(limits: Limits) -> None:
    for _ in range(1000):
        limits.check_code(code(1), HOME)
    for number in range(2, 61):
        limits.check_code(code(number), HOME)
    refusal(lambda: limits.check_code(code(61), HOME))


def test_known_neighbours_pass_after_midnight(limits: Limits, time: Time) -> None:
    """500 people behind one address, all seen in the course of a day, come back on the next."""
    for number in range(500):
        limits.check_code(code(number), HOME)
        time.now += 1.1
    time.now += DAY
    for number in range(500):
        limits.check_code(code(number), HOME)


def test_keys_rotate_and_windows_do_not(limits: Limits, time: Time) -> None:
    time.now = (START // DAY + 1) * DAY - 5  # five seconds before midnight
    for _ in range(5):
        limits.check(Limited.FEEDBACK, HOME)
    time.now += 10
    assert refusal(lambda: limits.check(Limited.FEEDBACK, HOME)) == 50


def test_five_a_minute_and_thirty_a_day(limits: Limits, time: Time) -> None:
    first = time.now
    for number in range(30):
        limits.check(Limited.FEEDBACK, HOME)
        time.now += 1 if number % 5 < 4 else 60
    assert refusal(lambda: limits.check(Limited.FEEDBACK, HOME)) == round(first + DAY - time.now)
    limits.check(Limited.FEEDBACK, OFFICE)
    limits.check(Limited.SHARE_VISIT, HOME)
    time.now = first + DAY + 0.1
    limits.check(Limited.FEEDBACK, HOME)


def test_memory_is_bounded(limits: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_COUNTED", 50)
    monkeypatch.setattr(module, "MAX_SEEN", 70)
    for number in range(500):
        limits.check_code(code(number), ClientNetwork(f"2001:db8:{number:x}::/64"))
    assert all(len(windows) <= 50 for windows in limits._counted.values())
    assert counted(limits, Limited.UNSEEN_CODE) == 50
    assert len(limits._seen) == 70


def test_what_left_its_window_is_forgotten(limits: Limits, time: Time) -> None:
    for video in range(200):
        limits.check(Limited.VIEW, HOME, video)
    time.now += 3600.1
    limits.check(Limited.VIEW, HOME, 1)
    assert counted(limits, Limited.VIEW) == 1


def test_what_is_limited_apart_does_not_push_out_the_rest(
    limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_COUNTED", 50)
    for _ in range(5):
        limits.check(Limited.FEEDBACK, HOME)
    for video in range(200):
        assert limits.allows(Limited.VIEW, HOME, video)
    refusal(lambda: limits.check(Limited.FEEDBACK, HOME))


def test_a_limit_of_each_video(limits: Limits, time: Time) -> None:
    assert [limits.allows(Limited.VIEW, HOME, 1) for _ in range(31)] == [True] * 30 + [False]
    assert limits.allows(Limited.VIEW, HOME, 2)
    assert limits.allows(Limited.VIEW, OFFICE, 1)
    time.now += 3600.1
    assert limits.allows(Limited.VIEW, HOME, 1)


def test_the_networks_of_one_site_guess_together(limits: Limits, time: Time) -> None:
    """Whoever rents a machine has 65,536 networks of 64 bits."""
    for number in range(600):
        limits.check_code(code(number), ClientNetwork(f"2001:db8:1:{number:x}::/64"))
    assert (
        refusal(lambda: limits.check_code(code(600), ClientNetwork("2001:db8:1:ffff::/64"))) == 60
    )
    limits.check_code(code(0), ClientNetwork("2001:db8:1:0::/64"))  # what was seen there passes
    limits.check_code(code(600), ClientNetwork("2001:db8:2:ffff::/64"))
    for number in range(601):
        limits.check_code(
            code(number), ClientNetwork(f"192.0.2.{number % 250}")
        )  # addresses of IPv4 have no site
    time.now += 60.1
    limits.check_code(code(600), ClientNetwork("2001:db8:1:ffff::/64"))


def test_no_address_and_no_code_is_kept(limits: Limits) -> None:
    limits.check_code(code(7), HOME)
    moments = [windows._moments for windows in limits._counted.values()]
    assert any(moments)
    kept = f"{moments} {limits._seen}"
    assert "203.0.113" not in kept
    assert str(code(7)) not in kept
