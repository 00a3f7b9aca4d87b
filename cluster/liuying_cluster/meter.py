"""The CPU time of parts of the cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Event, Thread

from liuying_cluster.processes import Part

# Processes that end between two readings are lost with what they used since.
EVERY_S = 1.0


class Meter:
    """CPU seconds of groups of parts, with their children: those of what is killed as far as they
    were read before.

    Args:
        groups: Parts by the name of their group.
    """

    def __init__(self, groups: Mapping[str, Sequence[Part]]) -> None:
        self._groups = groups
        self._first: dict[str, dict[int, float]] = {name: {} for name in groups}
        self._last: dict[str, dict[int, float]] = {name: {} for name in groups}
        for name, clocks in self._clocks():
            self._first[name] |= clocks
            self._last[name] |= clocks

    def read(self) -> None:
        """Read all clocks; a process that was not there before counts from its start."""
        for name, clocks in self._clocks():
            self._last[name] |= clocks

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read them again and again until the block ends."""
        is_over = Event()

        def read() -> None:
            while not is_over.wait(EVERY_S):
                self.read()

        thread = Thread(target=read)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()
            self.read()

    def used(self) -> dict[str, float]:
        """CPU seconds since the beginning, by group."""
        return {
            name: sum(used - self._first[name].get(pid, 0.0) for pid, used in last.items())
            for name, last in self._last.items()
        }

    def _clocks(self) -> Iterator[tuple[str, dict[int, float]]]:
        for name, parts in self._groups.items():
            for part in parts:
                yield name, part.cpu()
