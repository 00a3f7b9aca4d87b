"""Importing from folders for as long as they are watched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import typer

from liuying.cli.found_files import find_files, item_of
from liuying.cli.stopping import StopRequest, told_by_signals
from liuying.kit.terminal_text import printable
from liuying.workflows.folder_watch import FolderWatch

if TYPE_CHECKING:
    from liuying.workflows.import_run import ImportRun

POLL_S = 2.0


def watch_folders(
    run: ImportRun,
    folders: list[Path],
    rest: float,
    clock: Callable[[], float] = monotonic,
    pause: Callable[[], None] = lambda: sleep(POLL_S),
    *,
    by_folder: bool = False,
) -> None:
    """Import what comes to rest in folders until a signal says to stop; the file that is worked on
    is finished first.

    Args:
        rest: Seconds for which a file must not change.
        by_folder: Whether the first folder below them is a file's category.
        clock: Seconds that only grow.
        pause: Passes the time between two looks.
    """
    stop = StopRequest("手里的文件完成后停止；再按一次立即停止")
    watch = FolderWatch(folders, find_files, rest, clock)
    typer.echo(
        f"正在看着 {'、'.join(printable(str(one)) for one in folders)}（按 Ctrl-C 停止）", err=True
    )
    with told_by_signals(stop):
        while not stop.is_made:
            if ready := watch.look():
                chosen = [item_of(path, folders, by_folder=by_folder) for path in ready]
                run.run(chosen, lambda: stop.is_made)
            else:
                pause()
    typer.echo("已停止", err=True)
