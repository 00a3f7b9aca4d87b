"""Locks on files: one holder at a time, none after its end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from liuying.kit.file_locks import held_if_free, lock_file
from tests.waiting import wait_until


def is_free(path: Path) -> bool:
    with held_if_free(path) as is_ours:
        return is_ours


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "one.lock"
    with held_if_free(path) as first, held_if_free(path) as second:
        assert (first, second) == (True, False)
        with pytest.raises(BlockingIOError):
            lock_file(path, wait=False)
    with held_if_free(path) as again:
        assert again
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_child_does_not_keep_a_lock(tmp_path: Path) -> None:
    path = tmp_path / "one.lock"
    descriptor = lock_file(path, wait=False)
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, close_fds=False):
        os.close(descriptor)
        # A process that another test's thread forks meanwhile has the descriptor too, until it is
        # another program.
        wait_until(lambda: is_free(path))


def test_no_folder_is_made_for_a_lock(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), held_if_free(tmp_path / "gone" / "one.lock"):
        pass
    assert not list(tmp_path.iterdir())
