"""From an operator's file to a video that visitors can watch.

One rendition is published first and the video becomes visible; then the rest of the ladder follows.
Whatever is visible is complete: files are renamed into place before the row that leads to them is
committed. A killed import is continued or started afresh by the next one; the file's content is its
identity.

The first rendition is the lowest one: encoding it shows whether the file can be decoded. For a
short film whose own stream is kept it is that stream; if the others then show that the file is
damaged, the video is taken back.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import msgspec
from sqlalchemy.exc import IntegrityError

from liuying.core.catalogue.named_categories import known_category
from liuying.core.catalogue.queries import videos
from liuying.core.playback.queries import assets
from liuying.kit.errors import LiuyingError
from liuying.kit.provenance import refuse_made_up
from liuying.kit.system_errors import fault_of
from liuying.media.errors import DamagedError, DiskFullError, UndecodableError
from liuying.media.job_files import JobFiles
from liuying.media.plan import EncoderSettings, Plan, make_plan
from liuying.media.probe import Probe, probe
from liuying.media.production import Production
from liuying.workflows import catalogue_rows as rows
from liuying.workflows.asset_hold import AssetHold
from liuying.workflows.changed_side_cars import take_over
from liuying.workflows.chunk_cache import ChunkCache
from liuying.workflows.chunk_sharing import shared_with_machines
from liuying.workflows.content_hash import hash_file
from liuying.workflows.import_progress import Progress, Stage, say_nothing
from liuying.workflows.import_result import ImportResult, Outcome
from liuying.workflows.import_services import ImportServices
from liuying.workflows.job_folders import ImportBusyError, JobFolders
from liuying.workflows.leftovers import sweep, tidy
from liuying.workflows.originals import keep_original, room_for_original
from liuying.workflows.preconditions import (
    NO_ROOM,
    SystemFaultError,
    require_regular_file,
    require_room,
    require_transcoder,
)
from liuying.workflows.protection import needs_signature
from liuying.workflows.publication import Publication
from liuying.workflows.video_meta import VideoMeta


def import_file(
    services: ImportServices,
    source: Path,
    meta: VideoMeta,
    report: Progress = say_nothing,
    *,
    settings: EncoderSettings | None = None,
    is_rest_left: Callable[[], bool] = lambda: False,
) -> ImportResult:
    """Import one file, or continue an earlier import of the same content.

    Args:
        services: The installation.
        source: The operator's file: read only; kept if `meta` or the setting says so.
        meta: Its metadata; used only for new content.
        report: Called with the stage and its completed share.
        settings: Encoder settings; None for the defaults.
        is_rest_left: Asked once the first rendition is published: whether to leave the rest to a
            later import. If the rest contains what slow networks need, it is encoded now
            regardless.

    Raises:
        MediaError: The file is refused or cannot be published; nothing half-finished is visible.
        InvalidInputError: No such category, the content was taken down, or its video is in the
            bin.
        ImportBusyError: Another process is importing the same content.
    """
    job = _Import(services, source.absolute(), meta, report, settings, is_rest_left)
    try:
        result = job.run()
        if result.outcome is Outcome.KNOWN:
            result = job.take_over_side_cars(result)
        job.keep_original(result)
        return result
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFullError from error
        raise SystemFaultError(error) from error


class _Import:
    """One call of `import_file`."""

    def __init__(
        self,
        services: ImportServices,
        source: Path,
        meta: VideoMeta,
        report: Progress,
        settings: EncoderSettings | None,
        is_rest_left: Callable[[], bool],
    ) -> None:
        self._services = services
        self._database = services.database
        self._source = source
        self._meta = meta
        self._report = report
        self._settings = settings
        self._is_rest_left = is_rest_left
        self._keeps_original = (
            services.keeps_originals if meta.keeps_original is None else meta.keeps_original
        )
        self._content = ""
        self._category_id: int | None = None

    def run(self) -> ImportResult:
        self._report(Stage.PROBE, 0.0)
        require_regular_file(self._source)
        self._content = content = hash_file(self._source)
        with self._database.read() as connection:
            refuse_made_up(connection)
            rows.refuse_taken_down(connection, content)
            known = rows.find_asset(connection, content)
            if known is not None:
                rows.refuse_removed(connection, known.key)
            self._category_id = known_category(connection, self._meta.category)
        if known is not None and known.is_complete:
            return self._result(known.key, Outcome.KNOWN)
        require_transcoder()
        plan = make_plan(
            self._probe(known), self._settings, accepts_damage=self._meta.accepts_damage
        )
        folders = JobFolders(self._services.layout.jobs)
        chunks = ChunkCache(folders, content, plan) if plan.chunks else None
        self._require_room(plan, chunks)
        self._report(Stage.PROBE, 1.0)
        with ExitStack() as stack:
            asset, work, hold = self._claim(content, folders, chunks, stack)
            if asset.is_complete:
                return self._result(asset.key, Outcome.KNOWN)
            if chunks is not None:
                stack.enter_context(
                    shared_with_machines(self._services, chunks.path, content, hold)
                )
            return self._make(asset, plan, work, chunks, hold)

    def _probe(self, known: rows.AssetRow | None) -> Probe:
        """What the file is; of a video that is visible, with the audio tracks that it has."""
        found = probe(self._source)
        if known is None or not known.is_visible:
            return found
        with self._database.read() as connection:
            numbers = assets.audio_track_numbers(connection, known.key)
        # Without any, its first rendition contains the sound, and so must the others.
        tracks = tuple(one for one in found.audio_tracks if one.number in numbers)
        return msgspec.structs.replace(found, audio_tracks=tracks)

    def take_over_side_cars(self, result: ImportResult) -> ImportResult:
        """Update a known video where its side-cars changed."""
        changes = take_over(self._services, result.video_id, self._meta)
        return msgspec.structs.replace(
            result, updated=tuple(changes.updated), kept=tuple(changes.kept)
        )

    def keep_original(self, result: ImportResult) -> None:
        """Keep the file if wanted, once its video is complete."""
        if self._keeps_original and result.outcome is not Outcome.BEGUN:
            keep_original(self._services, result.key, self._source, self._content)

    def _require_room(self, plan: Plan, chunks: ChunkCache | None) -> None:
        # Twice: the job's files and the published ones coexist for a moment, and so do the chunks.
        needed = 2 * plan.output_bytes if chunks is None else 3 * plan.output_bytes - chunks.bytes
        original = (
            room_for_original(self._services.layout, self._source) if self._keeps_original else 0
        )
        require_room(self._services.layout.data_dir, needed + original)

    def _claim(
        self, content: str, folders: JobFolders, chunks: ChunkCache | None, stack: ExitStack
    ) -> tuple[rows.AssetRow, Path, AssetHold]:
        """Claim this content, and a folder to work in."""
        objects = self._services.objects
        with folders.gate():
            if chunks is not None:  # Before the sweep, which may find them old.
                stack.enter_context(chunks)
            sweep(self._database, objects, folders)
            with self._database.write() as connection:
                asset = rows.find_asset(connection, content)
                key = rows.new_key() if asset is None else asset.key
                work = stack.enter_context(folders.begin(key))
                hold = AssetHold(self._database, objects, key)
                hold.take(connection)
                if asset is None or not asset.is_visible:
                    # The category alone decides, for the files and for what a visitor is told.
                    is_protected = needs_signature(connection, self._category_id)
                    try:
                        asset = rows.register_asset(
                            connection, key, content, self._source.name, is_protected
                        )
                    except IntegrityError:  # Another machine has just begun with it.
                        raise ImportBusyError from None
                    hold.take(connection)  # The row is a new one.
            stack.enter_context(hold.kept())
            tidy(self._database, hold.guard(objects), key)
        return asset, work, hold

    def _make(
        self,
        asset: rows.AssetRow,
        plan: Plan,
        work: Path,
        chunks: ChunkCache | None,
        hold: AssetHold,
    ) -> ImportResult:
        cache = None if chunks is None else chunks.path
        begun_with = self._begun_with(asset)
        production = Production(
            plan=plan,
            source=self._source,
            files=JobFiles(
                work=work,
                objects=hold.guard(self._services.objects),
                prefix=self._services.objects.media.prefix(asset.key, asset.place),
            ),
            cache=cache,
            begun_with=begun_with,
        )
        publication = Publication(
            services=self._services,
            key=asset.key,
            production=production,
            meta=self._meta,
            category_id=self._category_id,
            report=self._report,
            hold=hold,
        )
        try:
            if not asset.is_visible:
                publication.publish_first()
                production.forget_low_chunks()
                # Asked in any case: asking also reports that something is visible.
                if len(plan.rungs) > 1 and self._is_rest_left() and not plan.is_source_first:
                    if chunks is not None:  # A helper may have encoded some of the rest.
                        chunks.leave()
                    return self._result(asset.key, Outcome.BEGUN)
            if len(plan.rungs) > 1:
                self._publish_rest(publication)
        except BaseException as error:  # An interrupted import leaves nothing behind either.
            # What is there now may be the files of another machine that took over.
            if hold.is_ours:
                is_unproven = plan.is_source_first and not asset.is_visible
                self._note_stop(asset.key, error, hold, is_unproven=is_unproven)
            raise
        outcome = Outcome.CONTINUED if asset.is_visible else Outcome.IMPORTED
        return self._result(asset.key, outcome, publication.warning)

    def _publish_rest(self, publication: Publication) -> None:
        try:
            publication.publish_rest()
        except OSError:
            # The files of a removed video are gone from their place: that is no fault.
            with self._database.read() as connection:
                rows.refuse_removed(connection, publication.key)
            raise

    def _begun_with(self, asset: rows.AssetRow) -> str | None:
        """Label of the rendition that is already published."""
        if not asset.is_visible:
            return None
        with self._database.read() as connection:
            return next(iter(assets.rendition_labels(connection, asset.key)), None)

    def _note_stop(
        self, key: str, error: BaseException, hold: AssetHold, *, is_unproven: bool
    ) -> None:
        cause = "导入中断"
        if isinstance(error, LiuyingError):
            cause = error.message
        elif isinstance(error, OSError):
            cause = fault_of(error)
        with self._database.write() as connection:
            hold.require(connection)
            if is_unproven and isinstance(error, DamagedError | UndecodableError):
                rows.take_back(connection, key)
            rows.note_failure(connection, key, cause)
            if not isinstance(error, Exception):  # Stopped, not failed: as if it had not begun.
                assets.delete_unpublished(connection, key)
        # Files are removed after the rows that led to them.
        tidy(self._database, hold.guard(self._services.objects), key)

    def _result(self, key: str, outcome: Outcome, warning: str = "") -> ImportResult:
        with self._database.read() as connection:
            video_id = videos.video_of_asset(connection, key).id
        return ImportResult(video_id, key, outcome, warning)
