"""The rungs, their bits and their rates."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.media.ladder import LADDER, ladder_of, max_bits_of, output_rate
from tests.media.facts import TIMING


@pytest.mark.parametrize(
    ("short_side", "expected"),
    [
        (2160, [360, 540, 720, 1080]),
        (1080, [360, 540, 720, 1080]),
        (800, [360, 540, 800]),
        (720, [360, 540, 720]),
        (642, [360, 540, 642]),
        (576, [360, 576]),
        (540, [360, 540]),
        (480, [360, 480]),
        (400, [400]),
        (360, [360]),
        (359, [358]),
        (10, [10]),
        (3, [2]),
    ],
)
def test_the_ladder(short_side: int, expected: list[int]) -> None:
    assert ladder_of(short_side) == expected


@given(st.integers(2, 2160))
def test_limits_rise_with_size(side: int) -> None:
    assert max_bits_of(side) <= max_bits_of(side + 1)
    assert {known: max_bits_of(known) for known in LADDER} == LADDER


@pytest.mark.parametrize(
    ("rate", "gap", "side", "expected"),
    [
        (25.0, 0.04, 360, None),
        (29.97, 0.04, 540, None),
        (50.0, 0.02, 540, 30.0),
        (60.0, 0.02, 720, None),
        (59.94, 0.02, 1080, None),
        (120.0, 0.01, 1080, 60.0),
        (1.0, 1.0, 720, 8.0),
        (24.0, 30.0, 720, 24.0),
        (60.0, 30.0, 720, 30.0),
    ],
)
def test_the_picture_rate(rate: float, gap: float, side: int, expected: float | None) -> None:
    timing = TIMING.__class__(**{**_fields(), "rate": rate, "longest_gap": gap})
    assert output_rate(timing, side) == expected


def _fields() -> dict[str, Any]:
    return {name: getattr(TIMING, name) for name in TIMING.__struct_fields__}
