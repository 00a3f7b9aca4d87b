"""Encoding the renditions of a long film chunk by chunk: finished chunks survive whatever ends the
work.

A chunk is encoded in `c0003.….tmp/`, synced, renamed to `c0003/`, and the rename is synced. Its
encoder holds `c0003.lock`: several processes share the chunks of a film, and what one leaves by
dying or failing is encoded by another.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec

from liuying.kit.file_locks import held_if_free
from liuying.kit.files import sync_folder, sync_tree
from liuying.media import transcode
from liuying.media.chunk_files import DAMAGE_NAME, check_chunk, damaged_in
from liuying.media.chunks import Chunk
from liuying.media.errors import ChunkError, DamagedError, TranscoderError
from liuying.media.ffmpeg import Report, ffmpeg_version
from liuying.media.ladder import Rung
from liuying.media.plan import Plan
from liuying.media.planned_run import PlannedRun

# Raise this if chunks of an older version must not be used any more.
FORM = 4
DRAFT_SUFFIX, LOCK_SUFFIX = ".tmp", ".lock"
SOUND_FOLDER = "sound"
# How often an import looks for the last chunks that others are encoding.
WAIT_S = 0.2

# Told which chunk is being encoded, and its completed share.
Watch = Callable[[Chunk, float], None]
# Puts the files of a chunk into a folder.
Maker = Callable[[Chunk, Path], None]


def fingerprint(plan: Plan) -> str:
    """A hexadecimal string that is equal only if a chunk of the same content would come out
    identical.

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
        # Films with one audio track keep the fingerprint that they had before there were several.
        *([plan.tracks] if plan.tracks else []),
    )
    return hashlib.sha256(msgspec.json.encode(made_of, order="deterministic")).hexdigest()


class ChunkRun(msgspec.Struct, frozen=True, kw_only=True):
    """Encoding some renditions in chunks.

    Attributes:
        plan: A plan with chunks.
        source: The operator's file.
        folder: Where finished chunks are stored.
        run: Runs the transcoder.
    """

    plan: Plan
    source: Path
    folder: Path
    run: PlannedRun

    def make(self, rungs: Sequence[Rung], report: Report) -> None:
        """Encode all chunks of some renditions; wait for those that others are encoding.

        Args:
            rungs: Which ones; none of them copied.
            report: Called with the completed share.

        Raises:
            ChunkError: It cannot be encoded in chunks.
            MediaError: The transcoder failed in a way that may pass.
        """
        total = sum(chunk.duration for chunk in self.plan.chunks)
        while left := self._unfinished():
            done = total - sum(chunk.duration for chunk in left)
            report(done / total)
            if self.make_next(rungs, _watch_of(report, done, total)) is None:
                # Being encoded by others, or finished by them since. If one dies, its chunk is left
                # to us.
                time.sleep(WAIT_S)
        report(1.0)

    def join(self, rungs: Sequence[Rung], sound: Path | None, work: Path) -> None:
        """Join finished chunks.

        Args:
            rungs: The renditions whose files to write.
            sound: A file with the sound; None for a silent video.
            work: The job's folder, which receives the files.

        Raises:
            ChunkError: They do not fit together.
        """
        from liuying.media.joining import join_chunks

        for rung in rungs:
            name = transcode.rung_file(rung)
            parts = [self.folder / chunk.name / name for chunk in self.plan.chunks]
            join_chunks(parts, sound, work / name, self.plan.probe.timing)

    def make_next(
        self, rungs: Sequence[Rung], watch: Watch = lambda _chunk, _share: None
    ) -> Chunk | None:
        """Encode the first chunk that is neither finished nor being encoded.

        Args:
            rungs: Which renditions; none of them copied.
            watch: Called during the encoding.

        Returns:
            The encoded chunk; None if there was none left.

        Raises:
            ChunkError: It cannot be encoded in chunks.
            MediaError: The transcoder failed in a way that may pass.
            OSError: The folder is gone, or the disk is full.
        """
        return self.take_next(lambda chunk, folder: self.encode(chunk, rungs, folder, watch))

    def take_next(self, make: Maker) -> Chunk | None:
        """Have the first chunk made that is neither finished nor being made; nobody else makes it
        meanwhile.

        Args:
            make: What makes it; where it raises, the chunk is left to others.

        Returns:
            The chunk; None if there was none left.

        Raises:
            OSError: The folder is gone, or the disk is full.
        """
        for chunk in self._unfinished():
            lock = self.folder / (chunk.name + LOCK_SUFFIX)
            with held_if_free(lock) as is_ours:
                if not is_ours:
                    continue
                if is_new := not (self.folder / chunk.name).exists():
                    self._keep(chunk.name, partial(make, chunk))
                # Only if the chunk is finished: two processes holding different files of the same
                # name would encode it twice.
                lock.unlink(missing_ok=True)
                if is_new:
                    return chunk
        return None

    def make_sound(self, run: PlannedRun, gain: Callable[[], float]) -> Path | None:
        """The sound that the renditions contain, in one piece; None if they contain none. Only for
        the film's importer.

        Args:
            run: Runs the transcoder.
            gain: Called if the sound does not exist yet; returns the gain in decibels.
        """
        if self.plan.sound_index is None:
            return None

        def make(folder: Path) -> None:
            louder = gain()
            with _failing_as_a_whole():
                run(transcode.sound_arguments(self.plan, self.source, louder), folder=folder)

        return self.keep_sound(make) / transcode.SOUND_NAME

    def keep_sound(self, make: Callable[[Path], None]) -> Path:
        """The folder of the film's sound. Only for the film's importer.

        Args:
            make: Called if it does not exist yet, with the folder to write in.
        """
        if not (self.folder / SOUND_FOLDER).exists():
            self._keep(SOUND_FOLDER, make)
        return self.folder / SOUND_FOLDER

    def count_damaged(self) -> int:
        """How many pictures of the source were damaged, of all finished chunks.

        Raises:
            ChunkError: A chunk does not say.
        """
        return sum(damaged_in(self.folder / chunk.name) for chunk in self.plan.chunks)

    def is_untouched(self) -> bool:
        """Whether there is a chunk that nobody has begun, as far as this can be seen without
        taking a lock.
        """
        try:
            names = os.listdir(self.folder)  # noqa: PTH208 - names alone are wanted
        except FileNotFoundError:
            return False
        begun = {name.partition(".")[0] for name in names if not name.endswith(LOCK_SUFFIX)}
        return any(chunk.name not in begun for chunk in self.plan.chunks)

    def _unfinished(self) -> list[Chunk]:
        return [chunk for chunk in self.plan.chunks if not (self.folder / chunk.name).exists()]

    def encode(
        self,
        chunk: Chunk,
        rungs: Sequence[Rung],
        folder: Path,
        watch: Watch = lambda _chunk, _share: None,
    ) -> None:
        """Encode one chunk into a folder. Raises as `make_next` does."""
        arguments = transcode.chunk_arguments(self.plan, self.source, rungs, chunk)
        start = 0.0 if chunk.start is None else chunk.start.moment
        with _failing_as_a_whole():
            result = self.run(
                arguments,
                lambda share: watch(chunk, share),
                folder=folder,
                start=start,
                duration=chunk.duration,
            )
        if result.damaged:
            (folder / DAMAGE_NAME).write_text(str(result.damaged), encoding="ascii")
        check_chunk(folder, chunk, rungs)

    def _keep(self, name: str, make: Callable[[Path], None]) -> None:
        for dead in self.folder.glob(f"{name}.*{DRAFT_SUFFIX.removeprefix('.')}"):
            shutil.rmtree(dead, ignore_errors=True)
        # A unique name: another process may remove and recreate the folder while we still work. For
        # that reason the folder is not created here either.
        draft = self.folder / f"{name}.{secrets.token_hex(4)}{DRAFT_SUFFIX}"
        draft.mkdir()
        try:
            make(draft)
            sync_tree(draft)
            _put_in_place(draft, self.folder / name)
        except BaseException:
            # Half a chunk is useless, and the disk may be full.
            shutil.rmtree(draft, ignore_errors=True)
            raise
        sync_folder(self.folder)


@contextmanager
def _failing_as_a_whole() -> Iterator[None]:
    """Failures of a part lead to encoding in one piece, unless the transcoder was killed."""
    try:
        yield
    except DamagedError as error:
        # A damaged place may be much of a chunk and little of a film.
        raise ChunkError(str(error)) from error
    except TranscoderError as error:
        if error.is_killed:
            raise
        raise ChunkError(str(error)) from error


def _put_in_place(draft: Path, target: Path) -> None:
    try:
        draft.rename(target)
    except OSError:
        # A shared file system may show the work of another machine late: it is identical.
        if not target.exists():
            raise
        shutil.rmtree(draft)


def _watch_of(report: Report, done: float, total: float) -> Watch:
    return lambda chunk, share: report((done + share * chunk.duration) / total)
