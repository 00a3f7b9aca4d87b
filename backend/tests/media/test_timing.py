"""What the packets say, and what is refused for it."""

from __future__ import annotations

import pytest

from liuying.media.errors import (
    AbsurdTimestampsError,
    MediaError,
    NoVideoStreamError,
    TooLongError,
    TruncatedError,
)
from liuying.media.timing import Clock, PacketLog, refuse_what_cannot_be_whole


def log_of(times: list[float], size: int = 1000) -> PacketLog:
    log = PacketLog()
    for number, moment in enumerate(times):
        log.add_picture(moment, size, number % 50 == 0)
    return log


def test_an_even_stream() -> None:
    timing = log_of([number / 25 for number in range(100)]).summary(0)
    assert timing.rate == pytest.approx(25)
    assert timing.duration == pytest.approx(4)
    assert timing.longest_gap == pytest.approx(0.04)
    assert timing.key_times == (0.0, 2.0)
    assert timing.mean_bits == pytest.approx(200_000)
    assert not timing.is_frozen


def test_decoding_order_does_not_matter() -> None:
    timing = log_of([0.0, 0.12, 0.04, 0.08, 0.16]).summary(0)
    assert timing.longest_gap == pytest.approx(0.04)
    assert timing.rate == pytest.approx(25)


def test_the_busiest_two_seconds() -> None:
    log = log_of([number / 10 for number in range(100)], size=100)
    for number in range(10):
        log.add_picture(5 + number / 10, 10_000, is_key=False)
    timing = log.summary(0)
    assert timing.peak_bits == pytest.approx((10 * 10_000 + 20 * 100) * 8 / 2, rel=0.02)


def test_pictures_of_one_moment_take_the_nominal_rate() -> None:
    timing = log_of([0.0] * 5).summary(25)
    assert timing.is_frozen
    assert timing.duration == pytest.approx(0.2)


def test_one_picture() -> None:
    timing = log_of([0.0]).summary(0)
    assert timing.duration == pytest.approx(0.04)
    assert not timing.is_frozen


def test_no_picture() -> None:
    with pytest.raises(NoVideoStreamError):
        PacketLog().summary(25)


@pytest.mark.parametrize(
    ("times", "declared", "end", "error"),
    [
        ([0, 1, 2, 10_000], 0, 0.0, AbsurdTimestampsError),
        ([float(number * 200) for number in range(120)], 0, 0.0, TooLongError),
        ([number / 25 for number in range(100)], 200, 0.0, TruncatedError),
        ([number / 25 for number in range(100)], 0, 8.0, TruncatedError),
    ],
)
def test_refusals(times: list[float], declared: int, end: float, error: type[MediaError]) -> None:
    log = log_of(times)
    with pytest.raises(error):
        refuse_what_cannot_be_whole(log.summary(25), log, declared, end)


@pytest.mark.parametrize(("declared", "end"), [(0, 0.0), (100, 4.0), (102, 4.1), (0, 5.9)])
def test_small_differences_are_no_damage(declared: int, end: float) -> None:
    log = log_of([number / 25 for number in range(100)])
    refuse_what_cannot_be_whole(log.summary(25), log, declared, end)


def test_the_message_says_how_much_can_be_read() -> None:
    assert TruncatedError(0.489).message == "文件不完整或已损坏：只能读到 48%"


def test_a_clock_that_starts_anew_goes_on() -> None:
    clock = Clock(10.0, may_jump=True)
    seen = [clock.moment_of(time, time) for time in (10.0, 11.0, 12.0, 0.0, 1.0, 500.0, 501.0)]
    assert seen == pytest.approx([0, 1, 2, 3, 4, 5, 6])
    assert clock.jumps == 2


def test_other_formats_mean_what_they_say() -> None:
    clock = Clock(0.0, may_jump=False)
    assert [clock.moment_of(time, time) for time in (0.0, 1.0, 500.0, 2.0)] == [0, 1, 500, 2]


def test_packets_without_time_share_the_last_one() -> None:
    clock = Clock(0.0, may_jump=True)
    assert [
        clock.moment_of(*times) for times in ((None, None), (4.0, 3.0), (None, None), (None, 5.0))
    ] == [0, 4, 4, 5]
