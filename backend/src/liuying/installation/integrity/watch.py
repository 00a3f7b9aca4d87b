"""Noticing within seconds that a file of the running program was touched, without reading any."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

# Inode, size, moment of the last change of content or of anything else (nanoseconds), and mode.
# That moment is the system's: whoever changes a file cannot choose it.
Mark = tuple[int, int, int, int]
# Compiled again where a source changed, by whoever runs a command.
LEFT_OUT = {"__pycache__"}


def marks_below(folders: Iterable[Path]) -> dict[str, Mark]:
    """The mark of every file and link below folders; a folder that is gone has none."""
    marks: dict[str, Mark] = {}
    waiting = [str(folder) for folder in folders]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.name in LEFT_OUT:
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                    continue
                found = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            marks[entry.path] = (found.st_ino, found.st_size, found.st_ctime_ns, found.st_mode)
    return marks


def differences(before: dict[str, Mark], after: dict[str, Mark]) -> list[str]:
    """Paths that were touched, came or went, in order."""
    return sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
