"""Progress of long commands: on standard error while they last, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

Report = Callable[[int], None]


@contextmanager
def byte_progress(text: str, total: int | None = None) -> Iterator[Report]:
    """A bar of bytes; none where standard error is no terminal.

    Args:
        text: What is done.
        total: Bytes in the end; None if unknown.
    """
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with _shown(*columns) as bars:
        task = bars.add_task(text, total=total)
        yield lambda written: bars.advance(task, written)


@contextmanager
def move_progress() -> Iterator[tuple[Report, Report]]:
    """Bytes of files and numbers of rows, one below the other; neither total is known. What is
    told counts what was compared, too.
    """
    from rich.progress import TextColumn

    with _shown(TextColumn("{task.description} {task.fields[amount]}")) as bars:
        files = bars.add_task("文件", amount="0.0 MB", total=None)
        rows = bars.add_task("行", amount="0", total=None)
        done = {files: 0, rows: 0}

        def of_files(count: int) -> None:
            done[files] += count
            bars.update(files, amount=f"{done[files] / 1e6:.1f} MB")

        def of_rows(count: int) -> None:
            done[rows] += count
            bars.update(rows, amount=f"{done[rows]:,}")

        yield of_files, of_rows


@contextmanager
def _shown(*columns: ProgressColumn) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import Progress, TimeElapsedColumn

    console = Console(stderr=True)
    with Progress(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bars:
        yield bars
