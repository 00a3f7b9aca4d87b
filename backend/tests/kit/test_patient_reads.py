"""Whoever answers waits but a moment for a store that hangs."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from liuying.kit import patient_reads
from liuying.kit.folder_store import FolderStore
from liuying.kit.object_store import OpenObject
from liuying.kit.patient_reads import PatientReads
from liuying.kit.storage_layout import StorageLayout
from tests.waiting import wait_until

SMALL, LARGE = "enc/0123456789abcdef.bin", "enc/fedcba9876543210.bin"


class _Hanging(FolderStore):
    """Answers while it may; the keys that it was asked for."""

    def __init__(self, layout: StorageLayout) -> None:
        super().__init__(layout)
        self.answers = threading.Event()
        self.answers.set()
        self.asked: list[str] = []

    def open(self, key: str) -> OpenObject | None:
        self.asked.append(key)
        self.answers.wait()
        return super().open(key)


@pytest.fixture
def store(tmp_path: Path) -> _Hanging:
    made = _Hanging(StorageLayout(tmp_path))
    made.put_if_absent(SMALL, b"small")
    made.put_if_absent(LARGE, b"larger")
    return made


def test_what_is_small_is_read_once(store: _Hanging) -> None:
    reads = PatientReads(store, 5, 2)
    assert [reads.read(one) for one in (SMALL, SMALL, LARGE, LARGE)] == [b"small"] * 2 + [None] * 2
    assert store.asked == [SMALL, LARGE]
    # What does not exist may come.
    assert [reads.read("enc/0000.bin"), reads.read("enc/0000.bin")] == [None, None]
    assert store.asked[2:] == ["enc/0000.bin"] * 2


def test_no_more_than_so_many_are_kept(store: _Hanging) -> None:
    reads = PatientReads(store, 6, 1)
    for key in (SMALL, LARGE, LARGE, SMALL):
        assert reads.read(key)
    assert store.asked == [SMALL, LARGE, SMALL]


def test_a_store_that_hangs_is_not_waited_for_twice(
    store: _Hanging, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patient_reads, "PATIENCE_S", 0.01)
    reads = PatientReads(store, 100, 2)
    assert reads.read(LARGE) == b"larger"
    store.answers.clear()
    assert reads.read(SMALL) is None
    # It rests: nobody is kept, and what is known is there.
    assert [reads.read("enc/0001.bin"), reads.read(SMALL), reads.read(LARGE)] == [
        None,
        None,
        b"larger",
    ]
    assert store.asked == [LARGE, SMALL]
    # What came late is kept.
    store.answers.set()
    wait_until(lambda: reads.read(SMALL) == b"small")
    assert store.asked == [LARGE, SMALL]


def test_it_is_asked_again_after_a_rest(store: _Hanging, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient_reads, "PATIENCE_S", 0.01)
    monkeypatch.setattr(patient_reads, "REST_S", 0.0)
    reads = PatientReads(store, 100, 2)
    store.answers.clear()
    assert reads.read(SMALL) is None
    # One read of an object is under way, however many want it.
    assert reads.read(SMALL) is None
    assert store.asked == [SMALL]
    store.answers.set()
    wait_until(lambda: reads.read(SMALL) == b"small")
