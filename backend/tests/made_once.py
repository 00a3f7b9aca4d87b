"""What several tests read and none changes, made by the first process of the run that asks
for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from liuying.kit.file_locks import lock_file


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A file or folder that is made once for all processes of a run, however many of them share its
    tests.

    Args:
        factory: Knows the run's folder.
        name: The file's or the folder's, with its suffix; the same for whoever wants the same.
        make: Makes it under the path that it is given; called where nobody has made it yet, while
            others wait.
    """
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # each process has a folder of its own in that of the run
    folder /= "made-once"
    folder.mkdir(exist_ok=True)
    made = folder / name
    descriptor = lock_file(folder / f"{name}.lock", wait=True)
    try:
        if not made.exists():
            draft = folder / f"draft-{name}"
            make(draft)
            draft.rename(made)
    finally:
        os.close(descriptor)
    return made
