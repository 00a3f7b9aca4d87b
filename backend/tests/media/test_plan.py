"""What is made of a file, and what is copied: pure decisions."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.media.ladder import LADDER, LEAST_BITS
from liuying.media.plan import EncoderSettings, make_plan
from liuying.media.transcode import first_arguments, ladder_arguments
from tests.media.facts import probe_of


def test_every_rung_is_encoded_as_the_settings_say() -> None:
    settings = EncoderSettings(
        preset="fast",
        refinements="trellis=0",
        quality=17,
    )
    plan = make_plan(probe_of(codec="vp9"), settings)
    said = list(pairwise(ladder_arguments(plan, Path("film.mp4"), plan.rungs, None)))
    for pair in [("-preset", "fast"), ("-crf", "17")]:
        assert said.count(pair) == len(plan.rungs) > 1
    refined = [value for name, value in said if name == "-x264-params"]
    assert refined == ["trellis=0"] * len(plan.rungs)


def test_rungs_of_twice_the_rate_are_encoded_better() -> None:
    """Those that keep the rate."""
    plan = make_plan(probe_of(codec="vp9", timing={"rate": 60.0}))
    said = list(pairwise(ladder_arguments(plan, Path("film.mp4"), plan.rungs, None)))
    assert [value for name, value in said if name == "-crf"] == ["21", "21", "19.5"]


@pytest.mark.parametrize(
    ("rate", "expected"),
    [(24.0, 21.0), (30.0, 21.0), (30.01, 21.0), (50.0, 19.9), (60.0, 19.5), (240.0, 19.5)],
)
def test_the_quality_follows_the_rate_of_pictures(rate: float, expected: float) -> None:
    assert EncoderSettings().quality_at(rate) == expected


def limits_at(rate: float) -> dict[int, int]:
    rungs = make_plan(probe_of(codec="vp9", timing={"rate": rate})).rungs
    return {rung.short_side: rung.max_bits for rung in rungs}


def test_rungs_of_twice_the_rate_may_have_more_bits() -> None:
    """Those that keep the rate: small ones are reduced to the usual one."""
    usual, fast = (limits_at(30.0), limits_at(60.0))
    assert usual == {side: LADDER[side] for side in usual}
    assert {side: round(fast[side] / usual[side], 3) for side in usual} == {
        360: 1.0,
        540: 1.0,
        720: 1.414,
    }


@pytest.mark.parametrize("bits", [100_000, 900_000, 2_500_000])
def test_rungs_below_a_copied_one_cost_less_than_it(bits: int) -> None:
    rungs = make_plan(probe_of(timing={"mean_bits": bits})).rungs
    assert [rung.is_copied for rung in rungs] == [False, False, True]
    limits = [rung.max_bits for rung in rungs[:2]]
    assert limits == sorted(limits)
    assert all(LEAST_BITS <= limit <= max(LEAST_BITS, bits * 0.81) for limit in limits)
    assert limits[0] <= LADDER[360]


@given(st.integers(2, 8000), st.integers(2, 8000))
def test_rungs_are_even_rising_and_never_larger_than_the_source(width: int, height: int) -> None:
    rungs = make_plan(probe_of(width=width, height=height, codec="vp9")).rungs
    assert all(rung.width % 2 == 0 and rung.height % 2 == 0 for rung in rungs)
    assert [rung.short_side for rung in rungs] == sorted({rung.short_side for rung in rungs})
    assert all(rung.short_side <= min(width, height) for rung in rungs)
    assert all(
        (rung.width > rung.height) == (width > height) or rung.width == rung.height
        for rung in rungs
    )


@given(st.integers(200, 4000), st.integers(200, 4000))
def test_proportions_are_kept(width: int, height: int) -> None:
    for rung in make_plan(probe_of(width=width, height=height, codec="vp9")).rungs:
        # Even sizes: at most one pixel off on the long side, one on the short.
        assert rung.width / rung.height == pytest.approx(width / height, rel=2.1 / rung.short_side)


def test_a_fitting_source_is_its_own_top_rung() -> None:
    plan = make_plan(probe_of())
    assert [(rung.label, rung.is_copied) for rung in plan.rungs] == [
        ("360P", False),
        ("540P", False),
        ("720P", True),
    ]
    assert plan.cuts == (0.0, 2.0, 4.0, 6.0, 8.0)


@pytest.mark.parametrize(
    ("video", "seconds", "expected"),
    [
        ({}, 10.0, "720P"),
        ({}, 30.0, "720P"),
        ({}, 30.1, "360P"),
        ({"codec": "hevc"}, 10.0, "360P"),
        ({"width": 640, "height": 360}, 10.0, "360P"),
    ],
)
def test_what_is_published_first(video: dict[str, Any], seconds: float, expected: str) -> None:
    """The source's own stream of a short film, where it is kept and there are others; else the
    lowest rung.
    """
    keys = tuple(float(key) for key in range(0, round(seconds), 2))
    plan = make_plan(
        probe_of(timing={"duration": seconds, "key_times": keys, "mean_bits": 700_000}, **video)
    )
    assert plan.first.label == expected
    assert plan.is_source_first == (expected == "720P")


@pytest.mark.parametrize(
    ("video", "rate", "expected"),
    [
        ({"profile": "High 10"}, 25.0, "1"),
        ({"profile": "High 10"}, 60.0, None),  # the lowest rung has half of its pictures
        ({"profile": "High 10", "width": 1920, "height": 1080}, 25.0, None),
        ({"codec": "hevc"}, 25.0, None),
    ],
)
def test_one_thread_decodes_what_is_not_much_larger(
    video: dict[str, Any], rate: float, expected: str | None
) -> None:
    plan = make_plan(probe_of(timing={"rate": rate}, **video))
    said = dict(pairwise(first_arguments(plan, Path("film.mp4"), 0.0)))
    assert said.get("-threads") == expected


def test_one_thread_decodes_for_a_whole_ladder() -> None:
    plan = make_plan(probe_of(profile="High 10", width=1920, height=1080))
    said = dict(pairwise(ladder_arguments(plan, Path("film.mp4"), plan.rungs[1:], None)))
    assert said.get("-threads") == "1"


@pytest.mark.parametrize(
    "video",
    [
        {"codec": "hevc"},
        {"profile": "High 10"},
        {"pixel_format": "yuv422p"},
        {"has_closed_gops": False},
        {"has_square_pixels": False},
        {"is_rotated": True},
        {"is_interlaced": True},
        {"is_full_range": True},
        {"is_hdr": True},
        {"width": 1281},
        {"height": 1440, "width": 2560},
    ],
)
def test_what_a_browser_may_not_play_is_encoded(video: dict[str, Any]) -> None:
    plan = make_plan(probe_of(**video))
    assert not any(rung.is_copied for rung in plan.rungs)
    assert plan.cuts == ()


def test_a_fast_film_may_be_kept_with_more_bits() -> None:
    fast = probe_of(timing={"rate": 60.0, "mean_bits": 3_900_000})
    assert make_plan(fast).rungs[-1].is_copied
    assert (
        not make_plan(probe_of(timing={"rate": 60.0, "mean_bits": 4_000_000})).rungs[-1].is_copied
    )


@pytest.mark.parametrize(
    "timing",
    [
        {"mean_bits": 2_900_000},
        {"peak_bits": 4_300_000},
        {"key_times": (0.0, 5.0)},
        {"key_times": ()},
        {"key_times": (1.0, 3.0, 5.0, 7.0, 9.0)},
        {"is_frozen": True},
        {"has_jumps": True},
        {"rate": 120.0},
        {"longest_gap": 3.0},
    ],
)
def test_what_streams_badly_is_encoded(timing: dict[str, Any]) -> None:
    assert not any(rung.is_copied for rung in make_plan(probe_of(timing=timing)).rungs)
