"""What texts in memory find, beside what the statements say: the same videos in the same order, on
both databases.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries import change_log
from liuying.features.search import matching, memory_index, postings, ranking, segments, text_marks
from liuying.features.search.documents import VideoTexts
from liuying.features.search.memory_index import MemoryIndex
from liuying.features.search.pinyin import HAN, readings_of_sign
from liuying.features.search.prefixes import MAX_SPELLED_LENGTH, beginning, typed_start
from liuying.features.search.queries import texts
from liuying.features.search.queries.documents import write_documents
from liuying.features.search.queries.matches import ordered_ids
from liuying.features.search.queries.title_suggestions import syllables_typed
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.segments import Segment, Text, part_of, segment_of
from liuying.features.search.tables import search_document
from liuying.installation.migrating import migrate
from liuying.kit.database import Database
from tests.chinese_titles import make_titles
from tests.conftest import new_database

# Beside what titles usually are: equal ones, nothing but numbers, characters beyond 16 bits, a
# title that its text does not begin with, and one that ends where a block does.
ODD = [
    "海边", "海边", "海边 标签3", "三十一", "31", "第三十一集", "一心一意 海边", "三 十 一",
    "🌊海边🌊", "𠮷野家 海边",
    "🌊", "a", "a b", "ab", "海" * 15, "海" * 16, "边" * 33, "海 海", "标签3", "林小野",
    "1 2 3 4 5 6 7 8 9", "·", "é",
    "ﬁ 4K",
]  # fmt: skip
TITLES = dict(enumerate([*ODD, *make_titles(1500)], start=1))
ALL = 10**6
TITLE_ROW = (search_document.c.video_id, search_document.c.text)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """A database with `TITLES` indexed, which tests only read."""
    url = f"sqlite:///{tmp_path_factory.mktemp('texts') / 'liuying.db'}"
    if request.param == "postgresql":
        url = new_database(str(request.getfixturevalue("postgres")))
    opened = Database(url)
    migrate(opened)
    dice = random.Random(3)  # noqa: S311  # no secret
    with opened.write() as connection:
        # Few different scores, so that numbers decide as well; numbers with large gaps, in no
        # order.
        texts = [
            VideoTexts(
                number,
                TITLES[place],
                related_of(place),
                10 ** dice.randrange(6),
                dice.randrange(3) * 10**9,
            )
            for place, number in enumerate(dice.sample(range(1, 2**31 - 1), len(TITLES)), start=1)
        ]
        write_documents(connection, texts)
    yield opened
    opened.close()


def related_of(place: int) -> list[str]:
    return [
        f"标签{place % 7}",
        "林小野" if place % 11 else "Ann Lee",
        "三十一" if place % 5 else "一心",
    ]


def keywords() -> list[str]:
    """Parts of titles of every length, shuffled ones, several words, and what the parts of a query
    may be.
    """
    dice = random.Random(5)  # noqa: S311  # no secret
    words = [word for title in TITLES.values() for word in title.split()]
    found = [
        *ODD,
        "",
        " ",
        "的",
        "zzz",
        "haibian",
        "hbd",
        "31 三十一",
        "签3 标",
        "边 海",
        "三十一 海边 标签3",
        "海边 " * 9,
    ]
    for length in (1, 1, 2, 2, 3, 4, 6):
        for word in dice.sample([word for word in words if len(word) >= length], 25):
            start = dice.randrange(len(word) - length + 1)
            found.append(word[start : start + length])
    found += ["".join(dice.sample(one, len(one))) for one in found if len(one) > 2]
    found += [" ".join(dice.sample(found, dice.choice([2, 2, 3]))) for _ in range(150)]
    return [*found, *typed_in_letters(dice), *dice.sample(list(TITLES.values()), 40)]


def typed_in_letters(dice: random.Random) -> list[str]:
    """Parts of titles as pinyin and as initials, alone and beside characters, and near misses."""
    found = ["a", "x", "xian", "xx", "xxx", "zhuangxx", "aaaa", "haibian lin", "hb 海"]
    runs = [run for title in TITLES.values() for run in HAN.findall(title) if len(run) > 1]
    for length in (1, 1, 2, 2, 3, 4, 6):
        for run in dice.sample([run for run in runs if len(run) >= length], 12):
            start = dice.randrange(len(run) - length + 1)
            signs = run[start : start + length]
            sounds = [dice.choice(readings_of_sign(sign)) for sign in signs]
            found += ["".join(sounds), "".join(one[0] for one in sounds)]
            found += [f"{sounds[0]} {dice.choice(run)}", f"{''.join(sounds[::-1])} {sounds[0]}"]
    return found


def differing(connection: sa.Connection, orders: ResultCache, asked: Sequence[str]) -> list[str]:
    """Keywords for which memory says something else than the statements, in the whole or in
    pages.
    """
    wrong = []
    for keyword in asked:
        wanted = list(ordered_ids(connection, keyword))
        pages = [
            one
            for at in range(0, len(wanted) + 1, 97)
            for one in orders.find(connection, keyword, at, 97)[0]
        ]
        whole = orders.find(connection, keyword, 0, ALL)
        if (whole, pages) != ((wanted, len(wanted)), wanted):
            wrong.append(keyword)
    return wrong


def starts() -> list[str]:
    """What visitors have typed so far of titles: characters, pinyin, initials, and near misses."""
    dice = random.Random(6)  # noqa: S311  # no secret
    found = [
        "",
        " ",
        "a",
        "ab",
        "a b",
        "31",
        "san",
        "sanshi",
        "𠮷",
        "野家",
        "x",
        "zzz",
        "三十",
        "的的",
    ]
    for title in dice.sample(list(TITLES.values()), 150):
        found += [title[: dice.randrange(1, 6)], title]
        run = HAN.search(title)
        if run is not None:
            signs = run.group()[: dice.randrange(1, 10)]
            read = [dice.choice(readings_of_sign(sign)) for sign in signs]
            whole = "".join(read)
            found += [whole, whole[: dice.randrange(1, len(whole) + 1)], whole + "x"]
            found += ["".join(one[0] for one in read), " ".join(read), signs + "吗"]
    return found


def test_memory_begins_titles_as_the_statements_do(database: Database) -> None:
    """The same ones, and those that are read in a way that is not stored."""
    orders, statements = ResultCache(built(database)), ResultCache()
    finding = 0
    with database.read() as connection:
        titles = {row.video_id: row.text for row in connection.execute(sa.select(*TITLE_ROW))}
        for typed in starts():
            wanted = statements.titles_beginning(connection, typed, ALL)
            found = orders.titles_beginning(connection, typed, ALL)
            assert [one for one in found if one in set(wanted)] == wanted, typed
            for number in set(found) - set(wanted):
                assert is_read(titles[number], typed_start(typed)), typed
            assert orders.titles_beginning(connection, typed, 3) == found[:3], typed
            finding += bool(wanted)
    assert finding > 300


def is_read(title: str, start: str) -> bool:
    """Whether a title's first characters may be read as letters, or have them for initials."""
    run = HAN.match(beginning(title))
    if run is None:
        return False
    sounds = [readings_of_sign(sign) for sign in run.group()[:MAX_SPELLED_LENGTH]]

    def may_begin(rest: str, at: int) -> bool:
        return not rest or (
            at < len(sounds)
            and any(
                one.startswith(rest)
                or (rest.startswith(one) and may_begin(rest[len(one) :], at + 1))
                for one in sounds[at]
            )
        )

    have_initials = len(start) <= len(sounds) and all(
        any(one.startswith(letter) for one in some)
        for letter, some in zip(start, sounds, strict=False)
    )
    return may_begin(start, 0) or have_initials


def test_memory_forgives_a_wrong_syllable_as_the_statements_do(database: Database) -> None:
    orders, statements = ResultCache(built(database)), ResultCache()
    finding = 0
    with database.read() as connection:
        for typed in starts():
            if syllables := syllables_typed(typed):
                wanted = statements.titles_nearly_read(connection, syllables, 10)
                assert orders.titles_nearly_read(connection, syllables, 10) == wanted, typed
                finding += bool(wanted)
    assert finding > 50


def built(database: Database) -> MemoryIndex:
    index = MemoryIndex(database, change_log)
    index.build()
    assert index.is_ready
    return index


def segments_of(index: MemoryIndex) -> Sequence[Segment]:
    assert index._state is not None
    return index._state.segments


def test_memory_says_what_the_statements_say(database: Database) -> None:
    index = built(database)
    with database.read() as connection:
        asked = keywords()
        assert differing(connection, ResultCache(index), asked) == []
        finding = [one for one in asked if ordered_ids(connection, one)]
        assert len(finding) > len(asked) / 3


def test_it_says_so_in_whatever_pieces_it_works(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists that are spread out, words whose texts are kept, and scores too far apart for small
    numbers.
    """
    monkeypatch.setattr(matching, "FEW", 3)
    monkeypatch.setattr(matching, "FEW_TITLES", 0)
    monkeypatch.setattr(text_marks, "COMMON", 20)
    monkeypatch.setattr(text_marks, "MAX_CACHED", 3000)
    monkeypatch.setattr(ranking, "SMALL", 30)
    monkeypatch.setattr(postings, "SORTED_AT_ONCE", 1000)
    monkeypatch.setattr(memory_index, "READ_AT_ONCE", 100)
    index = built(database)
    with database.read() as connection:
        assert differing(connection, ResultCache(index), keywords()[::3]) == []


def test_no_text_is_read_for_a_search(database: Database) -> None:
    orders = ResultCache(built(database))
    asked: list[str] = []
    sa.event.listen(database.engine, "before_cursor_execute", lambda *event: asked.append(event[2]))
    with database.read() as connection:
        for keyword in ("海", "海边", "海边 标签3", "第三十一集", "hai", "haibian", "lxy"):
            assert orders.find(connection, keyword, 0, 24)[1] > 0
        assert not any("search_" in statement for statement in asked)
        ordered_ids(connection, "海")
        assert any("search_" in statement for statement in asked)


def test_more_than_a_segment_can_hold_is_several(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = sum(len(one.blocks.units) for one in segments_of(built(database)))
    monkeypatch.setattr(segments, "MAX_UNITS", units // 4)
    monkeypatch.setattr(texts, "READ_AT_ONCE", 100)
    index = built(database)
    found = segments_of(index)
    assert len(found) > 3
    assert all(len(one.blocks.units) <= units // 4 for one in found)
    assert all(one.ids[-1] < other.ids[0] for one, other in pairwise(found))
    with database.read() as connection:
        assert differing(connection, ResultCache(index), keywords()[::3]) == []


@pytest.mark.parametrize("score", [2**15 - 1, 2**15, -(2**15) - 1, 2**31 - 1])
def test_a_score_of_any_size_is_kept(score: int) -> None:
    segment = segment_of(part_of([Text(7, "海", "海", 5), Text(9, "边", "边", 6)]))
    assert segment.scores.dtype == np.int16
    changed = segment.with_changes(np.array([1]), np.array([score]), np.array([True]))
    assert changed.scores.tolist() == [5, score]
    assert segment.scores.tolist() == [5, 6]
    built = segment_of(changed.part())
    assert built.scores.tolist() == [5, score]
    assert built.with_changes(np.array([1]), np.array([6]), np.array([True])).scores.tolist() == [
        5,
        6,
    ]
