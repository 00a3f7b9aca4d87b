"""Texts that one process has saved and another maps: the same answers, and never another
database's.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

from liuying.core.catalogue.queries import change_log
from liuying.core.catalogue.queries.change_log import note_all_changed
from liuying.features.search import (
    memory_index,
    saved_folder,
    saved_texts,
    segments,
    text_marks,
)
from liuying.features.search.memory_index import MemoryIndex
from liuying.features.search.queries import saves, texts
from liuying.features.search.queries.matches import ordered_ids
from liuying.features.search.result_cache import ResultCache
from liuying.features.search.saved_texts import EndingError, SavedTexts
from liuying.features.search.tables import search_save
from liuying.installation.services import Services
from liuying.kit.file_locks import lock_file
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


def test_a_log_that_was_pruned_is_not_followed(
    filled: Services, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    Process(filled)
    monkeypatch.setattr(change_log, "KEPT_AT_LEAST", 1)
    for video_id in (105, 106, 107, 108):
        set_hidden(filled, [video_id], is_hidden=True)
    with filled.database.write() as connection:
        newest = change_log.newest_number(connection)
        while change_log.prune_changes(connection, newest):
            pass
    process = Process(filled)
    assert not process.is_ready()
    process.index.build()
    assert process.differing() == []
    assert len(reads) == 2


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
    about.write_text(about.read_text().replace('"version":"1', '"version":"0'))


def be_empty(folder: Path) -> None:
    next(folder.glob("state-*/0/scores.npy")).write_bytes(b"")


@pytest.mark.parametrize("harm", [cut, lose_a_base, garble, be_of_another_version, be_empty])
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


@pytest.mark.parametrize(
    ("step", "fails"),
    [("sync_tree", 1), ("sync_tree", 2), ("write_texts", 1), ("write_texts", 2)],
)
def test_where_nothing_can_be_written_each_process_reads(
    filled: Services,
    reads: list[int],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    step: str,
    fails: int,
) -> None:
    """The disk is full, at the base or at the state, at one range or the next."""
    be_several(monkeypatch)
    original, counted = getattr(saved_folder, step), []

    def full(*arguments: object) -> None:
        counted.append(1)
        if len(counted) >= fails:
            raise OSError(28, "No space left on device")
        original(*arguments)

    monkeypatch.setattr(saved_folder, step, full)
    first, second = Process(filled), Process(filled)
    assert len(reads) >= 2
    assert first.differing() == second.differing() == []
    assert "No space left on device" in caplog.text
    assert set(first.kept) <= {LOCK_NAME, "base"}
    monkeypatch.setattr(saved_folder, step, original)
    assert Process(filled).kept == [LOCK_NAME, "base", "state"]


def test_too_little_room_is_left_to_others(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_folder, "ROOM", 10**12)
    process = Process(filled)
    assert not process.is_mapped
    assert process.kept == [LOCK_NAME]
    assert process.differing() == []


def test_a_folder_that_cannot_be_made_is_done_without(
    filled: Services, reads: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    filled.layout.searched_texts.write_text("no folder")
    process = Process(filled)
    assert not process.is_mapped
    assert process.differing() == []
    assert len(reads) == 1
    assert "cannot be saved" in caplog.text


def test_several_ranges_are_mapped(
    filled: Services, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    be_several(monkeypatch)
    first, second = Process(filled), Process(filled)
    assert len(reads) == 1
    assert first.index._state is not None
    assert len(first.index._state.base) > 2
    assert first.is_mapped
    assert second.is_mapped
    set_hidden(filled, [105], is_hidden=True)
    assert second.differing() == []
    second.index.save()
    assert Process(filled).differing() == first.differing() == []
    assert len(reads) == 1


def be_several(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read are several ranges."""
    monkeypatch.setattr(segments, "MAX_UNITS", 500)
    monkeypatch.setattr(texts, "READ_AT_ONCE", 10)
    monkeypatch.setattr(memory_index, "READ_AT_ONCE", 1)


def test_one_process_reads_while_the_others_wait(
    filled: Services, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_texts, "LOOK_EVERY_S", 0.001)
    saved = SavedTexts(filled.layout.searched_texts, filled.database, filled.clock)
    waiting, found = threading.Event(), []

    def told(path: Path, *, wait: bool) -> int:
        waiting.set()
        return lock_file(path, wait=wait)

    with saved._turn() as is_ours:
        assert is_ours
        monkeypatch.setattr(saved_texts, "lock_file", told)
        thread = threading.Thread(target=lambda: found.append(Process(filled)))
        thread.start()
        assert waiting.wait(20)
        assert reads == []
    thread.join()
    assert found[0].is_mapped


def test_nobody_waits_for_ever(
    filled: Services, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For one that stands still, and at the end of the process."""
    monkeypatch.setattr(saved_texts, "PATIENCE_S", 0.0)
    other = SavedTexts(filled.layout.searched_texts, filled.database, filled.clock)
    with other._turn():
        process = Process(filled)
        assert len(reads) == 1
        assert not process.is_mapped
        assert process.differing() == []
        monkeypatch.setattr(saved_texts, "PATIENCE_S", 300.0)
        other.end()
        with pytest.raises(EndingError), other._turn():
            pass


def test_nothing_is_saved_while_another_reads(filled: Services) -> None:
    process = Process(filled)
    set_hidden(filled, [105], is_hidden=True)
    assert process.differing() == []
    before = sorted(process.folder.iterdir())
    other = SavedTexts(filled.layout.searched_texts, filled.database, filled.clock)
    with other._turn():
        process.index.save()
    assert sorted(process.folder.iterdir()) == before
    process.index.save()
    assert sorted(process.folder.iterdir()) != before


def test_a_state_the_database_does_not_learn_of_does_not_count(
    filled: Services, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is killed, or the database goes, before it knows."""

    def away(*_: object) -> None:
        raise sa.exc.OperationalError("", {}, Exception("gone"))

    with monkeypatch.context() as patched:
        patched.setattr(saves, "note", away)
        process = Process(filled)
    assert process.differing() == []
    assert process.kept == [LOCK_NAME, "base"]
    Process(filled)
    assert len(reads) == 2


def test_a_state_is_noted_only_with_the_server_it_was_read_from(
    filled: Services, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failover, what was followed last may be unknown to the server that answers now."""
    servers = ["first"]
    monkeypatch.setattr(saved_texts, "server_of", lambda _: servers[0])
    process = Process(filled)
    set_hidden(filled, [105], is_hidden=True)
    assert process.differing() == []
    before = sorted(process.folder.iterdir())
    servers[0] = "second"
    process.index.save()
    assert sorted(process.folder.iterdir()) == before
    process.index.forget()
    process.index.build()
    set_hidden(filled, [106], is_hidden=True)
    assert process.differing() == []
    process.index.save()
    assert sorted(process.folder.iterdir()) != before
    assert len(reads) == 1


def test_the_database_knows_only_what_is_there(filled: Services) -> None:
    process = Process(filled)
    for video_id in (105, 106, 107):
        set_hidden(filled, [video_id], is_hidden=True)
        assert process.differing() == []
        process.index.save()
    with filled.database.read() as connection:
        known = list(connection.execute(sa.select(search_save.c.token)).scalars())
    assert [f"state-{token}" for token in known] == [
        one.name for one in process.folder.glob("state-*")
    ]


def test_two_processes_write_no_more_than_one(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Process(filled), Process(filled)
    set_hidden(filled, [105], is_hidden=True)
    assert first.differing() == second.differing() == []
    monkeypatch.setattr(saved_texts, "SAVED_EVERY_S", 300.0)
    state = next(first.folder.glob("state-*"))
    os.utime(state, (0, 0))
    first.index.save()
    written = next(first.folder.glob("state-*"))
    assert written != state
    second.index.save()
    assert next(first.folder.glob("state-*")) == written


def test_what_is_left_when_there_are_few_texts_goes(
    filled: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = Process(filled)
    assert process.folder.exists()
    monkeypatch.setattr(saved_texts, "SAVED_FROM", 10**6)
    assert Process(filled).differing() == []
    assert not process.folder.exists()


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
        os.utime(next(process.folder.glob("state-*")), (0, 0))
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
