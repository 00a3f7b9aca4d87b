"""What names in memory offer, beside what the statements say: the same names in the same order, on
both databases.
"""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from liuying.core.catalogue.editing import (
    edit_artist,
    merge_artists,
    merge_labels,
    remove_label,
    rename_label,
)
from liuying.core.catalogue.queries.names import id_by_name
from liuying.core.catalogue.tables import artist, label
from liuying.features.search import names_index
from liuying.features.search.folding import fold
from liuying.features.search.names_index import NamesIndex
from liuying.features.search.pinyin import HAN, readings_of, runs_of, splits_of
from liuying.features.search.prefixes import starts_of, typed_start
from liuying.features.search.queries.shown_names import Kind, shown_names
from liuying.features.search.queries.spellings import (
    forget_names,
    names_alike,
    names_beginning,
    names_nearly_read,
)
from liuying.features.search.queries.title_suggestions import syllables_typed
from liuying.installation.services import Services
from liuying.kit.database import Database
from tests.catalogue_factory import add_video

# Characters that are read in one way only: those that are read in several are offered by more
# spellings from memory (`title_matches`).
ARTISTS = ["林小野", "林小雨", "Ann Lee", "李安安", "山野茶客", "𠮷野家", "★海风", "林小野 (二)"]
LABELS = ["茶道", "海边日记", "海边", "山野", "林间小路", "小路", "4K", "标签 野", "\ufdfa"]
MOST = 3


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def named(filled: Services) -> Database:
    """A catalogue whose names are held by a listed video, by a hidden one, or by both."""
    with filled.database.write() as connection:
        for number, (one, other) in enumerate(zip(ARTISTS, LABELS, strict=False), start=500):
            hidden = number % 3 == 0
            add_video(connection, number, 1, artists=[one], labels=[other], is_hidden=hidden)
        add_video(connection, 600, 1, artists=ARTISTS[:1], labels=LABELS[-1:])
    return filled.database


def said(database: Database, text: str, most: int) -> list[tuple[Kind, str]]:
    with database.read() as connection:
        return shown_names(connection, names_beginning(connection, typed_start(text)), most)


def held(
    database: Database, index: NamesIndex, text: str, most: int
) -> list[tuple[Kind, str]] | None:
    with database.read() as connection:
        return index.beginning(connection, typed_start(text), most)


def typed_texts() -> list[str]:
    """Beginnings of all spellings, every character, and what begins nothing."""
    starts = {one for name in [*ARTISTS, *LABELS] for one in starts_of(fold(name))}
    texts = {start[:length] for start in starts for length in range(1, len(start) + 1)}
    texts |= {sign for name in [*ARTISTS, *LABELS] for sign in typed_start(name)}
    return sorted(
        one for one in texts | {"野茶", "边日", "zzz", "不在", "间小路"} if typed_start(one)
    )


@pytest.mark.parametrize("first_look", [1, 2])
def test_memory_offers_what_the_statements_do(
    named: Database, first_look: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names_index, "FIRST_LOOK", first_look)
    index = NamesIndex(named)
    index.read_again()
    found = 0
    for text in typed_texts():
        for most in (1, MOST, 100):
            offered = held(named, index, text, most)
            if any(sign > "\uffff" for sign in typed_start(text)):
                assert offered is None, text
                continue
            assert offered == said(named, text, most), (text, most)
            found += len(offered)
    assert found > len(ARTISTS) + len(LABELS)


def test_memory_forgives_what_the_statements_do(named: Database) -> None:
    index = NamesIndex(named)
    index.read_again()
    found = 0
    for text in ("linxiaoyu", "linxaye", "haibianriji", "haibeiriji", "linjianxiaolu", "zhangsan"):
        syllables = syllables_typed(text)
        if not syllables:
            continue
        with named.read() as connection:
            wanted = shown_names(connection, names_nearly_read(connection, syllables), MOST)
            assert index.nearly_read(connection, syllables, MOST) == wanted, text
        found += len(wanted)
    assert found


@pytest.mark.parametrize("text", ["林间", "海边的野茶", "小", "路 4K", "zzz", "linye", ""])
def test_memory_finds_names_alike_as_the_statements_do(named: Database, text: str) -> None:
    index = NamesIndex(named)
    index.read_again()
    signs = frozenset("".join(HAN.findall(text)))
    syllables = {one for run in runs_of(readings_of([text])) for sounds in run for one in sounds}
    syllables.update(one for split in splits_of(text)[:1] for one in split)
    with named.read() as connection:
        wanted = names_alike(connection, signs, syllables)
        assert index.alike(connection, signs, syllables) == wanted
    assert bool(wanted) == (text not in {"zzz", ""})


def test_an_empty_installation_offers_nothing(services: Services) -> None:
    index = NamesIndex(services.database)
    index.read_again()
    assert held(services.database, index, "海", MOST) == []
    with services.database.read() as connection:
        assert index.nearly_read(connection, ("lin", "xiao", "ye"), MOST) == []
        assert index.alike(connection, {"林"}, ()) == []


def _renamed_artist(connection: sa.Connection) -> None:
    edit_artist(connection, number_of(connection, artist, "林小野"), "木小野", None, None)


def _renamed_label(connection: sa.Connection) -> None:
    rename_label(connection, number_of(connection, label, "海边"), "水边")


def _removed_label(connection: sa.Connection) -> None:
    remove_label(connection, number_of(connection, label, "海边"))


def _merged_artists(connection: sa.Connection) -> None:
    merge_artists(connection, *(number_of(connection, artist, one) for one in ARTISTS[:2]))


def _merged_labels(connection: sa.Connection) -> None:
    merge_labels(connection, *(number_of(connection, label, one) for one in LABELS[:2]))


def _named_video(connection: sa.Connection) -> None:
    add_video(connection, 700, 1, artists=["海大富"], labels=["海的那边"])


def _forgotten(connection: sa.Connection) -> None:
    forget_names(connection)


def number_of(connection: sa.Connection, table: sa.Table, name: str) -> int:
    found = id_by_name(connection, table, name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "change",
    [
        _renamed_artist,
        _renamed_label,
        _removed_label,
        _merged_artists,
        _merged_labels,
        _named_video,
        _forgotten,
    ],
)
def test_after_a_change_the_database_answers_until_they_are_read_again(
    named: Database, change: object
) -> None:
    assert callable(change)
    index = NamesIndex(named)
    index.read_again()
    with named.write() as connection:
        change(connection)
    assert held(named, index, "海", MOST) is None
    with named.read() as connection:
        assert index.nearly_read(connection, ("lin", "xiao", "ye"), MOST) is None
        assert index.alike(connection, {"林"}, ()) is None
    index.read_again()
    for text in ("海", "lin", "水", "木", "cha"):
        assert held(named, index, text, 100) == said(named, text, 100), text


def test_another_change_leaves_them_in_memory(named: Database) -> None:
    index = NamesIndex(named)
    index.read_again()
    with named.write() as connection:
        add_video(connection, 700, 1, artists=ARTISTS[:1], labels=LABELS[:1])
    assert held(named, index, "林", MOST) == said(named, "林", MOST)
    index.forget()
    assert held(named, index, "林", MOST) is None
