"""What an advertisement's weight means."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from liuying.features.ads.rules import in_turn
from liuying.kit.clock import DAY_MS
from tests.catalogue_factory import NOW

DAYS = 2000


def rows(*weights: int, position: int = 0) -> list[Any]:
    return [
        SimpleNamespace(id=number, weight=weight, position=position)
        for number, weight in enumerate(weights, 1)
    ]


def ids(found: list[Any]) -> list[int]:
    return [row.id for row in found]


def test_the_heavier_one_comes_first_more_often() -> None:
    ads = rows(1, 3)
    firsts = [ids(in_turn(ads, NOW + day * DAY_MS))[0] for day in range(DAYS)]
    assert 0.72 < firsts.count(2) / DAYS < 0.78  # 3 of 4; the days are always the same ones


def test_a_day_has_one_order() -> None:
    ads = rows(1, 2, 3, 4)
    morning = NOW - NOW % DAY_MS
    assert len({tuple(ids(in_turn(ads, morning + hour * 3_600_000))) for hour in range(24)}) == 1


def test_equal_weights_and_positions_stay_in_order() -> None:
    assert ids(in_turn(rows(2, 2, 2), NOW)) == [1, 2, 3]
    placed = [*rows(1), *rows(1, 1000, position=1)[1:]]
    orders = {tuple(ids(in_turn(placed, NOW + day * DAY_MS))) for day in range(50)}
    assert orders == {(1, 2)}
