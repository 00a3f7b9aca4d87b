"""Locks on files: one holder at a time, none after its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from liuying.kit.file_locks import held_if_free, lock_file


def lock_in_time(path: Path) -> int:
    until = time.monotonic() + 10
    while True:
        try:
            return lock_file(path, wait=False)
        except BlockingIOError:
            if time.monotonic() > until:
                raise


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
        # A process that another test's thread forks meanwhile has the descriptor too, until it is another program.
        descriptor = lock_in_time(path)
        os.close(descriptor)


def test_no_folder_is_made_for_a_lock(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), held_if_free(tmp_path / "gone" / "one.lock"):
        pass
    assert not list(tmp_path.iterdir())
