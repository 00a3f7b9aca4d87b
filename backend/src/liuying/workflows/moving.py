"""Moving a whole installation to another database and another store of objects
(docs/decisions/0022-many-processes.md).

Files first, rows last: until the rows are there, the target is no site yet. What was moved before a
kill is compared and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from liuying.core.jobs.queries.queue import count_states
from liuying.core.jobs.rules import OPEN_STATES
from liuying.core.playback.queries.assets import visible_assets
from liuying.kit.changes import CacheTopic, newest_change
from liuying.kit.clock import Clock
from liuying.kit.database import Database
from liuying.kit.object_store import ObjectStore
from liuying.workflows.moving_files import move_files
from liuying.workflows.moving_rows import MoveError, move_rows
from liuying.workflows.queries.processes import serving_processes

Report = Callable[[int], None]


class Installation(Protocol):
    """What a move needs of each side."""

    @property
    def database(self) -> Database: ...
    @property
    def objects(self) -> ObjectStore: ...
    @property
    def clock(self) -> Clock: ...


class Moved(msgspec.Struct, frozen=True):
    """What the target holds now.

    Attributes:
        files: Objects.
        bytes: Of these together.
        rows: Of all tables.
    """

    files: int
    bytes: int
    rows: int


def refuse_a_busy_source(source: Installation) -> None:
    """Refuse to move what others still change.

    Raises:
        MoveError: A process serves, or the queue is not empty.
    """
    with source.database.read() as connection:
        serving = serving_processes(connection, source.clock())
        waiting = count_states(connection, OPEN_STATES)
    if serving:
        raise MoveError(f"还有网站进程在运行：{'、'.join(serving)}。请先停止，两分钟后再试")
    if waiting:
        # A queued file may lie where only the old machine finds it.
        raise MoveError(
            f"导入队列里还有 {waiting} 个任务：请先让它们做完（liuying worker --until-empty），"
            "或用 liuying jobs cancel 取消"
        )


def move_installation(
    source: Installation, target: Installation, work: Path, of_files: Report, of_rows: Report
) -> Moved:
    """Copy all files and rows, and compare them. Both sides are migrated, and used by nobody else.

    Args:
        work: An existing folder for one file at a time.
        of_files: Told of bytes that have been copied and compared since.
        of_rows: Told of rows that have been written or compared since.

    Raises:
        MoveError: The source is in use or was changed meanwhile, or the target holds something
            else.
        MovedFilesError: The target has another file under the same key.
        OSError: A store does not answer, or the disk is full.
    """
    refuse_a_busy_source(source)
    with source.database.read() as connection:
        newest = newest_change(connection, *CacheTopic)
        assets = visible_assets(connection)
    copied = move_files(source.objects, target.objects, assets, work, of_files)
    refuse_a_busy_source(source)
    sums = move_rows(source.database, target.database, of_rows, newest)
    return Moved(copied.objects, copied.bytes, sum(one.rows for one in sums.values()))
