"""Making the encoded rungs of a long film chunk by chunk: what is finished stays finished, whatever
ends the work.

A chunk is made in `c0003.….tmp/`, put on disk, renamed to `c0003/`, and the rename put on disk.
Whoever makes it holds `c0003.lock`: several processes share the chunks of a film, and what one of
them left, by dying or by failing, is made by another.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from liuying.kit.file_locks import held_if_free
from liuying.kit.files import sync_folder, sync_tree
from liuying.media import transcode
from liuying.media.chunks import Chunk, first_number
from liuying.media.errors import DamagedError, TranscoderError
from liuying.media.ffmpeg import Report, ffmpeg_version
from liuying.media.joining import ChunkError, count_pictures, join_chunks
from liuying.media.plan import Plan, Rung
from liuying.media.planned_run import PlannedRun

# Raised where chunks of an older form must not be used any more.
FORM = 4
DRAFT_SUFFIX, LOCK_SUFFIX = ".tmp", ".lock"
SOUND_FOLDER = "sound"
# So often a film whose last chunks others are making looks for them.
WAIT_S = 0.2

# Told which chunk is being made, and its share done.
Watch = Callable[[Chunk, float], None]


def fingerprint(plan: Plan) -> str:
    """Hexadecimal digits that are the same only where a chunk would come out the same, for the same
    content.

    Raises:
        TranscoderError: The transcoder does not start.
    """
    video = plan.probe.video
    made_of = (
        FORM,
        ffmpeg_version(),
        video,
        plan.probe.audio_index,
        plan.rungs,
        plan.cuts,
        plan.settings,
        plan.chunks,
    )
    return hashlib.sha256(msgspec.json.encode(made_of, order="deterministic")).hexdigest()


class ChunkRun(msgspec.Struct, frozen=True, kw_only=True):
    """The making of some rungs.

    Attributes:
        plan: What to make; it has chunks.
        source: The operator's file.
        folder: Where finished chunks are, and stay.
        run: Runs the transcoder.
    """

    plan: Plan
    source: Path
    folder: Path
    run: PlannedRun

    def make(self, rungs: Sequence[Rung], report: Report) -> None:
        """Make all chunks of rungs; those that others are making are waited for.

        Args:
            rungs: Which ones; none of them copied.
            report: Called with the share done.

        Raises:
            ChunkError: It is not possible in chunks.
            MediaError: The transcoder failed in a way that may pass.
        """
        total = sum(chunk.duration for chunk in self.plan.chunks)
        while left := self._unfinished():
            done = total - sum(chunk.duration for chunk in left)
            report(done / total)
            if self.make_next(rungs, _watch_of(report, done, total)) is None:
                # Held by others, or finished by them since. One that dies leaves its chunk to us.
                time.sleep(WAIT_S)
        report(1.0)

    def join(self, rungs: Sequence[Rung], sound: Path | None, work: Path) -> None:
        """Put finished chunks together.

        Args:
            rungs: Which ones' files.
            sound: A file whose sound goes with them; None for a silent video.
            work: The job's folder, where the files go.

        Raises:
            ChunkError: They do not fit together.
        """
        for rung in rungs:
            name = transcode.rung_file(rung)
            parts = [self.folder / chunk.name / name for chunk in self.plan.chunks]
            join_chunks(parts, sound, work / name, self.plan.probe.timing)

    def make_next(
        self, rungs: Sequence[Rung], watch: Watch = lambda _chunk, _share: None
    ) -> Chunk | None:
        """Make the first chunk that is unfinished and in nobody's hands.

        Args:
            rungs: Which ones; none of them copied.
            watch: Called while it is made.

        Returns:
            The chunk that was made; None where there was none to make.

        Raises:
            ChunkError: It is not possible in chunks.
            MediaError: The transcoder failed in a way that may pass.
            OSError: The folder is gone, or the disk full.
        """
        for chunk in self._unfinished():
            lock = self.folder / (chunk.name + LOCK_SUFFIX)
            with held_if_free(lock) as is_ours:
                if not is_ours:
                    continue
                if is_new := not (self.folder / chunk.name).exists():
                    self._make_chunk(chunk, rungs, watch)
                # Of a finished chunk alone: two that hold different files of one name would make it
                # twice.
                lock.unlink(missing_ok=True)
                if is_new:
                    return chunk
        return None

    def make_sound(self, run: PlannedRun, gain: Callable[[], float]) -> Path | None:
        """The film's sound, in one piece; None for a silent film. For whoever imports the film
        alone.

        Args:
            run: Runs the transcoder.
            gain: Asked where it is not there yet: how much louder it becomes, in decibels.
        """
        if self.plan.probe.audio_index is None:
            return None

        def make(folder: Path) -> None:
            louder = gain()
            with _failing_as_a_whole():
                run(transcode.sound_arguments(self.plan, self.source, louder), folder=folder)

        if not (self.folder / SOUND_FOLDER).exists():
            self._keep(SOUND_FOLDER, make)
        return self.folder / SOUND_FOLDER / transcode.SOUND_NAME

    def is_untouched(self) -> bool:
        """Whether there is a chunk that nobody has begun, as far as can be seen without taking a
        lock.
        """
        try:
            names = os.listdir(self.folder)  # noqa: PTH208 - names alone are wanted
        except FileNotFoundError:
            return False
        begun = {name.partition(".")[0] for name in names if not name.endswith(LOCK_SUFFIX)}
        return any(chunk.name not in begun for chunk in self.plan.chunks)

    def _unfinished(self) -> list[Chunk]:
        return [chunk for chunk in self.plan.chunks if not (self.folder / chunk.name).exists()]

    def _make_chunk(self, chunk: Chunk, rungs: Sequence[Rung], watch: Watch) -> None:
        def make(folder: Path) -> None:
            arguments = transcode.chunk_arguments(self.plan, self.source, rungs, chunk)
            start = 0.0 if chunk.start is None else chunk.start.moment
            with _failing_as_a_whole():
                self.run(
                    arguments,
                    lambda share: watch(chunk, share),
                    folder=folder,
                    start=start,
                    duration=chunk.duration,
                )
            for rung in rungs:
                found, expected = (
                    count_pictures(folder / transcode.rung_file(rung)),
                    pictures_of(chunk, rung),
                )
                if expected is not None and found != expected:
                    raise ChunkError(f"{chunk.name}/{rung.name}: {found} != {expected}")

        self._keep(chunk.name, make)

    def _keep(self, name: str, make: Callable[[Path], None]) -> None:
        for dead in self.folder.glob(f"{name}.*{DRAFT_SUFFIX.removeprefix('.')}"):
            shutil.rmtree(dead, ignore_errors=True)
        # A name of its own: the folder may be removed and made anew by another while we are still
        # at work. For that reason it is not made here either.
        draft = self.folder / f"{name}.{secrets.token_hex(4)}{DRAFT_SUFFIX}"
        draft.mkdir()
        try:
            make(draft)
            sync_tree(draft)
            _put_in_place(draft, self.folder / name)
        except BaseException:
            # Half a chunk is worth nothing, and the disk may be full.
            shutil.rmtree(draft, ignore_errors=True)
            raise
        sync_folder(self.folder)


@contextmanager
def _failing_as_a_whole() -> Iterator[None]:
    """What fails in a part is tried in one piece, unless the transcoder was killed."""
    try:
        yield
    except DamagedError as error:
        # A damaged place is much of a chunk, and may be little of a film.
        raise ChunkError(str(error)) from error
    except TranscoderError as error:
        if error.is_killed:
            raise
        raise ChunkError(str(error)) from error


def pictures_of(chunk: Chunk, rung: Rung) -> int | None:
    """How many pictures a chunk has in a rung; None where only its making tells."""
    if rung.rate is None:
        return chunk.pictures
    if chunk.start is None or chunk.end is None:
        return None
    return first_number(chunk.end.moment, rung.rate) - first_number(chunk.start.moment, rung.rate)


def _put_in_place(draft: Path, target: Path) -> None:
    try:
        draft.rename(target)
    except OSError:
        # A shared file system may show late what another machine has finished: the same, to the
        # last bit.
        if not target.exists():
            raise
        shutil.rmtree(draft)


def _watch_of(report: Report, done: float, total: float) -> Watch:
    return lambda chunk, share: report((done + share * chunk.duration) / total)
