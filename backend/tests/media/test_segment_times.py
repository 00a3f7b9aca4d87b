"""When segments begin."""

from __future__ import annotations

import pytest

from liuying.media.segment_times import segment_starts


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([0, 1, 2, 3, 4, 5, 6, 7], (0, 1, 2, 4, 6)),
        ([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4], (0, 1, 2, 4)),
        ([0, 2, 4, 6], (0, 2, 4, 6)),
        ([0, 3.003, 6.006], (0, 3.003, 6.006)),
        ([0, 1.001, 2.002, 4.004], (0, 1.001, 2.002, 4.004)),
        ([], ()),
    ],
)
def test_segments_begin_at_key_frames(keys: list[float], expected: tuple[float, ...]) -> None:
    assert segment_starts(keys) == expected
