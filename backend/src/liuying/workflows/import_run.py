"""Importing many files one after another, with one line (or one JSON object) for each."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from liuying.core.catalogue.queries.removal import removed_rows
from liuying.kit.errors import InvalidInputError, LiuyingError
from liuying.kit.object_store import ObjectStoreError
from liuying.kit.terminal_text import json_text, printable
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.import_manifest import ImportChoices, Item
from liuying.workflows.import_preview import Preview, preview_file
from liuying.workflows.import_progress import Progress, Stage, say_nothing
from liuying.workflows.import_services import ImportServices
from liuying.workflows.import_video import Outcome, hash_file, import_file
from liuying.workflows.inbox import has_inbox, queue_by_content
from liuying.workflows.job_causes import cause_of, with_option
from liuying.workflows.preconditions import require_regular_file
from liuying.workflows.queued_import import queue_item
from liuying.workflows.side_cars import Beside, files_beside, look_beside, read_cover
from liuying.workflows.video_meta import GivenMeta, VideoMeta

if TYPE_CHECKING:
    from rich.console import Console

LOG = logging.getLogger(__name__)
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
# For the progress bar: the share of an import's time before each stage, and the stage's own share.
STAGE_SHARES = {
    Stage.PROBE: (0.0, 0.05),
    Stage.FIRST: (0.05, 0.25),
    Stage.COVER: (0.3, 0.05),
    Stage.LADDER: (0.35, 0.65),
    Stage.MEND: (0.0, 1.0),
}


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


class ImportRun:
    """Imports items and reports the result of each.

    Args:
        services: The installation.
        given: Metadata from the command line for all of them; it takes precedence.
        is_dry: Only report what would happen.
        is_queued: Add them to the ledger for a worker.
        choices: How the files are imported.
        as_json: Report as JSON, one object per line.
        is_watched: They come from a watched folder, where a file stays after its video was put into
            the bin: it is passed over instead of refused each time.
    """

    def __init__(
        self,
        services: ImportServices,
        given: GivenMeta,
        *,
        is_dry: bool = False,
        is_queued: bool = False,
        choices: ImportChoices = ImportChoices(),  # noqa: B008 - frozen
        as_json: bool = False,
        is_watched: bool = False,
    ) -> None:
        # Loaded here: help and usage errors do not wait for it.
        from rich.console import Console  # noqa: PLC0415

        self._services = services
        self._given = given
        self._is_dry = is_dry
        self._is_queued = is_queued
        self._choices = choices
        self._as_json = as_json
        self._is_watched = is_watched
        self._console = Console(highlight=False, markup=False, soft_wrap=True)
        self._looked_at: set[Path] = set()
        self.job_ids: list[int] = []
        self.refused = 0

    def run(self, items: Sequence[Item], is_stopped: Callable[[], bool] = lambda: False) -> int:
        """Import all; a refused file does not stop the others.

        Args:
            is_stopped: Asked before each file: whether to leave it and the rest.

        Returns:
            Number of refused files; 1 if there was nothing to import.
        """
        if not items:
            self._print("没有找到可以导入的文件")
            return 1
        before = self.refused
        for number, given in enumerate(items, 1):
            if is_stopped():
                break
            item = msgspec.structs.replace(given, choices=self._choices)
            self._say(
                f"[{number}/{len(items)}]", item, self._take(f"[{number}/{len(items)}]", item)
            )
        refused = self.refused - before
        if len(items) > 1:
            self._print(f"共 {len(items)} 个文件，拒绝 {refused} 个")
        return refused

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
            self._print(f"已导入 {name}（编号 {video_id}）")
        else:
            self._print(f"拒绝 {name}：{printable(cause)}")

    def name_unused(self, companions: Iterable[Path]) -> None:
        """Name the files beside videos that nothing was read from."""
        unused = [str(one) for one in companions if one not in self._looked_at]
        if self._as_json:
            for name in unused:
                print(json_text(Said(name, "unused"), indent=None), flush=True)
        elif unused:
            names = "、".join(printable(Path(name).name) for name in unused[:MOST_NAMED])
            more = f" 等 {len(unused)} 个" if len(unused) > MOST_NAMED else ""
            self._print(f"没有用到的文件：{names}{more}")

    def _take(self, place: str, item: Item) -> Said:  # noqa: PLR0911 - a way out for each outcome
        name = str(item.source)
        try:
            if item.fault:
                return Said(name, "refused", cause=item.fault)
            if self._is_watched and self._is_in_bin(item.source):
                return Said(name, REMOVED)
            if self._is_queued:
                return self._queue(item)
            meta, beside = self._meta_of(item)
            said = Said(name, "", subtitles=list(beside.subtitles), warnings=list(beside.warnings))
            if self._is_dry:
                preview = preview_file(self._services, item.source, meta)
                return msgspec.structs.replace(said, outcome=preview.outcome, preview=preview)
            with self._bar(f"{place} {printable(item.source.name)}") as report:
                result = import_file(self._services, item.source, meta, report)
        except (LiuyingError, ObjectStoreError) as error:
            cause = cause_of(error)
            return Said(name, "refused", cause=with_option(cause.text, cause.fault))
        except Exception:  # Whatever the error, the following files must not suffer.
            LOG.exception("importing %r", name)
            return Said(name, "refused", cause="程序出错，详情见错误输出")
        return msgspec.structs.replace(
            said,
            updated=list(result.updated),
            kept=list(result.kept),
            outcome=result.outcome,
            video_id=result.video_id,
            warnings=[*said.warnings, *([result.warning] if result.warning else [])],
        )

    def _is_in_bin(self, source: Path) -> bool:
        """Whether a file's video is in the bin. It is read only if there is anything in the bin."""
        with self._services.database.read() as connection:
            if not removed_rows(connection, 1):
                return False
        require_regular_file(source)
        content = hash_file(source)
        with self._services.database.read() as connection:
            return rows.is_content_removed(connection, content)

    def _meta_of(self, item: Item) -> tuple[VideoMeta, Beside]:
        try:
            meta, beside = meta_of(item, self._given)
        except InvalidInputError:
            # What refuses a video was read.
            self._looked_at |= files_beside(item.source)
            raise
        self._looked_at |= beside.files
        return meta, beside

    def _queue(self, item: Item) -> Said:
        # Read now as well: a typing error in what lies beside the file is told at once.
        _, beside = self._meta_of(item)
        if has_inbox(self._services.objects):
            job_id, is_new = queue_by_content(self._services, item, self._given, beside)
        else:
            with self._services.database.write() as connection:
                job_id, is_new = queue_item(connection, item, self._given, self._services.clock())
        self.job_ids.append(job_id)
        return Said(
            str(item.source),
            "queued" if is_new else "waiting",
            job_id=job_id,
            subtitles=list(beside.subtitles),
            warnings=list(beside.warnings),
        )

    def _say(self, place: str, item: Item, said: Said) -> None:
        self.refused += said.outcome == "refused"
        if self._as_json:
            print(json_text(said, indent=None), flush=True)
            return
        name = printable(item.source.name)
        if said.outcome == "refused":
            self._print(f"{place} 拒绝 {printable(said.file)}：{printable(said.cause or '')}")
        elif said.outcome == REMOVED:
            self._print(f"{place} 视频在回收站里，跳过 {name}")
        elif said.job_id is not None:
            self._print(f"{place} {QUEUED[said.outcome]} {name}（任务 {said.job_id}）")
        elif said.preview is not None:
            self._print(
                f"{place} {PREVIEWS[Outcome(said.outcome)]} {name}{_previewed(said.preview)}"
            )
        else:
            self._print(f"{place} {OUTCOMES[Outcome(said.outcome)]} {name}（编号 {said.video_id}）")
        if said.updated:
            self._print(f"{place} 已按旁边的文件更新：{'、'.join(said.updated)}")
        if said.kept:
            self._print(f"{place} 旁边的文件变了，但已由您设置，保持不变：{'、'.join(said.kept)}")
        for warning in said.warnings:
            self._print(f"{place} 注意：{printable(warning)}")
        if said.subtitles:
            self._print(f"{place} 未导入字幕 {printable('、'.join(said.subtitles))}")

    def _print(self, line: str) -> None:
        if not self._as_json:
            self._console.print(line)

    @contextmanager
    def _bar(self, text: str) -> Iterator[Progress]:
        if not self._console.is_terminal or self._as_json:
            yield say_nothing
            return
        with _bar(self._console, text) as report:
            yield report


def meta_of(item: Item, given: GivenMeta) -> tuple[VideoMeta, Beside]:
    """What is known of a file: the command line over the manifest over what lies beside it.

    Returns:
        That, and what lies beside it.

    Raises:
        InvalidInputError: `clip.json` or the manifest's cover cannot be read, or is wrong.
    """
    beside = look_beside(item.source)
    known = beside.given.overruled_by(item.given).overruled_by(given)
    if item.choices.is_source_dated and known.created_at is None:
        known = msgspec.structs.replace(known, created_at=known.premiered_at)
    meta = known.to_meta()
    cover = beside.cover if item.cover is None else read_cover(item.cover)
    found = msgspec.structs.replace(
        meta,
        category=item.folder_category if meta.category is None else meta.category,
        cover=cover,
        subtitles=beside.tracks,
        keeps_original=item.choices.keeps_original,
        accepts_damage=item.choices.accepts_damage,
        is_hidden=item.choices.is_hidden,
        accepts_match=item.choices.accepts_match,
        beside=beside.given,
        said=frozenset(item.given.overruled_by(given).stated())
        | (frozenset() if item.cover is None else {"cover"}),
    )
    return found, beside


def overall(stage: Stage, share: float) -> float:
    """The completed share of an import, 0 to 1, from a stage and its share."""
    begin, length = STAGE_SHARES[stage]
    return begin + length * share


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
