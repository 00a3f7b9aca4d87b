"""Whether what was published keeps the rules of HLS and agrees with its own bytes.

The playlists are read by a third party's parser, the bytes by a reader of its own: nothing here is
what made them.
"""

from __future__ import annotations

import math
from contextlib import suppress
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import av.error
import m3u8  # type: ignore[import-untyped]  # the package ships no types
import msgspec

from tests.media.fragment_reader import Piece, TrackHead, pieces_of, track_heads, video_pieces

# EXTINF and FRAME-RATE are written with so many decimals.
DURATION_DIGITS, RATE_DIGITS = 5, 3
MAX_AV_OFFSET_S = 0.04


class RungFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the bytes of a rendition say."""

    name: str
    cuts: list[float]
    rate: float
    size: tuple[int, int]


def faults_of(
    master_path: Path, size: tuple[int, int] | None = None, rate: float | None = None
) -> list[str]:
    """Every rule that a published video breaks; empty where it keeps them all.

    Args:
        master_path: Its master playlist.
        size: The source's, upright; None where unknown.
        rate: The source's pictures a second.
    """
    master = m3u8.load(str(master_path))
    faults = [] if master.is_variant else ["master: no variants"]
    if [one.iframe_stream_info.resolution for one in master.iframe_playlists] != [
        one.stream_info.resolution for one in master.playlists
    ]:
        faults.append("master: not one playlist of key frames for each rendition")
    rungs = []
    sounds = [master_path.parent / one.uri for one in master.media]
    faults += _check_choice(master)
    for variant in master.playlists:
        path = master_path.parent / variant.uri
        found, rung = _check_rendition(path, variant.stream_info, sounds)
        faults += [fault for sound in sounds for fault in _check_sound(sound, path)]
        faults += found
        rungs.append(rung)
    for keys in master.iframe_playlists:
        faults += _check_keys(master_path.parent / keys.uri, keys.iframe_stream_info)
    faults += _check_alignment(rungs)
    for rung in rungs:
        if size and (min(rung.size) > min(size) or max(rung.size) > max(size) + 1):
            faults.append(f"{rung.name}: {rung.size} is larger than the source")
        if rate and rung.rate > max(rate, 8.0) * 1.01:
            faults.append(f"{rung.name}: {rung.rate:.3f} pictures a second, the source has {rate}")
    return faults


def first_shown(playlist_path: Path) -> float:
    """When a rendition's first picture is shown, in seconds on its own clock."""
    playlist = m3u8.load(str(playlist_path))
    heads = track_heads(_init_of(playlist_path, playlist))
    segment = _contents_of(playlist_path, playlist)[0]
    return next(piece.shown for _, piece in video_pieces(segment, heads))


def track_spans(playlist_path: Path) -> dict[str, tuple[float, float]]:
    """When `video` and `audio` of a rendition begin and end, in seconds on its own clock."""
    playlist = m3u8.load(str(playlist_path))
    heads = track_heads(_init_of(playlist_path, playlist))
    spans: dict[str, tuple[float, float]] = {}
    for content in _contents_of(playlist_path, playlist):
        for piece in pieces_of(content, heads):
            kind = "video" if heads[piece.track].is_video else "audio"
            begin, end = spans.get(kind, (piece.shown, 0.0))
            spans[kind] = (min(begin, piece.shown), max(end, piece.decoded + piece.duration))
    return spans


def _init_of(path: Path, playlist: Any) -> bytes:
    """The bytes of the initialization section."""
    one = playlist.segment_map[0]
    content: bytes = (path.parent / one.uri).read_bytes()
    size, _, offset = (one.byterange or f"{len(content)}@0").partition("@")
    return content[int(offset) :][: int(size)]


def _contents_of(path: Path, playlist: Any) -> list[bytes]:
    """The bytes of each segment: a file, or a range of one (RFC 8216 §4.3.2.2)."""
    contents: list[bytes] = []
    ends: dict[str, int] = {}
    for one in playlist.segments:
        content = (path.parent / one.uri).read_bytes()
        size, _, offset = (one.byterange or f"{len(content)}@0").partition("@")
        begin = int(offset) if offset else ends[one.uri]
        ends[one.uri] = begin + int(size)
        assert ends[one.uri] <= len(content), f"{one.uri} ends before {ends[one.uri]}"
        contents.append(content[begin : ends[one.uri]])
    return contents


def _check_choice(master: Any) -> list[str]:
    """One group of audio tracks, or none, for all renditions (RFC 8216 §4.3.4.1, §4.3.4.2)."""
    groups = {one.group_id for one in master.media if one.type == "AUDIO"}
    faults = []
    if {variant.stream_info.audio for variant in master.playlists} != (groups or {None}):
        faults.append("master: a variant's AUDIO is not the group")
    if len({one.name for one in master.media}) != len(master.media):
        faults.append("master: audio tracks of one NAME")
    chosen = [one.language for one in master.media if one.autoselect == "YES"]
    if len(set(chosen)) != len(chosen):
        faults.append("master: AUTOSELECT of two tracks of one LANGUAGE")
    if master.media and [one.default for one in master.media].count("YES") != 1:
        faults.append("master: not one DEFAULT")
    if any(one.default == "YES" and one.autoselect != "YES" for one in master.media):
        faults.append("master: a DEFAULT without AUTOSELECT")
    return faults


def _check_sound(path: Path, beside: Path) -> list[str]:
    """An audio track's playlist is as long as the pictures', and promises the same."""
    playlist, pictures = m3u8.load(str(path)), m3u8.load(str(beside))
    heads = track_heads(_init_of(path, playlist))
    contents = _contents_of(path, playlist)
    durations = [sum(one.duration for one in pieces_of(content, heads)) for content in contents]
    faults = _check_media_playlist(playlist, durations)
    if any(head.is_video for head in heads.values()):
        faults.append("a picture among the sound")
    if playlist.target_duration != pictures.target_duration:
        faults.append(f"TARGETDURATION {playlist.target_duration}, {pictures.target_duration}")
    lengths = [sum(one.duration for one in each.segments) for each in (playlist, pictures)]
    # The encoder's priming comes before the film, and its last frame may end after it.
    if abs(lengths[0] - lengths[1]) > MAX_AV_OFFSET_S + 0.01:
        faults.append(f"lasts {lengths[0]}, the pictures last {lengths[1]}")
    return [f"{path.parent.name}: {fault}" for fault in faults]


def _check_rendition(path: Path, said: Any, sounds: list[Path]) -> tuple[list[str], RungFacts]:
    playlist = m3u8.load(str(path))
    name = path.parent.name
    init = _init_of(path, playlist)
    contents = _contents_of(path, playlist)
    heads = track_heads(init)
    pieces = [list(pieces_of(content, heads)) for content in contents]
    video = next(number for number, head in heads.items() if head.is_video)
    durations = [sum(one.duration for one in found if one.track == video) for found in pieces]
    faults = _check_media_playlist(playlist, durations) + _check_times(pieces, heads, video)
    pictures = sum(one.samples for found in pieces for one in found if one.track == video)
    rate = pictures / sum(durations)
    faults += _check_figures(playlist, [len(content) for content in contents], said, sounds)
    if not math.isclose(said.frame_rate, rate, abs_tol=0.6 * 10**-RATE_DIGITS):
        faults.append(f"FRAME-RATE {said.frame_rate}, it is {rate}")
    codecs, size, decoded = _decoded(init + b"".join(contents))
    codecs += ",mp4a.40.2" if sounds else ""
    if (said.codecs, said.resolution, decoded) != (codecs, size, pictures):
        faults.append(
            f"CODECS, RESOLUTION, pictures: {(said.codecs, said.resolution, pictures)}, "
            f"{(codecs, size, decoded)}"
        )
    cuts = [next(one.shown for one in found if one.track == video) for found in pieces]
    return [f"{name}: {fault}" for fault in faults], RungFacts(
        name=name, cuts=cuts, rate=rate, size=size
    )


def _check_media_playlist(playlist: Any, durations: list[float]) -> list[str]:
    faults = []
    said = [segment.duration for segment in playlist.segments]
    if any(
        abs(one - true) > 10**-DURATION_DIGITS for one, true in zip(said, durations, strict=True)
    ):
        faults.append(f"EXTINF {said}, they last {durations}")
    if playlist.target_duration < max(math.floor(one + 0.5) for one in durations):
        faults.append(f"TARGETDURATION {playlist.target_duration} is exceeded")
    if not playlist.is_endlist or playlist.playlist_type != "vod":
        faults.append("no complete VOD playlist")
    return faults


def _check_times(pieces: list[list[Piece]], heads: dict[int, TrackHead], video: int) -> list[str]:
    """tfdt without holes, segments that begin with key frames, picture and sound that begin and end
    together.
    """
    faults = [
        "a fragment does not begin with a key frame"
        for found in pieces
        if not all(one.begins_with_key for one in found if one.track == video)
    ]
    for number, head in heads.items():
        own = [one for found in pieces for one in found if one.track == number]
        for before, after in pairwise(own):
            if abs(before.decoded + before.duration - after.decoded) > 1.01 / head.timescale:
                faults.append(
                    f"tfdt of track {number}: {before.decoded + before.duration} → {after.decoded}"
                )
    starts = {
        number: min(one.shown for one in pieces[0] if one.track == number) for number in heads
    }
    # Sound begins with the file, the picture when it does in the source; neither before.
    if min(starts.values()) < -MAX_AV_OFFSET_S or starts[video] < 0:
        faults.append(f"begins before the start: {starts}")
    return faults


def _figures(playlist: Any, sizes: list[int]) -> tuple[float, float]:
    durations = [segment.duration for segment in playlist.segments]
    target, peak = playlist.target_duration, 0.0
    mean = sum(sizes) * 8 / sum(durations)
    for first in range(len(sizes)):
        for last in range(first + 1, len(sizes) + 1):
            seconds = sum(durations[first:last])
            if seconds > 1.5 * target:
                break
            if seconds >= 0.5 * target:
                peak = max(peak, sum(sizes[first:last]) * 8 / seconds)
    return peak or mean, mean


def _check_figures(
    playlist: Any, sizes: list[int], said: Any, sounds: list[Path] | None = None
) -> list[str]:
    """BANDWIDTH and AVERAGE-BANDWIDTH as RFC 8216 §4.1 defines them, from the bytes; with the
    largest of the audio tracks.
    """
    peak, mean = _figures(playlist, sizes)
    heard = []
    for path in sounds or ():
        own = m3u8.load(str(path))
        sizes = [len(content) for content in _contents_of(path, own)]
        heard.append(_figures(own, sizes))
    peak += max((one[0] for one in heard), default=0)
    mean += max((one[1] for one in heard), default=0)
    faults = []
    if not peak * 0.999 <= said.bandwidth <= peak * 1.001 + 1:
        faults.append(f"BANDWIDTH {said.bandwidth}, it is {peak}")
    if not mean * 0.999 <= said.average_bandwidth <= mean * 1.001 + 1:
        faults.append(f"AVERAGE-BANDWIDTH {said.average_bandwidth}, it is {mean}")
    return faults


def _check_keys(path: Path, said: Any) -> list[str]:
    """Key frames: each range is a fragment to the end of its first picture, and together they last
    as the video.
    """
    playlist = m3u8.load(str(path))
    init = _init_of(path, playlist)
    heads = track_heads(init)
    faults = [] if playlist.is_i_frames_only else ["no EXT-X-I-FRAMES-ONLY"]
    sizes, expected = [], []
    for name in dict.fromkeys(segment.uri for segment in playlist.segments):
        content = (path.parent / name).read_bytes()
        for offset, piece in video_pieces(content, heads):
            expected.append((name, f"{piece.first_end}@{offset}", piece.duration))
    if len(expected) != len(playlist.segments):
        faults.append(f"{len(playlist.segments)} key frames, there are {len(expected)}")
    for segment, (name, place, seconds) in zip(playlist.segments, expected, strict=False):
        if (segment.uri, segment.byterange) != (name, place) or abs(
            segment.duration - seconds
        ) > 10**-DURATION_DIGITS:
            faults.append(
                f"{segment.uri} {segment.byterange} {segment.duration}, it is {name} {place} "
                f"{seconds}"
            )
        size, offset = map(int, segment.byterange.split("@"))
        sizes.append(size)
        part = (path.parent / segment.uri).read_bytes()[offset : offset + size]
        if _decoded(init + part)[1:] != (said.resolution, 1):
            faults.append(f"{segment.uri} {segment.byterange} is not one picture")
    if playlist.target_duration < max(
        math.floor(segment.duration + 0.5) for segment in playlist.segments
    ):
        faults.append(f"TARGETDURATION {playlist.target_duration} is exceeded")
    if said.codecs != _decoded(init + part)[0].split(",")[0]:
        faults.append(f"CODECS {said.codecs}")
    faults += _check_figures(playlist, sizes, said)
    return [f"{path.parent.name}, key frames: {fault}" for fault in faults]


def _check_alignment(rungs: list[RungFacts]) -> list[str]:
    """A player changes rungs where a segment begins: the coarser rung's cuts are also the finer
    one's.
    """
    faults = []
    for one, other in pairwise(rungs):
        fine, coarse = (one, other) if len(one.cuts) >= len(other.cuts) else (other, one)
        slack = 1 / min(one.rate, other.rate)
        lost = [cut for cut in coarse.cuts if min(abs(cut - found) for found in fine.cuts) > slack]
        if lost:
            faults.append(f"{coarse.name} is cut at {lost}, {fine.name} is not")
    return faults


def _decoded(content: bytes) -> tuple[str, tuple[int, int], int]:
    """RFC 6381 codecs, size, and number of pictures by another reader."""
    with av.open(BytesIO(content), mode="r") as container:
        stream = container.streams.video[0]
        codecs = [f"avc1.{bytes(stream.codec_context.extradata or b'')[1:4].hex()}"]
        codecs += [
            "mp4a.40.2" for one in container.streams.audio if one.codec_context.profile == "LC"
        ]
        stream.thread_type = "AUTO"
        frames = []
        with suppress(av.error.InvalidDataError):  # what follows is missing in the count
            frames += [(frame.width, frame.height) for frame in container.decode(stream)]
    return ",".join(codecs), frames[0] if frames else (0, 0), len(frames)
