"""Who goes first, what is tried again, and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.core.jobs.rules import (
    MAX_FAILURES,
    MAX_WAIT_MS,
    REST_STEP,
    SHORT_BYTES,
    Fault,
    State,
    Verdict,
    first_priority,
    is_short,
    judge,
    wait_after,
)

NOW = 1_800_000_000_000
MINUTE = 60_000


def test_every_fault_has_a_last_failure() -> None:
    assert set(MAX_FAILURES) == set(Fault)


@pytest.mark.parametrize(
    ("failures", "minutes"), [(1, 0.5), (2, 2), (3, 8), (4, 32), (5, 60), (6, 60), (1000, 60)]
)
def test_waits_grow_to_an_hour(failures: int, minutes: float) -> None:
    assert wait_after(failures) == minutes * MINUTE


@pytest.mark.parametrize("fault", [Fault.REFUSED, Fault.TIMEOUT])
def test_what_lies_in_the_file_is_not_tried_again(fault: Fault) -> None:
    assert judge(fault, 1, NOW) == Verdict(State.FAILED, None)


@pytest.mark.parametrize(
    "fault", [Fault.DISK_FULL, Fault.UNREADABLE, Fault.KILLED, Fault.SYSTEM, Fault.BUSY]
)
def test_what_lies_in_the_machine_is_tried_again(fault: Fault) -> None:
    assert judge(fault, 1, NOW) == Verdict(State.WAITING, NOW + 30_000)


def test_a_full_disk_has_more_than_an_hour_to_be_cleaned() -> None:
    times, now = 0, NOW
    while (verdict := judge(Fault.DISK_FULL, times + 1, now)).due_at is not None:
        times, now = times + 1, verdict.due_at
    assert (times, now - NOW) == (5, 102.5 * MINUTE)


@given(fault=st.sampled_from(Fault), failures=st.integers(1, 10**9), now=st.integers(0, 2**53))
def test_a_verdict_is_a_wait_or_the_end(fault: Fault, failures: int, now: int) -> None:
    verdict = judge(fault, failures, now)
    if verdict.due_at is None:
        assert verdict.state is State.FAILED
        assert judge(fault, failures + 1, now) == verdict  # the end is one
    else:
        assert verdict.state is State.WAITING
        assert now < verdict.due_at <= now + MAX_WAIT_MS
        assert wait_after(failures) <= wait_after(failures + 1)


def test_every_first_rung_goes_before_any_rest() -> None:
    firsts = [first_priority(is_short=short) for short in (True, False)]
    assert firsts == sorted(firsts)
    assert max(firsts) < min(firsts) + REST_STEP


@pytest.mark.parametrize(
    ("size", "is_short_category", "expected"),
    [(SHORT_BYTES, False, True), (SHORT_BYTES + 1, False, False), (10**12, True, True)],
)
def test_shorts_are_small_or_named_so(size: int, is_short_category: bool, expected: bool) -> None:
    assert is_short(size, is_short_category=is_short_category) is expected
