"""Making a video's sound: its gain, and several audio tracks beside the pictures."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from liuying.media import loudness, transcode
from liuying.media.audio_tracks import AudioTrack
from liuying.media.boxes import BoxError
from liuying.media.errors import DamagedError, TranscoderError, UndecodableError
from liuying.media.package import package_sound
from liuying.media.plan import Plan
from liuying.media.planned_run import PlannedRun
from liuying.media.playlists import Sound

LOG = logging.getLogger(__name__)


def gain_of_stream(run: PlannedRun, source: Path, index: int | None) -> float:
    """The gain of an audio stream in decibels.

    Args:
        run: Runs the transcoder.
        source: The operator's file.
        index: The stream's number; None where there is no sound.
    """
    if index is None:
        return 0.0
    measured = _loudness(run, source, index, with_peak=False)
    if loudness.is_too_quiet(measured):  # few are
        measured = _loudness(run, source, index, with_peak=True)
    return loudness.gain_of(measured)


def _loudness(run: PlannedRun, source: Path, index: int, *, with_peak: bool) -> loudness.Loudness:
    arguments = loudness.measure_arguments(source, index, with_peak=with_peak)
    return loudness.read_loudness(run(arguments).lines)


def make_tracks(run: PlannedRun, plan: Plan, source: Path, folder: Path) -> None:
    """Make the audio tracks beside the pictures; one that cannot be decoded is left out, unless it
    is the film's default.

    Raises:
        MediaError: The default is damaged, or the transcoder failed for another reason.
    """
    for track in plan.tracks:
        try:
            gain = gain_of_stream(run, source, track.index)
            run(transcode.track_arguments(plan, source, track, gain), folder=folder)
        except (TranscoderError, DamagedError) as error:
            if track.is_default or (isinstance(error, TranscoderError) and error.is_killed):
                raise
            _note_left_out(track, source, error)
            (folder / transcode.track_file(track)).unlink(missing_ok=True)


def package_tracks(
    plan: Plan, source: Path, folders: Sequence[Path], draft: Path, target: int
) -> list[Sound]:
    """Package the audio tracks that were made.

    Args:
        plan: The plan.
        source: The operator's file.
        folders: Where they may be; the first that has one counts.
        draft: Where their folders are made.
        target: The target duration of the pictures' playlists, in seconds.

    Raises:
        UndecodableError: Nothing is heard in the film's default.
    """
    made = []
    for track in plan.tracks:
        found = [folder / transcode.track_file(track) for folder in folders]
        file = next((one for one in found if one.exists()), None)
        try:
            if file is not None:
                made.append(package_sound(file, track, draft / track.name, target))
        except BoxError as error:
            if track.is_default:
                raise UndecodableError(track.label) from error
            _note_left_out(track, source, error)
    return made


def _note_left_out(track: AudioTrack, source: Path, error: Exception) -> None:
    LOG.warning("audio track %d of %s is left out: %s", track.number, source.name, error)
