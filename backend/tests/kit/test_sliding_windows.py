"""Moving windows: against a plain list of all uses, and what they hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liuying.kit.sliding_windows import MovingWindows

LENGTH = 100
STEPS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 60)), max_size=60)


@given(STEPS)
def test_counts_what_a_plain_list_counts(steps: list[tuple[str, int]]) -> None:
    windows, everything, now = MovingWindows(LENGTH, 10), list[tuple[str, int]](), 0
    for key, later in steps:
        now += later
        windows.add(key, now)
        everything.append((key, now))
        for other in "abc":
            expected = [
                moment for one, moment in everything if one == other and moment > now - LENGTH
            ]
            assert list(windows.uses(other, now)) == expected
        assert len(windows) == len({one for one, moment in everything if moment > now - LENGTH})


def test_the_longest_unused_are_forgotten_first() -> None:
    windows = MovingWindows(LENGTH, 2)
    for key in ("a", "b", "a", "c"):
        windows.add(key, 1)
    assert [key for key in "abc" if windows.uses(key, 1)] == ["a", "c"]


def test_a_clock_that_was_set_back_neither_forgets_nor_fails() -> None:
    windows = MovingWindows(LENGTH, 10)
    windows.add("a", 1000)
    windows.add("a", 950)
    assert list(windows.uses("a", 950)) == [1000, 1000]
    assert list(windows.uses("a", 1100)) == []
