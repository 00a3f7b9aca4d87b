"""Making one video: the steps from a plan to published files. It knows files, not the catalogue.

What belongs together is prepared in the job's folder and published at once, before a row leads to
it (docs/security.md#never-lost media).
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from liuying.kit.files import remove_shared
from liuying.kit.object_store import ObjectStore
from liuying.media import storyboard, subtitles, transcode
from liuying.media.audio_production import gain_of_stream, make_tracks, package_tracks
from liuying.media.audio_tracks import AudioTrack
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
from liuying.media.errors import ChunkError, DamagedError, TranscoderError, UndecodableError
from liuying.media.ffmpeg import Report
from liuying.media.package import measure_rendition, measure_sound, package
from liuying.media.packaged import join, stored
from liuying.media.plan import Plan, Rung
from liuying.media.planned_run import PlannedRun, beside
from liuying.media.playlists import (
    WITH_SOUND_NAME,
    Rendition,
    Sound,
    beside_sounds,
    master_of_one,
    master_playlist,
)
from liuying.media.webvtt import SubtitleError, webvtt_of

if TYPE_CHECKING:
    from PIL import Image

    from liuying.media.fingerprint import Sketch

LOG = logging.getLogger(__name__)
FIRST_MASTER, WHOLE_MASTER = "v1.m3u8", "v2.m3u8"
PROGRESSIVE_NAME = "play.mp4"
PROGRESSIVE_SIDE = 540
COVER_FILES = "cover*.bmp"
SUBTITLE_FOLDER, SUBTITLE_PATTERN, OWN_SUBTITLE_PATTERN = "subtitles", "%s.vtt", "track%d.vtt"
STORYBOARD_FOLDER, STORYBOARD_NAME, SHEET_PATTERN = "storyboard", "index.vtt", "%d.jpg"
# In the job's folder.
DRAFTS, FIRST_DRAFT = "drafts", "first"
# A marker beside them if chunks turned out to be impossible.
ONE_PIECE_NAME = "one-piece"
# More of the pictures than this may not be damaged, unless the operator accepts it.
MAX_DAMAGED_SHARE = 0.05
# If the result has a smaller share of the pictures, decoding failed silently.
WHOLE_SHARE = 0.9


class Damage:
    """How many pictures of the source are damaged, by the decoding that saw most of them."""

    def __init__(self) -> None:
        self.pictures = 0

    def note(self, pictures: int) -> None:
        self.pictures = max(self.pictures, pictures)


class Production(msgspec.Struct, frozen=True, kw_only=True):
    """The making of one video.

    Attributes:
        plan: What to make.
        source: The operator's file; only read.
        work: The job's own folder.
        objects: The store it is published in.
        prefix: The prefix of the keys of everything published.
        cache: Where a long film's finished chunks outlive the job's folder; None for encoding in
            one piece.
        begun_with: Label of the rendition that an earlier import published, perhaps of another
            version; None if none did.
        damage: What decoding found; filled while it is made.
        sounds: The audio tracks that are packaged beside the pictures; filled while it is made.
    """

    plan: Plan
    source: Path
    work: Path
    objects: ObjectStore
    prefix: str
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
    def _name(self) -> str:
        return PurePosixPath(self.prefix).name

    @property
    def _run(self) -> PlannedRun:
        return PlannedRun(plan=self.plan, work=self.work)

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
                chunks.join([self.low], sound.result(), self.work)

        if not self._made_in_chunks(LOW_FOLDER, in_chunks):
            with beside(partial(self._make_tracks, self.work), self._run) as tracks:
                gain = self._gain(self._run)
                result = self._run(transcode.first_arguments(self.plan, self.source, gain), report)
                tracks.result()
            self.damage.note(result.damaged)
        self._refuse_damage()
        draft = self._new_draft()
        rendition = self._package(self.first, draft / self.first.name)
        folders = [self.work]
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
                measure_sound(self._joined_track(track), track) for track in self.plan.tracks
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
            LOG.warning("%s is made in one piece: %s", self._name, error)
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
        folders = [self.work]
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

        return glance_at_rendition(self._file(self.first), self.plan.probe.timing.duration)

    def sketch_first(self) -> Sketch:
        """Look at it closely."""
        from liuying.media.sketching import sketch_rendition

        return sketch_rendition(self._run, self.work, self._file(self.first))

    def publish_first(self, rendition: Rendition) -> str:
        """Publish the first rendition.

        Returns:
            The master playlist's name.
        """
        draft = self._draft()
        master = master_playlist([rendition], self.sounds)
        (draft / FIRST_MASTER).write_bytes(master.encode())
        self.objects.put_folder(self.prefix, draft)
        return FIRST_MASTER

    def make_rest(self, report: Report) -> list[Rendition]:
        """Encode, package and publish the other renditions. No playlist leads to them yet.

        Raises:
            MediaError: The transcoder failed.
        """
        rest = [rung for rung in self.plan.rungs if rung != self.first]
        first = self._joined(self.first)
        sound = first if self.plan.sound_index is not None else None
        self._measure_published_tracks()
        encoded = rungs_of(self.plan, REST_FOLDER)

        def in_chunks(chunks: ChunkRun) -> None:
            chunks.make(encoded, report)
            self.damage.note(chunks.count_damaged())
            chunks.join(encoded, sound, self.work)

        # The chunks of the rest contain everything but the lowest rendition.
        is_made = (
            bool(encoded)
            and self.first == self.low
            and self._made_in_chunks(REST_FOLDER, in_chunks)
        )
        if left := [rung for rung in rest if rung.is_copied or not is_made]:
            arguments = transcode.ladder_arguments(self.plan, self.source, left, sound)
            self.damage.note(self._run(arguments, None if is_made else report).damaged)
        self._refuse_damage()
        made = []
        for rung in rest:
            draft = self._new_draft(rung.name)
            made.append(self._beside_sounds(self._package(rung, draft), draft))
            self.objects.put_folder(f"{self.prefix}{rung.name}/", draft)
        return made

    def _refuse_damage(self) -> None:
        """Raises `DamagedError` where more is damaged than a visitor would put up with."""
        pictures = self.plan.probe.timing.pictures
        is_much = self.damage.pictures > MAX_DAMAGED_SHARE * pictures
        if is_much and not self.plan.accepts_damage:
            raise DamagedError(self.damage.pictures, pictures)

    def forget_low_chunks(self) -> None:
        """Remove the first rendition's chunks: it is published."""
        if self.cache is not None:
            remove_shared(self.cache / LOW_FOLDER)

    def publish_rest(self, made: Sequence[Rendition]) -> str:
        """Publish the playlist of the whole ladder.

        Returns:
            Its name.
        """
        first = measure_rendition(self._file(self.first), self.first)
        playlist = master_playlist([beside_sounds(first, self.sounds), *made], self.sounds)
        self.objects.put_if_absent(f"{self.prefix}{WHOLE_MASTER}", playlist.encode())
        return WHOLE_MASTER

    def publish_progressive(self) -> str:
        """Publish the progressive MP4 for the short feed.

        Returns:
            Its name.
        """
        fitting = [rung for rung in self.plan.rungs if rung.short_side <= PROGRESSIVE_SIDE]
        rung = fitting[-1] if fitting else self.low
        timing = self.plan.probe.timing
        start = 0.0 if timing.is_frozen else timing.start
        default = next((track for track in self.plan.tracks if track.is_default), None)
        sound = None if default is None else self._joined_track(default)
        arguments = transcode.progressive_arguments(
            self._joined(rung), start, PROGRESSIVE_NAME, sound
        )
        self._run(arguments)
        self.objects.put_if_absent(f"{self.prefix}{PROGRESSIVE_NAME}", self.work / PROGRESSIVE_NAME)
        return PROGRESSIVE_NAME

    def publish_storyboard(self) -> str:
        """Publish the storyboard.

        Returns:
            The WebVTT's name; empty if there is no storyboard: the video is short or a single
            picture, or nothing could be drawn.
        """
        timing = self.plan.probe.timing
        board = storyboard.storyboard_of(self.low, timing.duration)
        if board is None or timing.is_frozen:
            return ""
        try:
            self._run(storyboard.sheet_arguments(board, self._joined(self.low), SHEET_PATTERN))
        except TranscoderError as error:  # The video is complete without it.
            LOG.warning("no preview pictures of %s: %s", self._name, error)
            return ""
        sheets = [SHEET_PATTERN % number for number in range(board.sheets)]
        if not all((self.work / sheet).exists() for sheet in sheets):
            LOG.warning("no preview pictures of %s: the transcoder drew too few", self._name)
            return ""
        (self.work / STORYBOARD_NAME).write_text(
            storyboard.cues(board, SHEET_PATTERN), encoding="utf-8"
        )
        self._publish_made(STORYBOARD_FOLDER, [STORYBOARD_NAME, *sheets])
        return f"{STORYBOARD_FOLDER}/{STORYBOARD_NAME}"

    def publish_subtitles(
        self, given: Sequence[subtitles.GivenTrack] = ()
    ) -> list[tuple[subtitles.Track, str]]:
        """Publish text tracks as WebVTT: the given ones first, then the file's own.

        Returns:
            Each track that is not empty, with its document's name.
        """
        tracks = subtitles.distinct([*given, *self._own_subtitles()])
        names = [SUBTITLE_PATTERN % track.lang for track in tracks]
        for track, name in zip(tracks, names, strict=True):
            (self.work / name).write_text(track.document, encoding="utf-8")
        if names:
            self._publish_made(SUBTITLE_FOLDER, names)
        return [
            (track, f"{SUBTITLE_FOLDER}/{name}") for track, name in zip(tracks, names, strict=True)
        ]

    def _own_subtitles(self) -> list[subtitles.GivenTrack]:
        """The file's text tracks that are not empty, read as carefully as separate files."""
        tracks = self.plan.probe.subtitles
        if not tracks:
            return []
        try:
            self._run(subtitles.track_arguments(self.source, tracks, OWN_SUBTITLE_PATTERN))
        except TranscoderError as error:  # The video is complete without them.
            LOG.warning("no subtitles of %s: %s", self._name, error)
            return []
        found = []
        for track in tracks:
            document = self.work / (OWN_SUBTITLE_PATTERN % track.index)
            try:
                text = webvtt_of(document.read_bytes() if document.is_file() else b"")
            except SubtitleError:  # A track without words.
                continue
            found.append(subtitles.GivenTrack(lang=track.lang, label=track.label, document=text))
        return found

    def _publish_made(self, folder: str, names: Sequence[str]) -> None:
        """Publish files of the job folder together, in a folder of their own."""
        draft = self._new_draft(folder)
        for name in names:
            (self.work / name).rename(draft / name)
        self.objects.put_folder(f"{self.prefix}{folder}/", draft)

    def _draft(self, folder: str = "") -> Path:
        """Where files that are published together are prepared, or a folder of it."""
        return self.work / DRAFTS / (folder or FIRST_DRAFT)

    def _new_draft(self, folder: str = "") -> Path:
        """An empty one."""
        draft = self._draft(folder)
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        return draft

    def _joined(self, rung: Rung) -> Path:
        """A published rendition as one file."""
        return self._joined_folder(rung.name, self._file(rung))

    def _joined_track(self, track: AudioTrack) -> Path:
        """A published audio track as one file."""
        return self._joined_folder(track.name, self.work / transcode.track_file(track))

    def _joined_folder(self, name: str, file: Path) -> Path:
        if not file.exists():  # An earlier import published it.
            join(stored(self.objects, f"{self.prefix}{name}/"), file)
        return file

    def _file(self, rung: Rung) -> Path:
        return self.work / transcode.rung_file(rung)

    def _package(self, rung: Rung, folder: Path) -> Rendition:
        try:
            rendition = package(self._file(rung), rung, folder)
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
