"""Making and publishing what accompanies a complete ladder: the progressive MP4, the storyboard and
subtitles.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from liuying.media import storyboard, subtitles, transcode
from liuying.media.errors import TranscoderError
from liuying.media.job_files import JobFiles
from liuying.media.plan import Plan
from liuying.media.planned_run import PlannedRun
from liuying.media.webvtt import SubtitleError, webvtt_of

LOG = logging.getLogger(__name__)
PROGRESSIVE_NAME = "play.mp4"
PROGRESSIVE_SIDE = 540
SUBTITLE_FOLDER, SUBTITLE_PATTERN, OWN_SUBTITLE_PATTERN = "subtitles", "%s.vtt", "track%d.vtt"
STORYBOARD_FOLDER, STORYBOARD_NAME, SHEET_PATTERN = "storyboard", "index.vtt", "%d.jpg"


def publish_progressive(plan: Plan, files: JobFiles) -> str:
    """Publish the progressive MP4 for the short feed.

    Returns:
        Its name.

    Raises:
        MediaError: The transcoder failed.
    """
    fitting = [rung for rung in plan.rungs if rung.short_side <= PROGRESSIVE_SIDE]
    rung = fitting[-1] if fitting else plan.rungs[0]
    timing = plan.probe.timing
    start = 0.0 if timing.is_frozen else timing.start
    default = next((track for track in plan.tracks if track.is_default), None)
    sound = None if default is None else files.joined_track(default)
    joined = files.joined(rung)
    _run(plan, files, transcode.progressive_arguments(joined, start, PROGRESSIVE_NAME, sound))
    files.objects.put_if_absent(f"{files.prefix}{PROGRESSIVE_NAME}", files.work / PROGRESSIVE_NAME)
    return PROGRESSIVE_NAME


def publish_storyboard(plan: Plan, files: JobFiles) -> str:
    """Publish the storyboard.

    Returns:
        The WebVTT's name; empty if there is no storyboard: the video is short or a single
        picture, or nothing could be drawn.
    """
    low, timing = plan.rungs[0], plan.probe.timing
    board = storyboard.storyboard_of(low, timing.duration)
    if board is None or timing.is_frozen:
        return ""
    try:
        _run(plan, files, storyboard.sheet_arguments(board, files.joined(low), SHEET_PATTERN))
    except TranscoderError as error:  # The video is complete without it.
        LOG.warning("no preview pictures of %s: %s", files.name, error)
        return ""
    sheets = [SHEET_PATTERN % number for number in range(board.sheets)]
    if not all((files.work / sheet).exists() for sheet in sheets):
        LOG.warning("no preview pictures of %s: the transcoder drew too few", files.name)
        return ""
    text = storyboard.cues(board, SHEET_PATTERN)
    (files.work / STORYBOARD_NAME).write_text(text, encoding="utf-8")
    files.publish_together(STORYBOARD_FOLDER, [STORYBOARD_NAME, *sheets])
    return f"{STORYBOARD_FOLDER}/{STORYBOARD_NAME}"


def publish_subtitles(
    plan: Plan, source: Path, files: JobFiles, given: Sequence[subtitles.GivenTrack] = ()
) -> list[tuple[subtitles.Track, str]]:
    """Publish text tracks as WebVTT: the given ones first, then the file's own.

    Returns:
        Each track that is not empty, with its document's name.
    """
    tracks = subtitles.distinct([*given, *_own_subtitles(plan, source, files)])
    names = [SUBTITLE_PATTERN % track.lang for track in tracks]
    for track, name in zip(tracks, names, strict=True):
        (files.work / name).write_text(track.document, encoding="utf-8")
    if names:
        files.publish_together(SUBTITLE_FOLDER, names)
    return [(track, f"{SUBTITLE_FOLDER}/{name}") for track, name in zip(tracks, names, strict=True)]


def _own_subtitles(plan: Plan, source: Path, files: JobFiles) -> list[subtitles.GivenTrack]:
    """The file's text tracks that are not empty, read as carefully as separate files."""
    tracks = plan.probe.subtitles
    if not tracks:
        return []
    try:
        _run(plan, files, subtitles.track_arguments(source, tracks, OWN_SUBTITLE_PATTERN))
    except TranscoderError as error:  # The video is complete without them.
        LOG.warning("no subtitles of %s: %s", files.name, error)
        return []
    found = []
    for track in tracks:
        document = files.work / (OWN_SUBTITLE_PATTERN % track.index)
        try:
            text = webvtt_of(document.read_bytes() if document.is_file() else b"")
        except SubtitleError:  # A track without words.
            continue
        found.append(subtitles.GivenTrack(lang=track.lang, label=track.label, document=text))
    return found


def _run(plan: Plan, files: JobFiles, arguments: list[str]) -> None:
    PlannedRun(plan=plan, work=files.work)(arguments)
