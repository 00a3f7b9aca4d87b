"""Limits of one process: their memory is bounded, and tells nothing."""

from __future__ import annotations

import pytest

from liuying.features.feedback.rules import REPORTS
from liuying.features.views.rules import VIEWS
from liuying.kit import process_limits as module
from liuying.kit.client_network import ClientNetwork
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.limits import Limit
from liuying.kit.process_limits import ProcessLimits
from tests.limited import HOME, Time, refusal


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def limits(time: Time) -> ProcessLimits:
    return ProcessLimits(KeyedHashes(bytes(32)), time.milliseconds)


def counted(limits: ProcessLimits, limit: Limit) -> int:
    """Keys that a limit's first rule has counted."""
    return len(limits._counted[limit.name, limit.rules[0]])


def test_memory_is_bounded(limits: ProcessLimits, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_COUNTED", 50)
    for number in range(500):
        limits.check(REPORTS, ClientNetwork(f"2001:db8:{number:x}::/64"))
    assert [len(windows) for windows in limits._counted.values()] == [50, 50]


def test_what_left_its_window_is_forgotten(limits: ProcessLimits, time: Time) -> None:
    for video in range(200):
        limits.check(VIEWS, HOME, video)
    time.now += 3600.1
    limits.check(VIEWS, HOME, 1)
    assert counted(limits, VIEWS) == 1


def test_what_is_limited_apart_does_not_push_out_the_rest(
    limits: ProcessLimits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_COUNTED", 50)
    for _ in range(5):
        limits.check(REPORTS, HOME)
    for video in range(200):
        assert limits.allows(VIEWS, HOME, video)
    refusal(lambda: limits.check(REPORTS, HOME))


def test_no_address_is_stored(limits: ProcessLimits) -> None:
    limits.check(REPORTS, HOME)
    moments = [windows._moments for windows in limits._counted.values()]
    assert any(moments)
    assert "203.0.113" not in f"{moments}"
