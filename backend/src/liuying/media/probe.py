"""Finding out what a file is before anything expensive or dangerous is done with it.

One pass over the packets tells more than the header: whether the file is complete, where its key
frames are, how its time runs. Only one picture is decoded, after its declared size was checked.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from liuying.kit.system_errors import reason_of
from liuying.media.audio_tracks import AudioTrack, choose_tracks
from liuying.media.errors import (
    EmptyFileError,
    NotVideoError,
    TooManyPixelsError,
    TooManyStreamsError,
    UndecodableError,
    UnreadableError,
)
from liuying.media.ffmpeg import DEMUXERS, MAX_PIXELS, MAX_STREAMS, PROBE_BYTES
from liuying.media.packet_pass import TIME_BASE, PacketPass
from liuying.media.streams import choose_video
from liuying.media.subtitles import SubtitleTrack, tracks_of
from liuying.media.timing import Timing, refuse_what_cannot_be_whole
from liuying.media.video_facts import VideoFacts, facts_of

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream

OPEN_TIMEOUT_S = 20.0
MAX_CHAPTERS = 200
# Formats with an index of key frames and a stored time for every picture, so that no reader
# guesses.
INDEXED_FORMATS = frozenset({"mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm"})
# Decoders for which a key frame resets everything; of H.264 only streams that say so
# (`has_closed_gops`).
FORGETTING_CODECS = frozenset({"hevc", "vp8", "vp9", "av1", "libdav1d"})


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that planning needs to know of a file.

    Attributes:
        video: The picture.
        audio_index: Index of the audio stream that plays first; None for a silent file.
        timing: How time runs in the picture stream.
        subtitles: Its text tracks.
        is_seekable: Decoding from any key frame gives the same pictures at the same times as from
            the start.
        chapters: Seconds from the file's start, and names as the file has them.
        audio_tracks: All audio tracks to publish, if there are several; otherwise empty.
        audio_left_out: Number of audio tracks beyond the limit.
    """

    video: VideoFacts
    audio_index: int | None
    timing: Timing
    subtitles: tuple[SubtitleTrack, ...] = ()
    is_seekable: bool = False
    chapters: tuple[tuple[float, str], ...] = ()
    audio_tracks: tuple[AudioTrack, ...] = ()
    audio_left_out: int = 0


def probe(source: Path) -> Probe:
    """Find out what a file is.

    Raises:
        MediaError: The file is refused; the subclass says why.
    """
    from av.error import FFmpegError

    try:
        size = source.stat().st_size
        if size == 0:
            raise EmptyFileError
        with _opened(source) as container:
            return _probe_container(container, size)
    except (PermissionError, FileNotFoundError, IsADirectoryError) as error:
        raise UnreadableError(reason_of(error)) from error
    except (FFmpegError, UnicodeError) as error:
        raise NotVideoError from error


def _opened(source: Path) -> InputContainer:
    import av

    return av.open(
        f"file:{source.absolute()}",
        mode="r",
        metadata_errors="replace",  # A title in a foreign encoding must not end the import.
        timeout=(OPEN_TIMEOUT_S, OPEN_TIMEOUT_S),
        options={
            "protocol_whitelist": "file",
            "format_whitelist": DEMUXERS,
            "max_streams": str(MAX_STREAMS),
            "probesize": str(PROBE_BYTES),
        },
    )


def _probe_container(container: InputContainer, size: int) -> Probe:
    if len(container.streams) > MAX_STREAMS:
        raise TooManyStreamsError(len(container.streams), MAX_STREAMS)
    stream = choose_video(list(container.streams.video))
    audio = choose_tracks(list(container.streams.audio))
    _refuse_pixels(stream)
    passed = PacketPass(container, stream)
    passed.follow([container.streams[index] for index in audio.indices])
    timing = passed.log.summary(float(stream.average_rate or stream.guessed_rate or 0))
    timing = msgspec.structs.replace(timing, has_jumps=passed.has_jumps)
    timing = passed.log.with_sound(timing)
    declared = _declared_pictures(stream, size)
    declared_end = 0.0 if container.duration is None else container.duration / TIME_BASE
    refuse_what_cannot_be_whole(timing, passed.log, declared, declared_end)
    if passed.first is None:
        raise UndecodableError(stream.codec_context.name)
    facts = facts_of(stream, passed.first, has_closed_gops=passed.has_closed_gops)
    subtitles = tracks_of(container.streams.subtitles)
    return Probe(
        video=facts,
        audio_index=audio.default,
        timing=timing,
        subtitles=subtitles,
        is_seekable=passed.is_exact and _is_indexed(container, facts),
        chapters=_chapters(container),
        audio_tracks=audio.tracks,
        audio_left_out=audio.left_out,
    )


def _chapters(container: InputContainer) -> tuple[tuple[float, str], ...]:
    origin = 0.0 if container.start_time is None else container.start_time / TIME_BASE
    found = []
    for one in container.chapters()[:MAX_CHAPTERS]:
        start = float(one["start"] * one["time_base"]) - origin if one["time_base"] else 0.0
        found.append((max(0.0, start), one["metadata"].get("title", "")))
    return tuple(found)


def _is_indexed(container: InputContainer, video: VideoFacts) -> bool:
    return (
        container.format.name in INDEXED_FORMATS
        # An unfinished recording has neither a duration nor an index: each seek would read
        # everything before it.
        and container.duration is not None
        and (video.has_closed_gops or video.codec in FORGETTING_CODECS)
    )


def _refuse_pixels(stream: VideoStream) -> None:
    context = stream.codec_context
    width, height = max(stream.width, context.coded_width), max(stream.height, context.coded_height)
    if width * height > MAX_PIXELS:
        raise TooManyPixelsError(width, height, MAX_PIXELS)
    if stream.width < 2 or stream.height < 2:
        raise UndecodableError(context.name)


def _declared_pictures(stream: VideoStream, size: int) -> int:
    """Number of pictures that the index promises; 0 if the file is long enough for all of them.

    The count in the header is not used, since edit lists leave out pictures on purpose.
    """
    entries = stream.index_entries
    count = len(entries)
    if count == 0 or entries[count - 1].pos + entries[count - 1].size <= size:
        return 0
    return count
