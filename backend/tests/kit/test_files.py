"""Files of our own: replaced whole, and folders removed although others write in them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from liuying.kit.files import GONE_PREFIX, remove_shared, write_private


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


def test_a_folder_is_removed_although_somebody_writes_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
