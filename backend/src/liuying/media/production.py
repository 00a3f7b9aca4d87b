"""Making one video: the steps from a plan to published files. It knows files, not the catalogue.

What belongs together is prepared in the job's folder and published at once, before a row leads to
it (docs/security.md#never-lost media).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from liuying.kit.files import remove_shared
from liuying.media import transcode
from liuying.media.audio_production import gain_of_stream, make_tracks, package_tracks
from liuying.media.boxes import BoxError
from liuying.media.chunk_offer import (
    LOW_FOLDER,
    PARTS,
    REST_FOLDER,
    offer_chunks,
    rungs_of,
    withdraw_chunks,
)
from liuying.media.chunk_run import SOUND_FOLDER, ChunkRun
from liuying.media.cover import best_picture
from liuying.media.damage import Damage
from liuying.media.errors import ChunkError, DamagedError, UndecodableError
from liuying.media.ffmpeg import Report
from liuying.media.job_files import JobFiles
from liuying.media.ladder import Rung
from liuying.media.package import measure_rendition, measure_sound, package
from liuying.media.plan import Plan
from liuying.media.planned_run import PlannedRun, beside
from liuying.media.playlists import (
    WITH_SOUND_NAME,
    Rendition,
    Sound,
    beside_sounds,
    master_of_one,
    master_playlist,
)

if TYPE_CHECKING:
    from PIL import Image

    from liuying.media.fingerprint import Sketch

LOG = logging.getLogger(__name__)
FIRST_MASTER, WHOLE_MASTER = "v1.m3u8", "v2.m3u8"
COVER_FILES = "cover*.bmp"
# A marker beside the chunks: they turned out to be impossible.
ONE_PIECE_NAME = "one-piece"
# If the result has a smaller share of the pictures, decoding failed silently.
WHOLE_SHARE = 0.9


class Production(msgspec.Struct, frozen=True, kw_only=True):
    """The making of one video.

    Attributes:
        plan: What to make.
        source: The operator's file; only read.
        files: The job's folder, and where it is published.
        cache: Where a long film's finished chunks outlive the job's folder; None for encoding in
            one piece.
        begun_with: Label of the rendition that an earlier import published, perhaps of another
            version; None if none did.
        damage: What decoding found; filled while it is made.
        sounds: The audio tracks that are packaged beside the pictures; filled while it is made.
    """

    plan: Plan
    source: Path
    files: JobFiles
    cache: Path | None = None
    begun_with: str | None = None
    damage: Damage = msgspec.field(default_factory=Damage)
    sounds: list[Sound] = msgspec.field(default_factory=list)

    @property
    def low(self) -> Rung:
        return self.plan.rungs[0]

    @property
    def first(self) -> Rung:
        return next(
            (rung for rung in self.plan.rungs if rung.label == self.begun_with), self.plan.first
        )

    @property
    def _run(self) -> PlannedRun:
        return PlannedRun(plan=self.plan, work=self.files.work)

    def make_first(self, report: Report) -> Rendition:
        """Make and package the first rendition; nothing is published yet.

        Raises:
            MediaError: The file is damaged, or the transcoder failed.
        """

        def in_chunks(chunks: ChunkRun) -> None:
            # Pictures and sound are encoded in parallel: encoding leaves part of a processor idle.
            with beside(partial(self._sound_of_chunks, chunks), self._run) as sound:

                def watch(share: float) -> None:
                    if sound.done():  # If it failed, the pictures need not be finished.
                        sound.result()
                    report(share)

                chunks.make([self.low], watch)
                self.damage.note(chunks.count_damaged())
                chunks.join([self.low], sound.result(), self.files.work)

        if not self._made_in_chunks(LOW_FOLDER, in_chunks):
            with beside(partial(self._make_tracks, self.files.work), self._run) as tracks:
                gain = self._gain(self._run)
                result = self._run(transcode.first_arguments(self.plan, self.source, gain), report)
                tracks.result()
            self.damage.note(result.damaged)
        self.damage.refuse_much(self.plan)
        draft = self.files.new_draft()
        rendition = self._package(self.first, draft / self.first.name)
        folders = [self.files.work]
        if self.cache is not None:
            folders.append(self.cache / LOW_FOLDER / SOUND_FOLDER)
        self.sounds[:] = package_tracks(self.plan, self.source, folders, draft, rendition.target)
        return self._beside_sounds(rendition, draft / self.first.name)

    def _sound_of_chunks(self, chunks: ChunkRun, run: PlannedRun) -> Path | None:
        """The sound that the renditions contain. Other audio tracks are made too, and kept."""
        if self.plan.tracks:
            chunks.keep_sound(lambda folder: self._make_tracks(folder, run))
            return None
        return chunks.make_sound(run, lambda: self._gain(run))

    def _make_tracks(self, folder: Path, run: PlannedRun) -> None:
        make_tracks(run, self.plan, self.source, folder)

    def _gain(self, run: PlannedRun) -> float:
        """The gain in decibels of the sound that the renditions contain."""
        return gain_of_stream(run, self.source, self.plan.sound_index)

    def _beside_sounds(self, rendition: Rendition, folder: Path) -> Rendition:
        """A rendition as it is played with the audio tracks; written beside it for players that
        are given one rendition.
        """
        whole = beside_sounds(rendition, self.sounds)
        if self.sounds:
            text = master_of_one(whole, self.sounds)
            (folder / WITH_SOUND_NAME).write_text(text, encoding="utf-8")
        return whole

    def _measure_published_tracks(self) -> None:
        """Of an import that continues another one's work."""
        if not self.sounds:
            self.sounds[:] = [
                measure_sound(self.files.joined_track(track), track) for track in self.plan.tracks
            ]

    def _made_in_chunks(self, name: str, make: Callable[[ChunkRun], None]) -> bool:
        """False if the film is encoded in one piece, or must be."""
        if not self.plan.chunks or self.cache is None or (self.cache / ONE_PIECE_NAME).exists():
            return False
        # Helpers may begin at once, with the other renditions too, while this process encodes the
        # first.
        offer_chunks(self.cache, self.plan, self.source, PARTS[PARTS.index(name) :])
        try:
            make(
                ChunkRun(
                    plan=self.plan, source=self.source, folder=self.cache / name, run=self._run
                )
            )
        except ChunkError as error:
            LOG.warning("%s is made in one piece: %s", self.files.name, error)
            # Recorded, so that neither the other renditions nor a retry find it out again.
            (self.cache / ONE_PIECE_NAME).touch()
            withdraw_chunks(self.cache)
            return False
        return True

    def cover_picture(self) -> Image.Image:
        """The source's best picture at a cover's size. Call it after `make_first`.

        Raises:
            UndecodableError: No picture can be decoded.
        """
        folders = [self.files.work]
        if self.cache is not None:
            folders += [self.cache / LOW_FOLDER / chunk.name for chunk in self.plan.chunks]
        # In one piece or in chunks: leftovers of impossible chunks show the same film.
        candidates = [one for folder in folders for one in sorted(folder.glob(COVER_FILES))]
        picture = best_picture(candidates)
        if picture is None:
            raise UndecodableError(self.plan.probe.video.codec)
        return picture

    def glance_at_first(self) -> Sketch:
        """Look at a few pictures of the first rendition, for its likeness to others. Call it after
        `make_first`.

        Raises:
            MediaError: It cannot be read.
        """
        # Loaded here: few imports need it.
        from liuying.media.sketching import glance_at_rendition

        return glance_at_rendition(
            self.files.rendition(self.first), self.plan.probe.timing.duration
        )

    def sketch_first(self) -> Sketch:
        """Look at it closely."""
        from liuying.media.sketching import sketch_rendition

        return sketch_rendition(self._run, self.files.work, self.files.rendition(self.first))

    def publish_first(self, rendition: Rendition) -> str:
        """Publish the first rendition.

        Returns:
            The master playlist's name.
        """
        draft = self.files.draft()
        master = master_playlist([rendition], self.sounds)
        (draft / FIRST_MASTER).write_bytes(master.encode())
        self.files.objects.put_folder(self.files.prefix, draft)
        return FIRST_MASTER

    def make_rest(self, report: Report) -> list[Rendition]:
        """Encode, package and publish the other renditions. No playlist leads to them yet.

        Raises:
            MediaError: The transcoder failed.
        """
        rest = [rung for rung in self.plan.rungs if rung != self.first]
        first = self.files.joined(self.first)
        sound = first if self.plan.sound_index is not None else None
        self._measure_published_tracks()
        encoded = rungs_of(self.plan, REST_FOLDER)

        def in_chunks(chunks: ChunkRun) -> None:
            chunks.make(encoded, report)
            self.damage.note(chunks.count_damaged())
            chunks.join(encoded, sound, self.files.work)

        # The chunks of the rest contain everything but the lowest rendition.
        is_made = (
            bool(encoded)
            and self.first == self.low
            and self._made_in_chunks(REST_FOLDER, in_chunks)
        )
        if left := [rung for rung in rest if rung.is_copied or not is_made]:
            arguments = transcode.ladder_arguments(self.plan, self.source, left, sound)
            self.damage.note(self._run(arguments, None if is_made else report).damaged)
        self.damage.refuse_much(self.plan)
        made = []
        for rung in rest:
            draft = self.files.new_draft(rung.name)
            made.append(self._beside_sounds(self._package(rung, draft), draft))
            self.files.objects.put_folder(f"{self.files.prefix}{rung.name}/", draft)
        return made

    def forget_low_chunks(self) -> None:
        """Remove the first rendition's chunks: it is published."""
        if self.cache is not None:
            remove_shared(self.cache / LOW_FOLDER)

    def publish_rest(self, made: Sequence[Rendition]) -> str:
        """Publish the playlist of the whole ladder.

        Returns:
            Its name.
        """
        first = measure_rendition(self.files.rendition(self.first), self.first)
        playlist = master_playlist([beside_sounds(first, self.sounds), *made], self.sounds)
        self.files.objects.put_if_absent(f"{self.files.prefix}{WHOLE_MASTER}", playlist.encode())
        return WHOLE_MASTER

    def _package(self, rung: Rung, folder: Path) -> Rendition:
        try:
            rendition = package(self.files.rendition(rung), rung, folder)
        except BoxError as error:  # The transcoder succeeded without writing a picture.
            raise UndecodableError(self.plan.probe.video.codec) from error
        timing = self.plan.probe.timing
        # All renditions come from the same pictures. A tolerance of one, and another for rounding
        # the rate.
        expected = timing.pictures if rung.rate is None else timing.duration * rung.rate
        is_whole = rendition.pictures >= expected * WHOLE_SHARE - 2
        if rung == self.low and not is_whole and not self.plan.accepts_damage:
            raise DamagedError
        return rendition
