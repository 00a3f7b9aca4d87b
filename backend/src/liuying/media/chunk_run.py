"""Making the encoded rungs of a long film chunk by chunk: what is finished stays finished, whatever ends the work.

A chunk is made in `c0003.tmp/`, put on disk, renamed to `c0003/`, and the rename put on disk.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from liuying.kit.files import sync_folder, sync_tree
from liuying.media import transcode
from liuying.media.chunks import Chunk, first_number
from liuying.media.errors import DamagedError, TranscoderError
from liuying.media.ffmpeg import JobResult, Report, ffmpeg_version
from liuying.media.joining import ChunkError, count_pictures, join_chunks
from liuying.media.plan import Plan, Rung

# Raised where chunks of an older form must not be used any more.
FORM = 1
DRAFT_SUFFIX = ".tmp"
SOUND_FOLDER = "sound"


class Run(Protocol):
    """Runs the transcoder in a folder; progress counts over the seconds of a part that begins at `start`."""

    def __call__(
        self,
        arguments: list[str],
        report: Report | None = None,
        *,
        folder: Path | None = None,
        start: float = 0.0,
        duration: float | None = None,
    ) -> JobResult: ...


def fingerprint(plan: Plan) -> str:
    """Hexadecimal digits that are the same only where a chunk would come out the same, for the same content.

    Raises:
        TranscoderError: The transcoder does not start.
    """
    # The encoder's threads, of which it starts as many as there are processors, share its work out differently.
    machine = (os.cpu_count(), ffmpeg_version())
    video = plan.probe.video
    made_of = (FORM, machine, video, plan.probe.audio_index, plan.rungs, plan.cuts, plan.settings, plan.chunks)
    return hashlib.sha256(msgspec.json.encode(made_of, order="deterministic")).hexdigest()


class ChunkRun(msgspec.Struct, frozen=True, kw_only=True):
    """The making of some rungs.

    Attributes:
        plan: What to make; it has chunks.
        source: The operator's file.
        folder: Where finished chunks are, and stay; made where it is missing.
        run: Runs the transcoder.
    """

    plan: Plan
    source: Path
    folder: Path
    run: Run

    def make(self, rungs: Sequence[Rung], sound: Path | None, work: Path, report: Report) -> None:
        """Make the files of rungs in the job's folder.

        Args:
            rungs: Which ones; none of them copied.
            sound: A file whose sound goes with them; None for a silent video.
            work: The job's folder.
            report: Called with the share done.

        Raises:
            ChunkError: It is not possible in chunks.
            MediaError: The transcoder failed in a way that may pass.
        """
        chunks = self.plan.chunks
        total = sum(chunk.duration for chunk in chunks)
        done = 0.0
        for chunk in chunks:
            self._make_chunk(chunk, rungs, _part_of(report, done / total, chunk.duration / total))
            done += chunk.duration
            report(done / total)
        for rung in rungs:
            name = transcode.rung_file(rung)
            join_chunks([self.folder / chunk.name / name for chunk in chunks], sound, work / name)

    def make_sound(self, gain: Callable[[], float]) -> Path | None:
        """The film's sound, in one piece; None for a silent film.

        Args:
            gain: Asked where it is not there yet: how much louder it becomes, in decibels.
        """
        if self.plan.probe.audio_index is None:
            return None

        def make(folder: Path) -> None:
            self._run(transcode.sound_arguments(self.plan, self.source, gain()), None, folder)

        self._keep(SOUND_FOLDER, make)
        return self.folder / SOUND_FOLDER / transcode.SOUND_NAME

    def _make_chunk(self, chunk: Chunk, rungs: Sequence[Rung], report: Report) -> None:
        def make(folder: Path) -> None:
            self._run(transcode.chunk_arguments(self.plan, self.source, rungs, chunk), report, folder, chunk)
            for rung in rungs:
                found, expected = count_pictures(folder / transcode.rung_file(rung)), pictures_of(chunk, rung)
                if expected is not None and found != expected:
                    raise ChunkError(f"{chunk.name}/{rung.name}: {found} != {expected}")

        self._keep(chunk.name, make)

    def _keep(self, name: str, make: Callable[[Path], None]) -> None:
        target, draft = self.folder / name, self.folder / (name + DRAFT_SUFFIX)
        if target.exists():
            return
        if draft.exists():
            shutil.rmtree(draft)
        draft.mkdir(parents=True)
        try:
            make(draft)
            sync_tree(draft)
        except BaseException:
            # Half a chunk is worth nothing, and the disk may be full.
            shutil.rmtree(draft, ignore_errors=True)
            raise
        draft.rename(target)
        sync_folder(self.folder)

    def _run(self, arguments: list[str], report: Report | None, folder: Path, chunk: Chunk | None = None) -> None:
        try:
            start = 0.0 if chunk is None or chunk.start is None else chunk.start.moment
            self.run(arguments, report, folder=folder, start=start, duration=None if chunk is None else chunk.duration)
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


def _part_of(report: Report, done: float, length: float) -> Report:
    return lambda share: report(done + share * length)
