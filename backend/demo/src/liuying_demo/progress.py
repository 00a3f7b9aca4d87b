"""Saying how far the demo is: a bar on a terminal, plain lines elsewhere. Safe to call from several
threads.
"""

from __future__ import annotations

import json
import sys
from types import TracebackType
from typing import Protocol

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class Report(Protocol):
    """Is told what became of every film; a context, so that a bar can be put away."""

    def __enter__(self) -> Report: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def finished(self, title: str) -> None:
        """A film is imported."""

    def failed(self, title: str, reason: str) -> None:
        """A film is not; the reason is for the operator."""


class PlainReport:
    """One line a film: `[12/72] 外滩蓝调时刻`."""

    def __init__(self, total: int, done: int) -> None:
        self._total, self._done = total, done

    def __enter__(self) -> PlainReport:
        print(f"演示目录：共 {self._total} 个视频，已有 {self._done} 个", flush=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None and self._done == self._total:
            print("演示目录已全部导入", flush=True)

    def finished(self, title: str) -> None:
        self._done += 1
        print(f"[{self._done}/{self._total}] {title}", flush=True)

    def failed(self, title: str, reason: str) -> None:
        print(f"未能导入《{title}》：{reason}", file=sys.stderr, flush=True)


class BarReport:
    """A bar with the newest title."""

    def __init__(self, total: int, done: int) -> None:
        self._bar = Progress(
            TextColumn("演示目录"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
        )
        self._task = self._bar.add_task("", total=total, completed=done)

    def __enter__(self) -> BarReport:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def finished(self, title: str) -> None:
        self._bar.update(self._task, advance=1, description=title)

    def failed(self, title: str, reason: str) -> None:
        self._bar.console.print(f"未能导入《{title}》：{reason}", markup=False)


class JsonReport(PlainReport):
    """One JSON object a film, for a script."""

    def __enter__(self) -> JsonReport:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def finished(self, title: str) -> None:
        _print_object({"title": title, "outcome": "imported"})

    def failed(self, title: str, reason: str) -> None:
        _print_object({"title": title, "outcome": "refused", "cause": reason})


def _print_object(record: dict[str, str]) -> None:
    print(json.dumps(record, ensure_ascii=False), flush=True)


def console_report(total: int, done: int) -> Report:
    """The form that suits standard output."""
    return BarReport(total, done) if sys.stdout.isatty() else PlainReport(total, done)
