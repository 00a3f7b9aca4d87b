"""What was seen, as a table in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from liuying_cluster.visitors import Seen

FAULTS = (
    "fault",
    "happened at (UTC)",
    "writes acknowledged",
    "lost",
    "longest gap",
    "writes refused",
    "longest call",
    "cached answers",
    "slowest of these",
)


class Table:
    """Rows of faults, and further figures."""

    def __init__(self) -> None:
        self._faults: list[tuple[str, ...]] = []
        self._figures: list[tuple[str, ...]] = []

    def fault(self, name: str, seen: Seen, lost: int) -> None:
        """A fault, and what visitors saw of it."""
        writers = seen.writers
        self._faults.append(
            (
                name,
                f"{seen.happened:%H:%M:%S}",
                str(len(writers.acknowledged)),
                str(lost),
                f"{writers.gap():.1f} s",
                counted(writers.refused),
                f"{writers.longest:.1f} s",
                counted(seen.cached),
                f"{seen.slowest:.1f} s",
            )
        )

    def figure(self, what: str, figure: str) -> None:
        """Anything else."""
        self._figures.append((what, figure))

    def text(self) -> str:
        """All of it; empty where nothing was seen."""
        parts = []
        if self._faults:
            parts.append(markdown(FAULTS, self._faults))
        if self._figures:
            parts.append(markdown(("what", "seen"), self._figures))
        return "\n".join(parts)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines: list[Sequence[str]] = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def counted(statuses: Counter[int]) -> str:
    """How often each status was answered; 0 means that nobody did."""
    return (
        ", ".join(f"{number} x {status}" for status, number in sorted(statuses.items())) or "none"
    )
