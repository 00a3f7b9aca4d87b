"""Searching against an oracle that looks at every text, on both databases."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from functools import cache

import pytest
import sqlalchemy as sa

from liuying.features.search import result_cache
from liuying.features.search.documents import VideoTexts
from liuying.features.search.folding import fold
from liuying.features.search.numerals import with_digits
from liuying.features.search.queries import title_suggestions as suggestions
from liuying.features.search.queries.documents import forget_documents, write_documents
from liuying.features.search.queries.matches import ordered_ids
from liuying.features.search.queries.title_suggestions import titles_beginning
from liuying.features.search.result_cache import ResultCache
from liuying.installation.migrating import migrate
from liuying.installation.services import Services
from liuying.kit.changes import CacheTopic, record_change
from liuying.kit.database import Database
from tests.chinese_titles import make_titles
from tests.conftest import new_database

# By number.
TITLES = dict(enumerate(make_titles(3000), start=1))


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def indexed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """A database with `TITLES` indexed, which tests only read."""
    folder = tmp_path_factory.mktemp("indexed")
    url = f"sqlite:///{folder / 'liuying.db'}"
    if request.param == "postgresql":
        url = new_database(str(request.getfixturevalue("postgres")))
    database = Database(url)
    migrate(database)
    with database.write() as connection:
        write_documents(connection, [texts_of(number, title) for number, title in TITLES.items()])
    yield database
    database.close()


@pytest.fixture
def connection(indexed: Database) -> Iterator[sa.Connection]:
    with indexed.read() as opened:
        yield opened


def texts_of(number: int, title: str) -> VideoTexts:
    return VideoTexts(number, title, related_of(number), number % 97, number * 86_400_000)


def related_of(number: int) -> list[str]:
    return [f"标签{number % 7}", "林小野" if number % 11 else "Ann Lee"]


@cache
def folded_texts(number: int) -> list[str]:
    """All that a video may be found by, a text each."""
    texts = [fold(text) for text in (TITLES[number], *related_of(number))]
    return texts + [with_digits(text) for text in texts]


def oracle(keyword: str) -> set[int]:
    """The videos of which a title, label or artist holds every word, found by looking at all of
    them.
    """
    words = [{word, with_digits(word)} for word in fold(keyword).split()]

    def holds(number: int) -> bool:
        texts = folded_texts(number)
        return all(any(spelling in text for text in texts for spelling in word) for word in words)

    return {number for number in TITLES if words and holds(number)}


def parts(length: int, count: int) -> list[str]:
    """Parts of titles, and characters of titles that no title has in this order."""
    dice = random.Random(length)  # noqa: S311  # no secret
    words = [word for title in TITLES.values() for word in title.split() if len(word) >= length]
    found: list[str] = []
    while len(found) < count:
        word = dice.choice(words)
        start = dice.randrange(len(word) - length + 1)
        found.append(word[start : start + length])
    return found + ["".join(dice.sample(part, len(part))) for part in found[: count // 4]]


@pytest.mark.parametrize("length", [1, 2, 3, 4, 6])
def test_finds_what_holds_the_word_and_nothing_else(connection: sa.Connection, length: int) -> None:
    keywords = parts(length, 60)
    total = 0
    for keyword in keywords:
        wanted = oracle(keyword)
        total += len(wanted)
        found = list(ordered_ids(connection, keyword))
        # Letters that nothing holds are taken for pinyin.
        if wanted or not fold(keyword).isascii():
            assert sorted(found) == sorted(wanted), keyword
    assert total > len(keywords) / 2


def test_finds_what_holds_every_word(connection: sa.Connection) -> None:
    singles = parts(2, 40)
    keywords = [f"{one} {other}" for one, other in itertools.pairwise(singles)]
    keywords += (
        [f"{one} 标签3" for one in singles]
        + [f"林小 {one} 签1" for one in singles]
        + ["的 标签2 林小野"]
    )
    assert sum(len(oracle(keyword)) for keyword in keywords) > 100
    for keyword in keywords:
        assert set(ordered_ids(connection, keyword)) == oracle(keyword), keyword


OPERATORS = ["", "  ", "\x00", '"', "*", "NEAR(", "海边 OR", "text:海", "%", "_", "'", "\\", "海*"]


@pytest.mark.parametrize("keyword", OPERATORS)
def test_operators_are_plain_text(connection: sa.Connection, keyword: str) -> None:
    found = set(ordered_ids(connection, keyword))
    assert found == oracle(keyword) or fold(keyword) == "near("


def test_every_length_of_a_long_word_is_answered(connection: sa.Connection) -> None:
    assert list(ordered_ids(connection, "海边" * 32)) == []
    assert list(ordered_ids(connection, "﷽" * 64)) == []


ORDERED = [
    ("今夜海边的茶", 10**6),
    ("海边的茶元素", 10),
    ("海边的茶", 0),
    ("海边的茶元素之二", 10**6),
    ("茶在海边的", 10**9),
    ("别处", 10**9),
]


def test_the_best_match_comes_first(services: Services) -> None:
    with services.database.write() as connection:
        write_documents(
            connection,
            [
                VideoTexts(n, title, ["海边的茶"], views, 0)
                for n, (title, views) in enumerate(ORDERED, start=1)
            ],
        )
        # Exact, then beginnings (the more seen first), inside, only related; the last two by views,
        # then the newest.
        assert list(ordered_ids(connection, "海边的茶")) == [3, 4, 2, 1, 6, 5]
        assert list(ordered_ids(connection, "茶 海边的")) == [5, 4, 1, 2, 3, 6]


def test_freshness_counts_among_equals(services: Services) -> None:
    year = 365 * 86_400_000
    with services.database.write() as connection:
        texts = [("甲海", 1000, 40 * year), ("乙海", 1000, 50 * year), ("丙海", 10**8, 40 * year)]
        write_documents(
            connection,
            [
                VideoTexts(n, title, [], seen, at)
                for n, (title, seen, at) in enumerate(texts, start=1)
            ],
        )
        assert list(ordered_ids(connection, "海")) == [2, 3, 1]


READ = [
    "茶元素的故事",
    "重庆三十一夜",
    "银行行长长大了",
    "绿色旅行",
    "women in tech",
    "音乐与快乐",
    "４Ｋ 臺灣夜市",
]


@pytest.mark.parametrize(
    ("keyword", "found"),
    [
        ("chayuansu", [1]),
        ("yuansu", [1]),
        ("cys", [1]),
        ("cysdgs", [1]),
        ("chongqing", [2]),
        ("zhongqing", [2]),
        ("yinhang", [3]),
        ("hangzhang", [3]),
        ("zhangda", [3]),
        ("lvse", [4]),
        ("luxing", []),
        ("lvxing", [4]),
        ("women", [5]),
        ("kuaile", [6]),
        ("yinyue", [6]),
        ("台湾", [7]),
        ("臺灣", [7]),
        ("ｔａｉｗａｎ", [7]),
        ("4k taiwan", [7]),
        ("夜市 taiwan", [7]),
        ("31夜", [2]),
        ("三十一夜", [2]),
        ("cs", []),
        ("chasu", []),
        ("csy", []),
    ],
)
def test_pinyin_and_initials_find_where_no_text_does(
    services: Services, keyword: str, found: list[int]
) -> None:
    with services.database.write() as connection:
        write_documents(
            connection, [VideoTexts(n, title, [], 0, 0) for n, title in enumerate(READ, start=1)]
        )
        assert sorted(ordered_ids(connection, keyword)) == found


@pytest.mark.parametrize("few", [2000, 5])
def test_the_best_titles_that_begin_as_was_typed(
    services: Services, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(suggestions, "FEW", few)
    with services.database.write() as connection:
        write_documents(
            connection,
            [VideoTexts(n, f"{'山海'[n % 2]}边 {n}", [], 10 ** (n % 7), 0) for n in range(1, 41)],
        )
        best = sorted((n for n in range(1, 41) if n % 2), key=lambda n: (n % 7, n), reverse=True)
        for typed in ("海", "hai", "hb"):
            assert titles_beginning(connection, typed, 10) == best[:10]
        assert titles_beginning(connection, "海边 13", 10) == [13]


def test_pages_of_an_order_are_kept_until_search_changes(services: Services) -> None:
    orders = ResultCache()
    asked: list[str] = []
    sa.event.listen(
        services.database.engine, "before_cursor_execute", lambda *event: asked.append(event[2])
    )
    with services.database.write() as connection:
        write_documents(connection, [VideoTexts(n, f"海边 {n}", [], n, n) for n in range(1, 61)])
    del asked[:]
    with services.database.read() as connection:
        pages = [orders.find(connection, "海", offset, 24) for offset in (0, 24, 48, 72)]
    assert [(len(ids), total) for ids, total in pages] == [(24, 60), (24, 60), (12, 60), (0, 60)]
    everything = [one for ids, _total in pages for one in ids]
    assert sorted(everything) == list(range(1, 61))
    assert sum("search_document" in statement for statement in asked) == 1
    with services.database.write() as connection:
        forget_documents(connection, [everything[0]])
    with services.database.read() as connection:
        ids, total = orders.find(connection, "海", 0, 24)
    assert (list(ids), total) == (everything[1:25], 59)
    with services.database.write() as connection:
        record_change(connection, CacheTopic.ADS)
    del asked[:]
    with services.database.read() as connection:
        orders.find(connection, "海", 24, 24)
    assert not any("search_document" in statement for statement in asked)


def test_nothing_is_kept_of_another_log_with_the_same_numbers(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = ResultCache()
    with services.database.write() as connection:
        write_documents(connection, [VideoTexts(n, f"海边 {n}", [], n, n) for n in range(1, 4)])

    def late(connection: sa.Connection, phrase: str) -> list[int]:
        """While this is computed all is forgotten, and somebody else asks under the same number."""
        found = list(ordered_ids(connection, phrase))
        monkeypatch.undo()
        orders.forget()
        orders.find(connection, "边", 0, 24)
        return found

    with services.database.read() as connection:
        orders.find(connection, "海", 0, 24)
        assert orders.held_bytes > 0
        orders.forget()
        assert orders.held_bytes == 0
        orders.find(connection, "边", 0, 24)
        of_one = orders.held_bytes
        monkeypatch.setattr(result_cache, "ordered_ids", late)
        assert orders.find(connection, "海", 0, 24)[1] == 3
    assert orders.held_bytes == of_one


def test_kept_orders_are_bounded(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_cache, "MAX_BYTES", 300)
    orders = ResultCache()
    with services.database.write() as connection:
        write_documents(connection, [VideoTexts(n, f"海边 {n}", [], n, n) for n in range(1, 21)])
        for keyword in ("海", "边", "海边"):
            assert orders.find(connection, keyword, 0, 30)[1] == 20
    # Of one of them: slots, ranks and counts of 20 videos, 4 bytes each.
    assert orders.held_bytes == 240
