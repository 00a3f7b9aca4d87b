"""HLS packaging (RFC 8216): segments, media playlists and our own master playlist.

The transcoder writes one fragmented file per rendition. Cutting it here gives short first segments
and measured figures: BANDWIDTH with the sound, FRAME-RATE, the true CODECS.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from liuying.media.boxes import Fragment, FragmentedFile, read_fragmented
from liuying.media.plan import Rung, segment_starts

HLS_VERSION = 7
INIT_NAME = "init.mp4"
PLAYLIST_NAME = "index.m3u8"
# Only key frames, for players that show pictures while seeking or fast-forwarding.
KEYS_NAME = "iframes.m3u8"
# A shorter last segment joins the one before: it is not worth a request.
LEAST_SEGMENT_S = 0.35


class Segment(msgspec.Struct, frozen=True):
    """A media segment: seconds and bytes."""

    duration: float
    size: int


class KeyFrame(msgspec.Struct, frozen=True, kw_only=True):
    """The location of a key frame.

    Attributes:
        name: The segment's file.
        offset: Its offset in that file.
        size: Bytes, including the fragment's header.
        duration: Seconds until the next one.
    """

    name: str
    offset: int
    size: int
    duration: float


class Rendition(msgspec.Struct, frozen=True, kw_only=True):
    """A packaged rendition, as measured.

    Attributes:
        label: `360P`.
        folder: Its folder's name, `360`.
        width: Pixels.
        height: The same.
        peak_bits: Peak bits per second, including sound (RFC 8216 §4.1).
        mean_bits: Average bits per second.
        key_peak_bits: Like `peak_bits`, for its key frames only.
        key_mean_bits: Their average.
        codecs: RFC 6381.
        frame_rate: Pictures per second.
        duration: Seconds.
        pictures: Number of pictures.
    """

    label: str
    folder: str
    width: int
    height: int
    peak_bits: int
    mean_bits: int
    key_peak_bits: int
    key_mean_bits: int
    codecs: str
    frame_rate: float
    duration: float
    pictures: int


def package(source: Path, rung: Rung, folder: Path) -> Rendition:
    """Cut a fragmented file into an HLS rendition.

    Args:
        source: The transcoder's file of this rendition.
        rung: Its place in the ladder.
        folder: An empty or new folder for `index.m3u8`, `iframes.m3u8`, `init.mp4` and
            `s00001.m4s`, …

    Raises:
        BoxError: The file is not fragmented MP4.
        OSError: The disk is full.
    """
    content = read_fragmented(source)
    groups = group(content.fragments)
    folder.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as file:
        (folder / INIT_NAME).write_bytes(file.read(content.init_bytes))
        for number, members in enumerate(groups, 1):
            file.seek(members[0].offset)
            (folder / segment_name(number)).write_bytes(file.read(sum(one.size for one in members)))
    (folder / PLAYLIST_NAME).write_text(media_playlist(_segments(groups)), encoding="utf-8")
    (folder / KEYS_NAME).write_text(key_playlist(key_frames(groups)), encoding="utf-8")
    return _measured(content, groups, rung)


def measure_rendition(source: Path, rung: Rung) -> Rendition:
    """What `package` would report about a file, without writing anything.

    Raises:
        BoxError: The file is not fragmented MP4.
    """
    content = read_fragmented(source)
    return _measured(content, group(content.fragments), rung)


def _segments(groups: Sequence[Sequence[Fragment]]) -> list[Segment]:
    return [
        Segment(sum(one.duration for one in members), sum(one.size for one in members))
        for members in groups
    ]


def key_frames(groups: Sequence[Sequence[Fragment]]) -> list[KeyFrame]:
    """The key frames of segments: every fragment begins with one."""
    return [
        KeyFrame(
            name=segment_name(number),
            offset=one.offset - members[0].offset,
            size=one.key_size,
            duration=one.duration,
        )
        for number, members in enumerate(groups, 1)
        for one in members
    ]


def _measured(
    content: FragmentedFile, groups: Sequence[Sequence[Fragment]], rung: Rung
) -> Rendition:
    segments = _segments(groups)
    keys = [Segment(one.duration, one.size) for one in key_frames(groups)]
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
    )


def segment_name(number: int) -> str:
    """The file name of a segment, counted from 1."""
    return f"s{number:05}.m4s"


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


def media_playlist(segments: Sequence[Segment]) -> str:
    """The playlist of one rendition, complete from the start."""
    lines = [
        "#EXTM3U",
        f"#EXT-X-VERSION:{HLS_VERSION}",
        f"#EXT-X-TARGETDURATION:{target_duration(segments)}",
        "#EXT-X-MEDIA-SEQUENCE:1",
        "#EXT-X-PLAYLIST-TYPE:VOD",
        "#EXT-X-INDEPENDENT-SEGMENTS",
        f'#EXT-X-MAP:URI="{INIT_NAME}"',
    ]
    for number, segment in enumerate(segments, 1):
        lines += [f"#EXTINF:{segment.duration:.5f},", segment_name(number)]
    return "\n".join([*lines, "#EXT-X-ENDLIST", ""])


def key_playlist(keys: Sequence[KeyFrame]) -> str:
    """The playlist of one rendition's key frames (RFC 8216 §4.3.3.6): byte ranges of the same
    segments.
    """
    longest = target_duration([Segment(one.duration, one.size) for one in keys])
    lines = [
        "#EXTM3U",
        f"#EXT-X-VERSION:{HLS_VERSION}",
        f"#EXT-X-TARGETDURATION:{longest}",
        "#EXT-X-MEDIA-SEQUENCE:1",
        "#EXT-X-PLAYLIST-TYPE:VOD",
        "#EXT-X-I-FRAMES-ONLY",
        f'#EXT-X-MAP:URI="{INIT_NAME}"',
    ]
    for one in keys:
        lines += [
            f"#EXTINF:{one.duration:.5f},",
            f"#EXT-X-BYTERANGE:{one.size}@{one.offset}",
            one.name,
        ]
    return "\n".join([*lines, "#EXT-X-ENDLIST", ""])


def target_duration(segments: Sequence[Segment]) -> int:
    """The maximum duration of a segment, rounded to whole seconds (RFC 8216 §4.3.3.1)."""
    return max(1, *(math.floor(segment.duration + 0.5) for segment in segments))


def mean_bits(segments: Sequence[Segment]) -> int:
    """The average segment bit rate (RFC 8216 §4.1)."""
    return math.ceil(
        sum(segment.size for segment in segments)
        * 8
        / sum(segment.duration for segment in segments)
    )


def peak_bits(segments: Sequence[Segment]) -> int:
    """The peak segment bit rate: of any run of segments lasting 0.5 to 1.5 target durations (RFC
    8216 §4.1).
    """
    target = target_duration(segments)
    peak = 0.0
    for first in range(len(segments)):
        duration, size = 0.0, 0
        for segment in segments[first:]:
            duration += segment.duration
            size += segment.size
            if duration > 1.5 * target:
                break
            if duration >= 0.5 * target:
                peak = max(peak, size * 8 / duration)
    if peak == 0.0:  # Shorter than half a target duration in total.
        peak = (
            sum(segment.size for segment in segments)
            * 8
            / sum(segment.duration for segment in segments)
        )
    return math.ceil(peak)


def master_playlist(renditions: Sequence[Rendition]) -> str:
    """All renditions, lowest first, because a player starts with the first one; then their key
    frames.
    """
    lines = ["#EXTM3U", f"#EXT-X-VERSION:{HLS_VERSION}", "#EXT-X-INDEPENDENT-SEGMENTS"]
    ordered = sorted(renditions, key=lambda one: one.peak_bits)
    for one in ordered:
        lines += [
            f"#EXT-X-STREAM-INF:BANDWIDTH={one.peak_bits},AVERAGE-BANDWIDTH={one.mean_bits},"
            f'CODECS="{one.codecs}",RESOLUTION={one.width}x{one.height},FRAME-RATE={one.frame_rate:.3f}',
            f"{one.folder}/{PLAYLIST_NAME}",
        ]
    lines += [
        f"#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH={one.key_peak_bits},AVERAGE-BANDWIDTH={one.key_mean_bits},"
        f'CODECS="{one.codecs.partition(",")[0]}",RESOLUTION={one.width}x{one.height},URI="{one.folder}/{KEYS_NAME}"'
        for one in ordered
    ]
    return "\n".join([*lines, ""])


def segments_of(playlist: str) -> list[str]:
    """The names of a media playlist's segments."""
    return [line for line in playlist.splitlines() if line and not line.startswith("#")]


def join(read: Callable[[str], bytes], target: Path) -> None:
    """Reassemble a packaged rendition from the parts that `package` cut.

    Args:
        read: Reads a file of its folder by name.

    Raises:
        OSError: A part is missing, or the disk is full.
    """
    segments = segments_of(read(PLAYLIST_NAME).decode())
    with target.open("wb") as whole:
        for name in [INIT_NAME, *segments]:
            whole.write(read(name))
