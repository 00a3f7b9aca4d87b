"""The playlists that we write (RFC 8216).

A rendition is one fragmented file: its initialization section and its segments are byte ranges of
it (docs/decisions/0030-one-file-a-rendition.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from liuying.media.audio_tracks import AudioTrack
from liuying.media.segments import KeyFrame, Segment, target_duration

HLS_VERSION = 7
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


def media_playlist(name: str, init_bytes: int, segments: Sequence[Segment], target: int = 0) -> str:
    """The playlist of one rendition, complete from the start.

    Every viewer fetches it before the first picture, and a long film has thousands of segments: no
    line says more than it must. A range without an offset follows the one before it (§4.3.2.2).

    Args:
        name: The rendition's file.
        init_bytes: Size of its initialization section, which the segments follow without gaps.
        target: The least target duration, in seconds.
    """
    lines = [
        *_opening(max(target, target_duration(segments))),
        "#EXT-X-INDEPENDENT-SEGMENTS",
        _map(name, init_bytes),
    ]
    place = f"@{init_bytes}"
    for segment in segments:
        lines += [_lasting(segment.duration), f"#EXT-X-BYTERANGE:{segment.size}{place}", name]
        place = ""
    return "\n".join([*lines, "#EXT-X-ENDLIST", ""])


def key_playlist(name: str, init_bytes: int, keys: Sequence[KeyFrame]) -> str:
    """The playlist of one rendition's key frames (§4.3.3.6): smaller ranges of the same file.

    Args:
        name: The rendition's file.
        init_bytes: Size of its initialization section.
    """
    longest = target_duration([Segment(one.duration, one.size) for one in keys])
    lines = [*_opening(longest), "#EXT-X-I-FRAMES-ONLY", _map(name, init_bytes)]
    for one in keys:
        lines += [_lasting(one.duration), f"#EXT-X-BYTERANGE:{one.size}@{one.offset}", name]
    return "\n".join([*lines, "#EXT-X-ENDLIST", ""])


def _opening(target: int) -> list[str]:
    return [
        "#EXTM3U",
        f"#EXT-X-VERSION:{HLS_VERSION}",
        f"#EXT-X-TARGETDURATION:{target}",
        "#EXT-X-MEDIA-SEQUENCE:1",
        "#EXT-X-PLAYLIST-TYPE:VOD",
    ]


def _map(name: str, init_bytes: int) -> str:
    return f'#EXT-X-MAP:URI="{name}",BYTERANGE="{init_bytes}@0"'


def _lasting(duration: float) -> str:
    """Seconds to a hundred-thousandth, without zeros at the end."""
    return f"#EXTINF:{f'{duration:.5f}'.rstrip('0').rstrip('.')},"


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
