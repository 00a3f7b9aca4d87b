"""What packages beside this one add to the command line, found where they are installed.

A package names a command in its entry points' group `liuying.commands`: a function with Typer's
annotations, or a `Typer` of several. The demo also says in `liuying.demo` whether it is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from liuying.kit.database import Database

COMMANDS, DEMO = "liuying.commands", "liuying.demo"


def added_commands() -> dict[str, EntryPoint]:
    """The commands of packages beside this one by name, not loaded."""
    return {entry.name: entry for entry in sorted(entry_points(group=COMMANDS))}


def demo_is_needed() -> Callable[[Database], bool] | None:
    """What tells whether a database wants the demo; None where the demo is not installed."""
    for entry in entry_points(group=DEMO, name="is_needed"):
        return cast("Callable[[Database], bool]", entry.load())
    return None
