"""Packaging: a transcoder's file becomes a published rendition.

The transcoder writes one fragmented file per rendition, and it is published as it is: playlists
name ranges of it. Finding the ranges here gives short first segments and measured figures:
BANDWIDTH with the sound, FRAME-RATE, the true CODECS.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from liuying.media.audio_tracks import AudioTrack
from liuying.media.boxes import Fragment, FragmentedFile, read_fragmented
from liuying.media.ladder import Rung
from liuying.media.playlists import (
    KEYS_NAME,
    PLAYLIST_NAME,
    Rendition,
    Sound,
    key_playlist,
    media_playlist,
)
from liuying.media.segment_times import segment_starts
from liuying.media.segments import KeyFrame, Segment, mean_bits, peak_bits, target_duration

# A shorter last segment joins the one before: it is not worth a request.
LEAST_SEGMENT_S = 0.35
# Digits of a rendition's file name: every segment's lines in a playlist repeat them.
NAME_DIGITS = 6
COPY_BYTES = 1024 * 1024


def package(source: Path, rung: Rung, folder: Path) -> Rendition:
    """Make a fragmented file an HLS rendition.

    Args:
        source: The transcoder's file of this rendition; only read.
        rung: Its place in the ladder.
        folder: An empty or new folder for `index.m3u8`, `iframes.m3u8` and the rendition's file.

    Raises:
        BoxError: The file is not fragmented MP4.
        OSError: The disk is full.
    """
    content = read_fragmented(source)
    groups = group(content.fragments)
    name = _publishable(source, folder)
    start = content.init_bytes
    playlist = media_playlist(name, start, _segments(groups))
    (folder / PLAYLIST_NAME).write_text(playlist, encoding="utf-8")
    keys = key_playlist(name, start, key_frames(content.fragments))
    (folder / KEYS_NAME).write_text(keys, encoding="utf-8")
    return _measured(content, groups, rung)


def package_sound(source: Path, track: AudioTrack, folder: Path, target: int = 0) -> Sound:
    """Make a fragmented file of sound an HLS rendition.

    Args:
        source: The transcoder's file of this track; only read.
        track: Which one.
        folder: An empty or new folder, for the same files as of a rendition but key frames.
        target: The target duration of the pictures' playlists, in seconds: a master playlist's
            playlists have the same (RFC 8216 §6.2.4).

    Raises:
        BoxError: The file is not fragmented MP4.
        OSError: The disk is full.
    """
    content = read_fragmented(source)
    segments = _segments(group(content.fragments))
    name = _publishable(source, folder)
    playlist = media_playlist(name, content.init_bytes, segments, target)
    (folder / PLAYLIST_NAME).write_text(playlist, encoding="utf-8")
    return _measured_sound(content, track)


def measure_rendition(source: Path, rung: Rung) -> Rendition:
    """What `package` would report about a file, without writing anything.

    Raises:
        BoxError: The file is not fragmented MP4.
    """
    content = read_fragmented(source)
    return _measured(content, group(content.fragments), rung)


def measure_sound(source: Path, track: AudioTrack) -> Sound:
    """What `package_sound` would report about a file, without writing anything.

    Raises:
        BoxError: The file is not fragmented MP4.
    """
    return _measured_sound(read_fragmented(source), track)


def _publishable(source: Path, folder: Path) -> str:
    """Copy a file under a name that follows from its content.

    Two machines may encode one rendition, each believing that the other is gone. Playlists of the
    one then never name ranges of the other's file: no store refuses the later of two large files.

    Returns:
        The name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / "draft"
    digest = hashlib.sha256()
    with source.open("rb") as file, draft.open("wb") as copy:
        while data := file.read(COPY_BYTES):
            digest.update(data)
            copy.write(data)
    name = f"{digest.hexdigest()[:NAME_DIGITS]}.mp4"
    draft.rename(folder / name)
    return name


def group(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    """Fragments (one per key frame) grouped into segments of the planned lengths."""
    starts = set(segment_starts([fragment.start for fragment in fragments]))
    groups: list[list[Fragment]] = []
    for fragment in fragments:
        if fragment.start in starts or not groups:
            groups.append([])
        groups[-1].append(fragment)
    if len(groups) > 1 and sum(fragment.duration for fragment in groups[-1]) < LEAST_SEGMENT_S:
        last = groups.pop()
        groups[-1] += last
    return groups


def key_frames(fragments: Sequence[Fragment]) -> list[KeyFrame]:
    """Every fragment begins with a key frame."""
    return [
        KeyFrame(offset=one.offset, size=one.key_size, duration=one.duration) for one in fragments
    ]


def _segments(groups: Sequence[Sequence[Fragment]]) -> list[Segment]:
    return [
        Segment(sum(one.duration for one in members), sum(one.size for one in members))
        for members in groups
    ]


def _measured(
    content: FragmentedFile, groups: Sequence[Sequence[Fragment]], rung: Rung
) -> Rendition:
    segments = _segments(groups)
    keys = [Segment(one.duration, one.size) for one in key_frames(content.fragments)]
    duration = sum(segment.duration for segment in segments)
    pictures = sum(fragment.pictures for fragment in content.fragments)
    return Rendition(
        label=rung.label,
        folder=rung.name,
        width=rung.width,
        height=rung.height,
        peak_bits=peak_bits(segments),
        mean_bits=mean_bits(segments),
        key_peak_bits=peak_bits(keys),
        key_mean_bits=mean_bits(keys),
        codecs=content.codecs,
        frame_rate=pictures / duration,
        duration=duration,
        pictures=pictures,
        target=target_duration(segments),
    )


def _measured_sound(content: FragmentedFile, track: AudioTrack) -> Sound:
    segments = _segments(group(content.fragments))
    return Sound(
        track=track,
        peak_bits=peak_bits(segments),
        mean_bits=mean_bits(segments),
        codecs=content.codecs,
    )
