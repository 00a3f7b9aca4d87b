"""Pure rules of the slices."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuying.domains.catalogue.ranking import (
    CATEGORY_CAP,
    Candidate,
    SimilarCandidate,
    draw_pool,
    order_similar,
)
from liuying.domains.catalogue.rules import play_time
from liuying.domains.notices.service import clean_html
from liuying.domains.search.folding import fold
from liuying.kit.links import is_safe_link

CANDIDATES = st.lists(
    st.builds(
        Candidate,
        id=st.integers(1, 10_000),
        category_id=st.integers(1, 12),
        pageviews=st.integers(0, 10**9),
        age=st.integers(-1000, 10**12),
    ),
    unique_by=lambda one: one.id,
    max_size=60,
)


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


@given(CANDIDATES, st.integers(0, 40_000), st.integers(0, 99))
def test_a_pool_is_deterministic_and_without_repeats(candidates: list[Candidate], day: int, seed: int) -> None:
    pool = draw_pool(candidates, day, seed)
    assert pool == draw_pool(list(reversed(candidates)), day, seed)
    assert len(pool) == len(set(pool)) == min(12, len(candidates))


def test_a_pool_is_spread_over_categories() -> None:
    candidates = [Candidate(index, index % 6, 10**8 if index % 6 == 0 else 10, 0) for index in range(120)]
    drawn = draw_pool(candidates, 1, 1)
    assert max(sum(id_ % 6 == category for id_ in drawn) for category in range(6)) <= CATEGORY_CAP


def test_popular_videos_are_drawn_more_often() -> None:
    candidates = [Candidate(index, index, 10**7 if index < 20 else 0, 0) for index in range(40)]
    drawn = [id_ for day in range(200) for id_ in draw_pool(candidates, day, 0)]
    assert sum(id_ < 20 for id_ in drawn) > 1.5 * sum(id_ >= 20 for id_ in drawn)


def test_rare_labels_weigh_more_than_common_ones() -> None:
    common, rare = 1, 2
    candidates = [
        SimilarCandidate(10, 9, 0, [common], []),
        SimilarCandidate(11, 9, 0, [rare], []),
    ]
    assert order_similar(candidates, 1, [common, rare], [], {common: 5000, rare: 2}) == [11, 10]


def test_one_artist_does_not_fill_the_list() -> None:
    candidates = [SimilarCandidate(index, 1, 0, [], [7]) for index in range(6)]
    candidates.append(SimilarCandidate(99, 2, 0, [], [8]))
    assert order_similar(candidates, 1, [], [7], {}).index(99) == 3


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
        ('<a href="https://e.com">好</a>', '<a href="https://e.com" rel="noopener noreferrer">好</a>'),
        ("<svg><script>x</script></svg><math></math><form><input></form>", ""),
        ("<p>a\u202eb&#x2066;c&#8238;d\u200be</p>\n\t<p>👩\u200d🚀</p>", "<p>abcde</p>\n\t<p>👩\u200d🚀</p>"),
        ('<a href="java\u202escript:x()">好</a>', '<a rel="noopener noreferrer">好</a>'),
        ('<a href="java&#x202e;script&#x2066;:x()">好</a>', '<a rel="noopener noreferrer">好</a>'),
        ("&lt;scr\u202eipt&gt;好", "&lt;script&gt;好"),
    ],
)
def test_notices_are_cleaned(written: str, kept: str) -> None:
    assert clean_html(written) == kept


@pytest.mark.parametrize(
    ("text", "folded"),
    [("ＡＢＣ　臺灣", "abc 台湾"), ("  Big   BUCK ", "big buck"), ("視頻", "视频"), ("", ""), ("①", "1")],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(max_size=40))
def test_folding_again_changes_nothing_but_case_marks(text: str) -> None:
    assert fold(fold(text)) == fold(fold(fold(text)))
