"""Importing many files one after another, or queueing them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from liuying.core.catalogue.queries.removal import removed_rows
from liuying.kit.errors import InvalidInputError, LiuyingError
from liuying.kit.object_store import ObjectStoreError
from liuying.kit.terminal_text import printable
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.content_hash import hash_file
from liuying.workflows.import_manifest import ImportChoices, Item
from liuying.workflows.import_preview import preview_file
from liuying.workflows.import_report import REMOVED, ImportReport, Said
from liuying.workflows.import_services import ImportServices
from liuying.workflows.import_video import import_file
from liuying.workflows.inbox import has_inbox, queue_by_content
from liuying.workflows.item_meta import meta_of
from liuying.workflows.job_causes import cause_of, with_option
from liuying.workflows.preconditions import require_regular_file
from liuying.workflows.queued_import import queue_item
from liuying.workflows.side_cars import Beside, files_beside
from liuying.workflows.video_meta import GivenMeta, VideoMeta

LOG = logging.getLogger(__name__)


class ImportRun:
    """Imports items and reports the result of each (`report`).

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
        self._services = services
        self._given = given
        self._is_dry = is_dry
        self._is_queued = is_queued
        self._choices = choices
        self._is_watched = is_watched
        self._looked_at: set[Path] = set()
        self.report = ImportReport(as_json=as_json)
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
            self.report.tell("没有找到可以导入的文件")
            return 1
        before = self.refused
        for number, given in enumerate(items, 1):
            if is_stopped():
                break
            item = msgspec.structs.replace(given, choices=self._choices)
            place = f"[{number}/{len(items)}]"
            said = self._take(place, item)
            self.refused += said.outcome == "refused"
            self.report.say(place, said)
        refused = self.refused - before
        if len(items) > 1:
            self.report.tell(f"共 {len(items)} 个文件，拒绝 {refused} 个")
        return refused

    def name_unused(self, companions: Iterable[Path]) -> None:
        """Name the files beside videos that nothing was read from."""
        self.report.name_unused([str(one) for one in companions if one not in self._looked_at])

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
            with self.report.bar(f"{place} {printable(item.source.name)}") as report:
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
