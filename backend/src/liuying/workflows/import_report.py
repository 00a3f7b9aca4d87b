"""What is said of imported files: a line, or a JSON object, for each, and a progress bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from liuying.kit.terminal_text import json_text, printable
from liuying.workflows.import_preview import Preview
from liuying.workflows.import_progress import Progress, Stage, overall, say_nothing
from liuying.workflows.import_result import Outcome

if TYPE_CHECKING:
    from rich.console import Console

OUTCOMES = {
    Outcome.IMPORTED: "已导入",
    Outcome.CONTINUED: "已继续完成",
    Outcome.KNOWN: "已存在，跳过",
}
PREVIEWS = {
    Outcome.IMPORTED: "将导入",
    Outcome.CONTINUED: "将继续完成",
    Outcome.KNOWN: "已存在，将跳过",
}
# So many files that nothing was read from are named in a terminal; `--json` names all.
MOST_NAMED = 40
# Of a watched file whose video is in the bin.
REMOVED = "removed"
QUEUED = {"queued": "已排队", "waiting": "已在队列"}


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result for a file, as `--json` reports it.

    Attributes:
        file: Its name as given.
        outcome: `imported`, `continued`, `known` or `refused`; with `--queue` `queued`, `waiting`
            or `refused`; in a watched folder also `removed`; of a file beside videos from which
            nothing was read, `unused`.
        video_id: In the catalogue; None where it is not there.
        job_id: In the ledger, with `--queue`.
        cause: Why it was refused.
        preview: The expected result, with `--dry-run`.
        subtitles: Subtitle files beside it that are not imported, with the cause.
        warnings: What else the operator should know.
        updated: Of a known video, the fields that changed side-cars gave it.
        kept: Those that they did not, because somebody else had set them.
    """

    file: str
    outcome: str
    video_id: int | None = None
    job_id: int | None = None
    cause: str | None = None
    preview: Preview | None = None
    subtitles: list[str] = msgspec.field(default_factory=list)
    warnings: list[str] = msgspec.field(default_factory=list)
    updated: list[str] = msgspec.field(default_factory=list)
    kept: list[str] = msgspec.field(default_factory=list)


class ImportReport:
    """Reports to whoever gave the command.

    Args:
        as_json: As JSON, one object per line; without what is meant for people alone.
    """

    def __init__(self, *, as_json: bool) -> None:
        # Loaded here: help and usage errors do not wait for it.
        from rich.console import Console  # noqa: PLC0415

        self._as_json = as_json
        self._console = Console(highlight=False, markup=False, soft_wrap=True)

    def say(self, place: str, said: Said) -> None:
        """Say what became of a file.

        Args:
            place: Which of how many it is.
            said: The result.
        """
        if self._as_json:
            print(json_text(said, indent=None), flush=True)
            return
        name = printable(Path(said.file).name)
        if said.outcome == "refused":
            self.tell(f"{place} 拒绝 {printable(said.file)}：{printable(said.cause or '')}")
        elif said.outcome == REMOVED:
            self.tell(f"{place} 视频在回收站里，跳过 {name}")
        elif said.job_id is not None:
            self.tell(f"{place} {QUEUED[said.outcome]} {name}（任务 {said.job_id}）")
        elif said.preview is not None:
            self.tell(f"{place} {PREVIEWS[Outcome(said.outcome)]} {name}{_previewed(said.preview)}")
        else:
            self.tell(f"{place} {OUTCOMES[Outcome(said.outcome)]} {name}（编号 {said.video_id}）")
        if said.updated:
            self.tell(f"{place} 已按旁边的文件更新：{'、'.join(said.updated)}")
        if said.kept:
            self.tell(f"{place} 旁边的文件变了，但已由您设置，保持不变：{'、'.join(said.kept)}")
        for warning in said.warnings:
            self.tell(f"{place} 注意：{printable(warning)}")
        if said.subtitles:
            self.tell(f"{place} 未导入字幕 {printable('、'.join(said.subtitles))}")

    def say_ended(self, source: str, job_id: int, video_id: int | None, cause: str) -> None:
        """Say what became of a queued file that was waited for.

        Args:
            video_id: None if it failed.
            cause: Why it failed.
        """
        said = Said(source, "refused", job_id=job_id, cause=cause)
        if video_id is not None:
            said = Said(source, Outcome.IMPORTED, video_id, job_id)
        name = printable(Path(source).name)
        if self._as_json:
            print(json_text(said, indent=None), flush=True)
        elif video_id is not None:
            self.tell(f"已导入 {name}（编号 {video_id}）")
        else:
            self.tell(f"拒绝 {name}：{printable(cause)}")

    def name_unused(self, unused: Sequence[str]) -> None:
        """Name the files beside videos that nothing was read from."""
        if self._as_json:
            for name in unused:
                print(json_text(Said(name, "unused"), indent=None), flush=True)
        elif unused:
            names = "、".join(printable(Path(name).name) for name in unused[:MOST_NAMED])
            more = f" 等 {len(unused)} 个" if len(unused) > MOST_NAMED else ""
            self.tell(f"没有用到的文件：{names}{more}")

    def tell(self, line: str) -> None:
        """Tell people something."""
        if not self._as_json:
            self._console.print(line)

    @contextmanager
    def bar(self, text: str) -> Iterator[Progress]:
        """A progress bar in a terminal, while the block imports a file; yields what moves it."""
        if not self._console.is_terminal or self._as_json:
            yield say_nothing
            return
        with _bar(self._console, text) as report:
            yield report


def _previewed(preview: Preview) -> str:
    if not preview.rungs:
        return ""
    return (
        f"：《{preview.title}》，分类 {preview.category}，{preview.seconds:.1f} 秒，"
        f"{'、'.join(preview.rungs)}，最多 {preview.most_bytes / 1e6:.0f} MB"
    )


@contextmanager
def _bar(console: Console, text: str) -> Iterator[Progress]:
    """A progress bar that exists while its file is imported."""
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("剩余"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=console, transient=True) as bars:
        task = bars.add_task(text, total=1.0)

        def report(stage: Stage, share: float) -> None:
            bars.update(task, completed=overall(stage, share), description=f"{text} {stage.value}")

        yield report
