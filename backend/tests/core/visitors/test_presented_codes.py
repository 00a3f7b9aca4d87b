"""Codes that a network presents first: so many a minute, bounded memory."""

from __future__ import annotations

import pytest
from tests.limited import DAY, HOME, OFFICE, Time, refusal

from liuying.core.visitors import presented_codes as module
from liuying.core.visitors.presented_codes import PresentedCodes
from liuying.kit.client_network import ClientNetwork
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.process_limits import ProcessLimits
from liuying.kit.visitor_code import VisitorCode, parse_code


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def presented(time: Time) -> PresentedCodes:
    hashes = KeyedHashes(bytes(32))
    return PresentedCodes(ProcessLimits(hashes, time.milliseconds), hashes, time.milliseconds)


def code(number: int) -> VisitorCode:
    return parse_code(f"code{number:08}")


def test_sixty_unseen_codes_a_minute(presented: PresentedCodes, time: Time) -> None:
    for number in range(60):
        presented.check(code(number), HOME)
        time.now += 0.5
    assert refusal(lambda: presented.check(code(60), HOME)) == 30
    assert refusal(lambda: presented.check(code(60), HOME)) == 30  # a refused code stays unseen
    for number in range(60):
        presented.check(code(number), HOME)  # seen codes pass
    presented.check(code(60), OFFICE)  # so do others
    time.now += 30.1
    presented.check(code(60), HOME)
    assert refusal(lambda: presented.check(code(61), HOME)) == 1


def test_one_code_never_counts_twice(presented: PresentedCodes) -> None:
    for _ in range(1000):
        presented.check(code(1), HOME)
    for number in range(2, 61):
        presented.check(code(number), HOME)
    refusal(lambda: presented.check(code(61), HOME))


def test_known_neighbours_pass_after_midnight(presented: PresentedCodes, time: Time) -> None:
    """500 people behind one address, all seen in the course of a day, come back on the next."""
    for number in range(500):
        presented.check(code(number), HOME)
        time.now += 1.1
    time.now += DAY
    for number in range(500):
        presented.check(code(number), HOME)


def test_memory_is_bounded(presented: PresentedCodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_SEEN", 70)
    for number in range(500):
        presented.check(code(number), ClientNetwork(f"2001:db8:{number:x}::/64"))
    assert len(presented._seen) == 70


def test_the_networks_of_one_site_guess_together(presented: PresentedCodes, time: Time) -> None:
    """Whoever rents a machine has 65,536 networks of 64 bits."""
    for number in range(600):
        presented.check(code(number), ClientNetwork(f"2001:db8:1:{number:x}::/64"))
    assert refusal(lambda: presented.check(code(600), ClientNetwork("2001:db8:1:ffff::/64"))) == 60
    presented.check(code(0), ClientNetwork("2001:db8:1:0::/64"))  # what was seen there passes
    presented.check(code(600), ClientNetwork("2001:db8:2:ffff::/64"))
    for number in range(601):
        presented.check(
            code(number), ClientNetwork(f"192.0.2.{number % 250}")
        )  # addresses of IPv4 have no site
    time.now += 60.1
    presented.check(code(600), ClientNetwork("2001:db8:1:ffff::/64"))


def test_no_address_and_no_code_is_stored(presented: PresentedCodes) -> None:
    presented.check(code(7), HOME)
    assert presented._seen
    assert "203.0.113" not in f"{presented._seen}"
    assert str(code(7)) not in f"{presented._seen}"
