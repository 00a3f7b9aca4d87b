"""Counters and histograms, and their text for Prometheus.

Written in the text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/). A
client library would bring registries, multiprocess files and a listener that nothing here needs.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

import msgspec

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Labels = tuple[str, ...]
NOTHING: Mapping[Labels, float] = {}


class Family(msgspec.Struct, frozen=True):
    """A metric's description.

    Attributes:
        name: `liuying_requests_total`.
        kind: `counter`, `gauge` or `histogram`.
        text: One line of explanation.
        labels: Names of its labels.
    """

    name: str
    kind: str
    text: str
    labels: Labels = ()


class Counter:
    """Values that only grow, one per combination of labels. Thread-safe."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self._lock = threading.Lock()
        self._values: dict[Labels, float] = {}

    def add(self, *labels: str, amount: float = 1) -> None:
        """Count once, or `amount` times."""
        with self._lock:
            self._values[labels] = self._values.get(labels, 0) + amount

    def lines(self, more: Mapping[Labels, float] = NOTHING) -> Iterator[str]:
        """Its lines; `more` is counted elsewhere in the same family and added."""
        with self._lock:
            values = dict(self._values)
        for labels, amount in more.items():
            values[labels] = values.get(labels, 0) + amount
        yield from sampled(self.family, values)


class Histogram:
    """How many values fell below each bound, per combination of labels. Thread-safe.

    Args:
        family: Of the kind `histogram`.
        bounds: Ascending upper bounds; everything above counts in `+Inf`.
    """

    def __init__(self, family: Family, bounds: tuple[float, ...]) -> None:
        self.family = family
        self._bounds = bounds
        self._lock = threading.Lock()
        # Without labels it exists from the start: a rate needs a first value of 0.
        empty = [0] * (len(bounds) + 1)
        self._rows: dict[Labels, list[int]] = {} if family.labels else {(): empty}
        self._sums: dict[Labels, float] = {} if family.labels else {(): 0.0}

    def observe(self, value: float, *labels: str) -> None:
        """Record one value."""
        place = bisect_left(self._bounds, value)
        with self._lock:
            row = self._rows.setdefault(labels, [0] * (len(self._bounds) + 1))
            row[place] += 1
            self._sums[labels] = self._sums.get(labels, 0.0) + value

    def lines(self) -> Iterator[str]:
        """Its lines of the text."""
        with self._lock:
            rows = {labels: list(row) for labels, row in self._rows.items()}
            sums = dict(self._sums)
        yield from _head(self.family)
        for labels, row in rows.items():
            total = 0
            for bound, count in zip((*map(_number, self._bounds), "+Inf"), row, strict=True):
                total += count
                yield _line(
                    f"{self.family.name}_bucket",
                    (*self.family.labels, "le"),
                    (*labels, bound),
                    total,
                )
            yield _line(f"{self.family.name}_sum", self.family.labels, labels, sums[labels])
            yield _line(f"{self.family.name}_count", self.family.labels, labels, total)


def sampled(family: Family, values: Mapping[Labels, float]) -> Iterator[str]:
    """Lines for values that are kept elsewhere."""
    yield from _head(family)
    for labels, value in values.items():
        yield _line(family.name, family.labels, labels, value)


def document(parts: Iterable[Iterable[str]]) -> str:
    """The complete text, terminated as the format requires."""
    return "".join(f"{line}\n" for part in parts for line in part)


def _head(family: Family) -> Iterator[str]:
    text = family.text.replace("\\", "\\\\").replace("\n", "\\n")
    yield f"# HELP {family.name} {text}"
    yield f"# TYPE {family.name} {family.kind}"


def _line(name: str, names: Labels, values: Labels, value: float) -> str:
    pairs = ",".join(f'{one}="{_escaped(said)}"' for one, said in zip(names, values, strict=True))
    return f"{name}{{{pairs}}} {_number(value)}" if pairs else f"{name} {_number(value)}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
