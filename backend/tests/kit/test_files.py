"""Files of our own: replaced whole, and folders removed although others write in them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from liuying.kit.files import GONE_PREFIX, atomic_write, remove_shared, write_private


def test_a_private_file_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.json"
    write_private(path, b"first")
    write_private(path, b"second")
    assert path.read_bytes() == b"second"
    assert path.stat().st_mode & 0o777 == 0o600

    def fail(_self: Path, _target: Path) -> None:
        raise OSError

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError):  # noqa: PT011 - what the system says does not matter
        write_private(path, b"third")
    assert path.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [path]


def test_a_durable_file_is_on_disk_before_its_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "one.json"
    synced: list[tuple[Path, bool]] = []
    real = os.fsync

    def note(descriptor: int) -> None:
        synced.append((Path(f"/proc/self/fd/{descriptor}").readlink(), path.exists()))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    with atomic_write(path) as file:
        file.write(b"first")
    (draft, was_there), folder = synced
    assert (draft.parent, draft.name.startswith(".one.json."), was_there) == (tmp_path, True, False)
    assert folder == (tmp_path, True)


def test_the_first_of_two_writers_stays_where_none_is_to_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    with atomic_write(path, replaces=False) as late:
        late.write(b"late")
        with atomic_write(path, replaces=False) as early:
            early.write(b"early")
    assert path.read_bytes() == b"early"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_not_finished_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_bytes(b"old")

    def write_half() -> None:
        with atomic_write(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_may_be_as_long_as_names_may_be(tmp_path: Path) -> None:
    path = tmp_path / ("备" * 83 + ".tar")
    with atomic_write(path) as file:
        file.write(b"all")
    assert path.read_bytes() == b"all"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_removed_although_somebody_writes_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "one"
    (folder / "inner").mkdir(parents=True)
    remove = shutil.rmtree
    seen: list[str] = []

    def late(path: Path, **named: Any) -> None:
        if not seen:  # a program that works in it opens its file only now
            (path / "inner" / "late").touch()
        else:
            remove(path, **named)
        seen.append(path.name)

    monkeypatch.setattr(shutil, "rmtree", late)
    remove_shared(folder)
    assert len(seen) == 2
    # Nobody who looks for it by its name finds it meanwhile.
    assert all(name.startswith(GONE_PREFIX) for name in seen)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_needs_no_removal(tmp_path: Path) -> None:
    remove_shared(tmp_path / "none")
    assert not list(tmp_path.iterdir())
