"""Texts that one process has saved and another maps: the same answers, and never another
database's.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.change_log import note_all_changed
from liuying.features.search import memory_index, saved_texts, text_marks
from liuying.features.search.memory_index import MemoryIndex
from liuying.features.search.queries import texts
from liuying.features.search.queries.matches import ordered_ids
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.saved_texts import SavedTexts
from liuying.features.search.tables import search_save
from liuying.installation.services import Services
from liuying.kit.files import sync_tree
from liuying.kit.storage_layout import LOCK_NAME
from liuying.workflows.editing import edit_video, set_hidden
from liuying.workflows.video_meta import GivenMeta
from tests.pages.catalogue_churn import CatalogueChurn

KEYWORDS = ["视", "视频", "视频 1", "标签1", "作者", "海边", "灯塔", "shipin", "hb", "haibian"]
ALL = 10**6


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_texts, "SAVED_FROM", 1)
    monkeypatch.setattr(saved_texts, "SAVED_EVERY_S", 0.0)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gets longer whenever all texts are read from the database."""
    read = texts.all_parts
    counted: list[int] = []

    def counting(connection: sa.Connection) -> Iterator[object]:
        counted.append(1)
        return read(connection)

    monkeypatch.setattr(memory_index, "all_parts", counting)
    return counted


class Process:
    """What one serving process of the machine has in memory."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.folder = services.layout.searched_texts
        saved = SavedTexts(self.folder, services.database, services.clock)
        self.index = MemoryIndex(services.database, change_log, saved)
        self.index.build()

    def is_ready(self) -> bool:
        return self.index.is_ready

    @property
    def is_mapped(self) -> bool:
        """Whether the texts that were read at once lie in files."""
        state = self.index._state
        assert state is not None
        return not any(one.pairs.marks.flags.writeable for one in state.base)

    def differing(self) -> list[str]:
        """Keywords for which it says something else than the statements do."""
        results = ResultCache(self.index)
        with self.services.database.read() as connection:
            self.index.follow(connection)
            return [
                one
                for one in KEYWORDS
                if results.find(connection, one, 0, ALL)[0] != list(ordered_ids(connection, one))
            ]

    @property
    def kept(self) -> list[str]:
        """What lies in the folder, without the random part of the names."""
        return sorted(one.name.partition("-")[0] for one in self.folder.iterdir())


def test_what_one_process_has_read_the_next_maps(filled: Services, reads: list[int]) -> None:
    first, second = Process(filled), Process(filled)
    assert len(reads) == 1
    assert first.is_mapped
    assert second.is_mapped
    assert first.differing() == second.differing() == []
    assert first.kept == [LOCK_NAME, "base", "state"]


def test_few_texts_are_not_saved(
    filled: Services, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_texts, "SAVED_FROM", 10**6)
    for number in (1, 2):
        process = Process(filled)
        assert len(reads) == number
        assert not process.is_mapped
        assert process.differing() == []
        process.index.save()
        assert not process.folder.exists()


def test_a_later_start_goes_on_where_it_was_saved(
    filled: Services, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever has changed before it was saved and after."""
    monkeypatch.setattr(memory_index, "READ_AT_ONCE", 1)
    monkeypatch.setattr(memory_index, "MUCH_LARGER", 2)
    monkeypatch.setattr(memory_index, "FOLLOWED_AT_ONCE", 3)
    process = Process(filled)
    churn = CatalogueChurn(filled, 17, ["海边", "海边的灯塔", "灯塔 视频"], [1])
    for number in range(40):
        churn.dice.choice(churn.steps())()
        if number % 4 == 0:
            assert process.differing() == []
            process.index.save()
        if number % 7 == 0:
            process = Process(filled)
            assert process.differing() == []
    assert process.is_mapped
    assert process.kept == [LOCK_NAME, "base", "state"]
    assert len(reads) < 4


def test_a_state_of_another_history_does_not_count(filled: Services, reads: list[int]) -> None:
    """The database was restored to a moment before: its changes have other meanings."""
    Process(filled)
    with filled.database.write() as connection:
        connection.execute(sa.delete(search_save))
    set_hidden(filled, [105], is_hidden=True)
    process = Process(filled)
    assert len(reads) == 2
    assert process.differing() == []
    assert process.kept == [LOCK_NAME, "base", "state"]


def test_what_the_log_does_not_tell_is_read_anew(filled: Services, reads: list[int]) -> None:
    Process(filled)
    with filled.database.write() as connection:
        note_all_changed(connection)
    process = Process(filled)
    assert not process.is_ready()
    process.index.build()
    assert process.is_ready()
    assert len(reads) == 2
    assert process.differing() == []
    Process(filled)
    assert len(reads) == 2


def cut(folder: Path) -> None:
    longest = max(folder.glob("base-*/*/*.npy"), key=lambda one: one.stat().st_size)
    content = longest.read_bytes()
    longest.unlink()  # Who has mapped it keeps it.
    longest.write_bytes(content[: len(content) // 2])


def lose_a_base(folder: Path) -> None:
    shutil.rmtree(next(folder.glob("base-*")))


def garble(folder: Path) -> None:
    next(folder.glob("state-*/about.json")).write_text("{")


def be_of_another_version(folder: Path) -> None:
    about = next(folder.glob("state-*/about.json"))
    about.write_text(about.read_text().replace('"format":1', '"format":0'))


@pytest.mark.parametrize("harm", [cut, lose_a_base, garble, be_of_another_version])
def test_files_that_cannot_be_read_are_made_again(
    filled: Services, reads: list[int], harm: Callable[[Path], None]
) -> None:
    first = Process(filled)
    harm(first.folder)
    second = Process(filled)
    assert len(reads) == 2
    assert first.differing() == second.differing() == []
    assert second.kept == [LOCK_NAME, "base", "state"]
    Process(filled)
    assert len(reads) == 2


@pytest.mark.parametrize("fails", [1, 2])
def test_where_nothing_can_be_written_each_process_reads(
    filled: Services,
    reads: list[int],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fails: int,
) -> None:
    """The disk is full, at the base or at the state; nothing of it is left."""
    counted = []

    def full(folder: Path) -> None:
        counted.append(folder)
        if len(counted) >= fails:
            raise OSError(28, "No space left on device")
        sync_tree(folder)

    monkeypatch.setattr(saved_texts, "sync_tree", full)
    first, second = Process(filled), Process(filled)
    assert len(reads) == 2
    assert first.differing() == second.differing() == []
    assert "No space left on device" in caplog.text
    assert not list(first.folder.glob("draft-*"))
    assert not list(first.folder.glob("state-*"))


def test_too_little_room_is_left_to_others(
    filled: Services, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_texts, "ROOM", 10**12)
    process = Process(filled)
    assert not process.is_mapped
    assert process.kept == [LOCK_NAME]
    assert process.differing() == []


def test_an_outgrown_base_does_not_replace_a_newer_one(filled: Services, reads: list[int]) -> None:
    old = Process(filled)
    shutil.rmtree(next(old.folder.glob("state-*")))  # As if it could not be followed.
    new = Process(filled)
    assert len(reads) == 2
    set_hidden(filled, [105], is_hidden=True)
    assert old.differing() == []
    old.index.save()
    assert new.kept == [LOCK_NAME, "base", "state"]
    third = Process(filled)
    assert len(reads) == 2
    assert third.differing() == old.differing() == new.differing() == []


def test_what_killed_processes_left_goes(filled: Services) -> None:
    process = Process(filled)
    (process.folder / "draft-0" / "0").mkdir(parents=True)
    (process.folder / "base-0").mkdir()
    edit_video(filled, 105, GivenMeta(title="海边的灯塔"))
    assert process.differing() == []
    process.index.save()
    assert process.kept == [LOCK_NAME, "base", "state"]


def test_a_state_is_written_now_and_then(filled: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = [1000.0]
    monkeypatch.setattr(saved_texts, "SAVED_EVERY_S", 300.0)
    monkeypatch.setattr(saved_texts, "monotonic", lambda: moments[-1])
    process = Process(filled)

    def save_after(seconds: float) -> bool:
        moments.append(moments[-1] + seconds)
        before = sorted(process.folder.iterdir())
        process.index.save()
        return sorted(process.folder.iterdir()) != before

    assert not save_after(301)  # Nothing has changed.
    set_hidden(filled, [105], is_hidden=True)
    assert process.differing() == []
    assert save_after(0)
    set_hidden(filled, [106], is_hidden=True)
    assert process.differing() == []
    assert not save_after(299)
    assert save_after(2)


def test_common_words_are_mapped_too(filled: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_marks, "COMMON", 5)
    first, second = Process(filled), Process(filled)
    assert first.index._state is not None
    assert second.index._state is not None
    (one,), (other,) = first.index._state.base, second.index._state.base
    assert one.common.keys() == other.common.keys() != set()
    assert all(np.array_equal(one.common[word], other.common[word]) for word in one.common)
    assert second.differing() == []
