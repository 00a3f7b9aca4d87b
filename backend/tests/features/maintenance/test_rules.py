"""When something daily was due."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liuying.features.maintenance.rules import MINUTE_MS, MINUTES_A_DAY, last_due
from liuying.kit.clock import DAY_MS


@given(
    minute=st.integers(0, MINUTES_A_DAY - 1),
    now=st.integers(1_700_000_000_000, 4_000_000_000_000),
)
def test_the_last_moment_is_at_the_minute_and_within_a_day(minute: int, now: int) -> None:
    due = last_due(minute, now)
    assert due % DAY_MS == minute * MINUTE_MS
    assert now - DAY_MS < due <= now
