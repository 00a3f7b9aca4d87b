"""Pure rules of the slices."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.core.catalogue.ranking import (
    BATCH_SIZE,
    CATEGORY_CAP,
    SEEDS,
    draw_pool,
    likeness_of,
    pool_in_batches,
    spread_artists,
)
from liuying.core.catalogue.rules import play_time
from liuying.features.notices.service import clean_html
from liuying.features.search.folding import fold
from liuying.kit.clock import DAY_MS
from liuying.kit.links import is_safe_link

# What recommendations read of `video_facts.FACTS`.
FACTS = np.dtype([("category_id", np.int32), ("created_at", np.int64), ("pageviews", np.int64)])

# Category, creation and views of each, as `FACTS`.
VIDEOS = st.lists(
    st.tuples(st.integers(1, 12), st.integers(-1000, 10**12), st.integers(0, 10**9)), max_size=60
)
NOW = 1_000 * DAY_MS


@pytest.mark.parametrize(
    ("milliseconds", "label"),
    [
        (0, "00:00"),
        (-5, "00:00"),
        (391_000, "06:31"),
        (59_600, "01:00"),
        (3_600_000, "1:00:00"),
        (3_723_000, "1:02:03"),
    ],
)
def test_play_time(milliseconds: int, label: str) -> None:
    assert play_time(milliseconds) == label


@given(VIDEOS, st.integers(0, 40_000), st.integers(0, 999_999))
def test_a_pool_is_deterministic_and_without_repeats(
    facts: list[tuple[int, int, int]], day: int, seed: int
) -> None:
    ids, now = np.arange(len(facts)) * 7, day * DAY_MS
    pool = draw_pool(ids, np.array(facts, FACTS), now, seed)
    assert pool == draw_pool(ids[::-1], np.array(facts, FACTS)[::-1], now, seed)
    assert len(pool) == len(set(pool)) == min(12, len(facts))


@given(VIDEOS, st.integers(0, 40_000), st.integers(0, SEEDS - 1))
def test_a_batch_repeats_nothing_of_the_one_before_it(
    facts: list[tuple[int, int, int]], day: int, seed: int
) -> None:
    ids, now = np.arange(len(facts)) * 7, day * DAY_MS
    batches = []
    for one in (seed, (seed + 1) % SEEDS):
        pool = pool_in_batches(ids, np.array(facts, FACTS), now, one)
        assert len(pool) == len(set(pool)) == min(12, len(facts))
        full = max(1, len(pool) // BATCH_SIZE)
        batches += [pool[n * BATCH_SIZE : (n + 1) * BATCH_SIZE] for n in range(full)]
    if len(facts) >= 2 * BATCH_SIZE and seed != SEEDS - 1:
        for before, after in itertools.pairwise(batches):
            assert not set(before) & set(after)


@pytest.mark.parametrize("size", [5, 7, 9, 10, 11, 12, 13])
def test_every_video_of_a_small_site_is_recommended_within_a_few_pools(size: int) -> None:
    ids, facts = np.arange(size), np.array([(1, 0, 10)] * size, FACTS)
    full = max(BATCH_SIZE, min(12, size) // BATCH_SIZE * BATCH_SIZE)
    shown = {id_ for seed in range(20) for id_ in pool_in_batches(ids, facts, DAY_MS, seed)[:full]}
    assert shown == set(range(size))


def test_pools_differ_by_day_and_seed() -> None:
    ids, facts = np.arange(400), np.array([(1 + index, 0, 10) for index in range(400)], FACTS)
    pools = {
        tuple(draw_pool(ids, facts, day * DAY_MS, seed)) for day in range(10) for seed in range(10)
    }
    assert len(pools) == 100
    # Each of 400 in a hundred draws of twelve: three times on average, and chance alone makes none
    # very frequent.
    drawn = Counter(id_ for pool in pools for id_ in pool)
    assert len(drawn) > 350
    assert max(drawn.values()) < 15


def test_a_pool_is_spread_over_categories() -> None:
    facts = [(1 + index % 6, 0, 10**8 if index % 6 == 0 else 10) for index in range(120)]
    drawn = draw_pool(np.arange(120), np.array(facts, FACTS), DAY_MS, 1)
    assert max(sum(id_ % 6 == category for id_ in drawn) for category in range(6)) <= CATEGORY_CAP


def test_popular_and_fresh_videos_are_drawn_more_often() -> None:
    def share_of_first(first: tuple[int, int], second: tuple[int, int]) -> float:
        facts = [(1 + index, *(first if index < 20 else second)) for index in range(40)]
        pools = [draw_pool(np.arange(40), np.array(facts, FACTS), NOW, seed) for seed in range(200)]
        return sum(id_ < 20 for pool in pools for id_ in pool) / sum(map(len, pools))

    assert share_of_first((0, 10**7), (0, 0)) > 0.6
    assert share_of_first((NOW, 100), (0, 100)) > 0.55


def alike(
    facts: tuple[int, int, int], *labels: tuple[bool, int], is_by_same_artist: bool = False
) -> float:
    has_label = [(np.array([has]), count) for has, count in labels]
    return float(
        likeness_of(np.array([facts], FACTS), 1, has_label, np.array([is_by_same_artist]))[0]
    )


def test_rare_labels_weigh_more_than_common_ones() -> None:
    rare, common = (
        alike((9, 0, 0), (True, 2), (False, 5000)),
        alike((9, 0, 0), (False, 2), (True, 5000)),
    )
    assert rare > common > alike((9, 0, 0), (False, 2), (False, 5000))


def test_artist_category_and_popularity_weigh() -> None:
    plain = alike((9, 0, 0))
    assert (
        alike((9, 0, 0), is_by_same_artist=True)
        > alike((1, 0, 0))
        > alike((9, 0, 10**6))
        > plain
        == 0
    )


def test_one_artist_does_not_fill_the_list() -> None:
    ordered = [(index, [7]) for index in range(6)] + [(99, [8])]
    assert spread_artists(ordered) == [0, 1, 2, 99, 3, 4, 5]


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://example.com/a?b=1", True),
        ("http://例子.中国/", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        ("data:text/html,x", False),
        ("//example.com", False),
        ("/local", False),
        ("https://", False),
        ("https://user@example.com", False),
        ("https://example.com\\@evil", False),
        (" https://example.com", False),
        ("http://[::1", False),
    ],
)
def test_safe_links(url: str, safe: bool) -> None:
    assert is_safe_link(url) is safe


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("<p>好<b>的</b></p>", "<p>好<b>的</b></p>"),
        ("<script>alert(1)</script>好", "好"),
        ('<p onclick="x()" style="a">好</p>', "<p>好</p>"),
        ('<a href="javascript:x()">好</a>', '<a rel="noopener noreferrer">好</a>'),
        (
            '<a href="https://e.com">好</a>',
            '<a href="https://e.com" rel="noopener noreferrer">好</a>',
        ),
        ("<svg><script>x</script></svg><math></math><form><input></form>", ""),
        (
            "<p>a\u202eb&#x2066;c&#8238;d\u200be</p>\n\t<p>👩\u200d🚀</p>",
            "<p>abcde</p>\n\t<p>👩\u200d🚀</p>",
        ),
        ('<a href="java\u202escript:x()">好</a>', '<a rel="noopener noreferrer">好</a>'),
        ('<a href="java&#x202e;script&#x2066;:x()">好</a>', '<a rel="noopener noreferrer">好</a>'),
        ("&lt;scr\u202eipt&gt;好", "&lt;script&gt;好"),
    ],
)
def test_notices_are_cleaned(written: str, kept: str) -> None:
    assert clean_html(written) == kept


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＢＣ　臺灣", "abc 台湾"),
        ("  Big   BUCK ", "big buck"),
        ("視頻", "视频"),
        ("", ""),
        ("①", "1"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(max_size=40))
def test_folding_again_changes_nothing_but_case_marks(text: str) -> None:
    assert fold(fold(text)) == fold(fold(fold(text)))
