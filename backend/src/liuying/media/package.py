"""HLS packaging (RFC 8216): segments, media playlists and our own master playlist.

The transcoder writes one fragmented file per rendition. Cutting it here gives short first segments
and measured figures: BANDWIDTH with the sound, FRAME-RATE, the true CODECS.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from liuying.media.audio_tracks import AudioTrack
from liuying.media.boxes import Fragment, FragmentedFile, read_fragmented
from liuying.media.plan import Rung, segment_starts

HLS_VERSION = 7
INIT_NAME = "init.mp4"
PLAYLIST_NAME = "index.m3u8"
# Only key frames, for players that show pictures while seeking or fast-forwarding.
KEYS_NAME = "iframes.m3u8"
# Of a rendition without sound of its own: a master playlist of it and of the audio tracks, for
# players that are given one rendition.
WITH_SOUND_NAME = "master.m3u8"
SOUND_GROUP = "sound"
# As they are published (`media.transcode`).
CHANNELS = 2
DESCRIBES_VIDEO = "public.accessibility.describes-video"
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
        target: The target duration of its playlist, in seconds.
        playlist: The name of the playlist in its folder that plays picture and sound.
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
    target: int = 0
    playlist: str = PLAYLIST_NAME


class Sound(msgspec.Struct, frozen=True, kw_only=True):
    """A packaged audio track, as measured.

    Attributes:
        track: Which one.
        peak_bits: Peak bits per second.
        mean_bits: Average bits per second.
        codecs: RFC 6381.
    """

    track: AudioTrack
    peak_bits: int
    mean_bits: int
    codecs: str


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
    _cut(source, content, groups, folder)
    (folder / PLAYLIST_NAME).write_text(media_playlist(_segments(groups)), encoding="utf-8")
    (folder / KEYS_NAME).write_text(key_playlist(key_frames(groups)), encoding="utf-8")
    return _measured(content, groups, rung)


def package_sound(source: Path, track: AudioTrack, folder: Path, target: int = 0) -> Sound:
    """Cut a fragmented file of sound into an HLS rendition.

    Args:
        source: The transcoder's file of this track.
        track: Which one.
        folder: An empty or new folder, for the same files as of a rendition but key frames.
        target: The target duration of the pictures' playlists, in seconds: a master playlist's
            playlists have the same (RFC 8216 §6.2.4).

    Raises:
        BoxError: The file is not fragmented MP4.
        OSError: The disk is full.
    """
    content = read_fragmented(source)
    groups = group(content.fragments)
    _cut(source, content, groups, folder)
    segments = _segments(groups)
    (folder / PLAYLIST_NAME).write_text(media_playlist(segments, target), encoding="utf-8")
    return _measured_sound(content, track)


def measure_sound(source: Path, track: AudioTrack) -> Sound:
    """What `package_sound` would report about a file, without writing anything.

    Raises:
        BoxError: The file is not fragmented MP4.
    """
    return _measured_sound(read_fragmented(source), track)


def _measured_sound(content: FragmentedFile, track: AudioTrack) -> Sound:
    segments = _segments(group(content.fragments))
    return Sound(
        track=track,
        peak_bits=peak_bits(segments),
        mean_bits=mean_bits(segments),
        codecs=content.codecs,
    )


def _cut(
    source: Path, content: FragmentedFile, groups: Sequence[Sequence[Fragment]], folder: Path
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as file:
        (folder / INIT_NAME).write_bytes(file.read(content.init_bytes))
        for number, members in enumerate(groups, 1):
            file.seek(members[0].offset)
            (folder / segment_name(number)).write_bytes(file.read(sum(one.size for one in members)))


def beside_sounds(rendition: Rendition, sounds: Sequence[Sound]) -> Rendition:
    """A rendition of pictures, as it is played together with one of several audio tracks."""
    if not sounds:
        return rendition
    return msgspec.structs.replace(
        rendition,
        peak_bits=rendition.peak_bits + max(one.peak_bits for one in sounds),
        mean_bits=rendition.mean_bits + max(one.mean_bits for one in sounds),
        codecs=",".join(dict.fromkeys([rendition.codecs, *(one.codecs for one in sounds)])),
        playlist=WITH_SOUND_NAME,
    )


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
        target=target_duration(segments),
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


def media_playlist(segments: Sequence[Segment], target: int = 0) -> str:
    """The playlist of one rendition, complete from the start.

    Args:
        target: The least target duration, in seconds.
    """
    lines = [
        "#EXTM3U",
        f"#EXT-X-VERSION:{HLS_VERSION}",
        f"#EXT-X-TARGETDURATION:{max(target, target_duration(segments))}",
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


def master_playlist(renditions: Sequence[Rendition], sounds: Sequence[Sound] = ()) -> str:
    """All renditions, lowest first, because a player starts with the first one; then their key
    frames.

    Args:
        renditions: As they are played with a sound.
        sounds: The audio tracks beside them; none if they contain their sound, or are silent.
    """
    return _master(renditions, sounds, "")


def master_of_one(rendition: Rendition, sounds: Sequence[Sound]) -> str:
    """The master playlist in a rendition's own folder: it alone, with all audio tracks."""
    return _master([msgspec.structs.replace(rendition, folder="")], sounds, "../")


def _master(renditions: Sequence[Rendition], sounds: Sequence[Sound], root: str) -> str:
    lines = ["#EXTM3U", f"#EXT-X-VERSION:{HLS_VERSION}", "#EXT-X-INDEPENDENT-SEGMENTS"]
    lines += _sound_lines(sounds, root)
    group_of = f',AUDIO="{SOUND_GROUP}"' if sounds else ""
    ordered = sorted(renditions, key=lambda one: one.peak_bits)
    for one in ordered:
        lines += [
            f"#EXT-X-STREAM-INF:BANDWIDTH={one.peak_bits},AVERAGE-BANDWIDTH={one.mean_bits},"
            f'CODECS="{one.codecs}",RESOLUTION={one.width}x{one.height},FRAME-RATE={one.frame_rate:.3f}'
            f"{group_of}",
            _within(one.folder, PLAYLIST_NAME),
        ]
    lines += [
        f"#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH={one.key_peak_bits},AVERAGE-BANDWIDTH={one.key_mean_bits},"
        f'CODECS="{one.codecs.partition(",")[0]}",RESOLUTION={one.width}x{one.height},'
        f'URI="{_within(one.folder, KEYS_NAME)}"'
        for one in ordered
    ]
    return "\n".join([*lines, ""])


def _within(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _sound_lines(sounds: Sequence[Sound], root: str) -> list[str]:
    """The audio tracks (RFC 8216 §4.3.4.1). A player may choose one by the system's language if no
    other has the same.
    """
    lines = []
    known = {one.track.lang.partition("-x-")[0] for one in sounds if one.track.is_default}
    for one in sounds:
        track = one.track
        lang, _, private = track.lang.partition("-x-")
        is_known = lang != "und"
        # A default must be open to choice by itself.
        may_choose = track.is_default or (is_known and lang not in known and not track.is_side)
        known |= {lang} if may_choose else set()
        # The private part tells tracks of one language apart, and remembers the choice.
        attributes = {
            "GROUP-ID": f'"{SOUND_GROUP}"',
            "NAME": f'"{track.label}"',
            "LANGUAGE": f'"{track.lang}"' if is_known or private else "",
            "DEFAULT": "YES" if track.is_default else "NO",
            "AUTOSELECT": "YES" if may_choose else "NO",
            "CHARACTERISTICS": f'"{DESCRIBES_VIDEO}"' if private.startswith("d") else "",
            "CHANNELS": f'"{CHANNELS}"',
            "URI": f'"{root}{track.name}/{PLAYLIST_NAME}"',
        }
        said = ",".join(f"{name}={value}" for name, value in attributes.items() if value)
        lines.append(f"#EXT-X-MEDIA:TYPE=AUDIO,{said}")
    return lines


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
