"""How far an import is, as a bar in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from liuying.workflows.import_progress import Progress, Stage

if TYPE_CHECKING:
    from rich.console import Console

# The share of an import's time that is over when a stage begins, and how much the stage takes: for the bar alone.
STAGE_SHARES = {Stage.PROBE: (0.0, 0.05), Stage.LOW: (0.05, 0.25), Stage.COVER: (0.3, 0.05), Stage.LADDER: (0.35, 0.65)}


def overall(stage: Stage, share: float) -> float:
    """How much of an import is over, 0 to 1, of a stage and its share done."""
    begin, length = STAGE_SHARES[stage]
    return begin + length * share


@contextmanager
def import_bar(console: Console, text: str, *, is_shown: bool) -> Iterator[Progress]:
    """A bar that is there while its file is worked on."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415
    from rich.progress import Progress as Bars  # noqa: PLC0415

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Bars(*columns, console=console, transient=True, disable=not is_shown) as bars:
        task = bars.add_task(text, total=1.0)

        def report(stage: Stage, share: float) -> None:
            bars.update(task, completed=overall(stage, share), description=f"{text} {stage.value}")

        yield report
