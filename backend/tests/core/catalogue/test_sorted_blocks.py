"""Blocks beside a plain sorted list, whatever is done to both."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from liuying.core.catalogue import sorted_blocks
from liuying.core.catalogue.sorted_blocks import SortedBlocks

PAIRS = st.tuples(st.integers(-3, 12), st.integers(1, 400))


def filled(pairs: list[tuple[int, int]]) -> SortedBlocks:
    ordered = sorted(pairs)
    return SortedBlocks(
        array("q", (one for one, _ in ordered)), array("i", (id_ for _, id_ in ordered))
    )


class Beside(RuleBasedStateMachine):
    """The model is a set of pairs; few scores, so that ties reach over many blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = SortedBlocks()
        self.pairs: set[tuple[int, int]] = set()

    @rule(pairs=st.sets(PAIRS, max_size=200))
    def begin_anew(self, pairs: set[tuple[int, int]]) -> None:
        self.blocks, self.pairs = filled(list(pairs)), pairs

    @rule(pairs=st.sets(PAIRS, max_size=40))
    def add(self, pairs: set[tuple[int, int]]) -> None:
        for pair in pairs - self.pairs:
            self.blocks.add(*pair)
        self.pairs |= pairs

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        for pair in (
            data.draw(st.lists(st.sampled_from(sorted(self.pairs)), unique=True))
            if self.pairs
            else []
        ):
            self.blocks.remove(*pair)
            self.pairs.remove(pair)

    @rule(data=st.data(), score=st.integers(-3, 12))
    def move(self, data: st.DataObject, score: int) -> None:
        if self.pairs:
            old = data.draw(st.sampled_from(sorted(self.pairs)))
            if (score, old[1]) not in self.pairs:
                self.blocks.remove(*old)
                self.blocks.add(score, old[1])
                self.pairs = self.pairs - {old} | {(score, old[1])}

    @rule(pair=PAIRS)
    def refuse_what_is_not_there(self, pair: tuple[int, int]) -> None:
        if pair not in self.pairs:
            with pytest.raises(KeyError):
                self.blocks.remove(*pair)

    @rule(offset=st.integers(0, 450), limit=st.integers(1, 60))
    def page(self, offset: int, limit: int) -> None:
        wanted = [id_ for _, id_ in sorted(self.pairs, reverse=True)][offset : offset + limit]
        assert self.blocks.page(offset, limit) == wanted

    @rule(pair=PAIRS)
    def passed(self, pair: tuple[int, int]) -> None:
        assert self.blocks.passed(*pair) == sum(one >= pair for one in self.pairs)

    @invariant()
    def everything_is_there(self) -> None:
        assert len(self.blocks) == len(self.pairs)
        assert self.blocks.page(0, 10_000) == [id_ for _, id_ in sorted(self.pairs, reverse=True)]


@pytest.mark.parametrize("size", [2, 5, 16])
def test_blocks_are_a_sorted_list(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorted_blocks, "BLOCK", size)
    run_state_machine_as_test(
        Beside, settings=settings(max_examples=60, stateful_step_count=25, deadline=None)
    )


def test_blocks_stay_few_and_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorted_blocks, "BLOCK", 16)
    blocks = SortedBlocks()
    for number in range(4000):
        blocks.add(number % 7, number)
    assert max(map(len, blocks._ids)) < 32
    for number in range(3900):
        blocks.remove(number % 7, number)
    assert len(blocks) == 100
    assert len(blocks._ids) <= 100 // 4 + 1
