"""Reading fragmented MP4 files that our own transcoder wrote (ISO/IEC 14496-12 §8.8)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import msgspec

# Flags of a track fragment header (§8.8.7) and of a run of samples (§8.8.8).
TFHD_BASE, TFHD_DESCRIPTION, TFHD_DURATION, TFHD_SIZE = 0x01, 0x02, 0x08, 0x10
TRUN_OFFSET, TRUN_FIRST_FLAGS = 0x01, 0x04
TRUN_FIELDS = {0x100: 4, 0x200: 4, 0x400: 4, 0x800: 4}
TRUN_DURATION, TRUN_SIZE = 0x100, 0x200
# Size of a visual sample entry before its first child (§12.1.3), and of the sample table's own
# header.
VISUAL_ENTRY_BYTES = 78
STSD_HEADER_BYTES = 8
CONTAINERS = frozenset({b"moov", b"trak", b"mdia", b"minf", b"stbl"})


class BoxError(Exception):
    """The file does not have the form that our transcoder writes."""


class Fragment(msgspec.Struct, frozen=True, kw_only=True):
    """One `moof` with its `mdat`, beginning with a key frame; of a file without pictures, with any
    frame of sound.

    Attributes:
        offset: Where it begins in the file.
        size: Bytes of both.
        start: Decode time of its first picture, in seconds.
        duration: Seconds of its pictures.
        pictures: Their number; of a file without pictures, that of its audio frames.
        key_size: Bytes from its start to the end of its first picture.
    """

    offset: int
    size: int
    start: float
    duration: float
    pictures: int
    key_size: int


class FragmentedFile(msgspec.Struct, frozen=True, kw_only=True):
    """The structure of a fragmented file.

    Attributes:
        init_bytes: Size of the part before the first fragment.
        codecs: RFC 6381, picture first.
        fragments: In order.
    """

    init_bytes: int
    codecs: str
    fragments: tuple[Fragment, ...]


class TrackSpan(msgspec.Struct, frozen=True):
    """When a track begins and ends, in seconds: its samples in decoding order, shifted by the
    edit list.
    """

    start: float
    end: float


class _Track(msgspec.Struct, frozen=True):
    number: int
    timescale: int
    codec: str
    is_video: bool


def read_fragmented(path: Path) -> FragmentedFile:
    """Read the structure of a fragmented file; sample data are not touched.

    Raises:
        BoxError: It has no track or no fragment.
    """
    with path.open("rb") as file:
        top = list(_top_boxes(file))
        moov = next((_read(file, box) for box in top if box[0] == b"moov"), None)
        if moov is None:
            raise BoxError("no moov")
        tracks = [_track(body) for kind, body in _children(moov) if kind == b"trak"]
        tracks.sort(key=lambda one: not one.is_video)
        first = next((index for index, box in enumerate(top) if box[0] == b"moof"), None)
        if not tracks or first is None:
            raise BoxError("no track or no fragment")
        fragments = tuple(
            _fragment(_read(file, moof), moof[1], moof[2] + mdat[2], tracks[0])
            for moof, mdat in zip(top[first::2], top[first + 1 :: 2], strict=True)
        )
    return FragmentedFile(
        init_bytes=top[first][1],
        codecs=",".join(track.codec for track in tracks),
        fragments=fragments,
    )


def track_spans(init: bytes, segments: Sequence[bytes]) -> list[tuple[bool, TrackSpan]]:
    """Where the tracks of a packaged rendition begin and end, and whether each is video.

    Args:
        init: The initialisation section.
        segments: Media segments; a track without samples in any of them ends where it begins.

    Raises:
        BoxError: They do not have the form that our transcoder writes.
    """
    moov = next((body for kind, body in _children(init) if kind == b"moov"), None)
    if moov is None:
        raise BoxError("no moov")
    movie_scale = _timescale(_descend(moov, b"mvhd"))
    spans = []
    for trak in [body for kind, body in _children(moov) if kind == b"trak"]:
        track = _track(trak)
        shift = _edit_shift(trak, movie_scale, track.timescale)
        found = [
            piece
            for segment in segments
            for kind, moof in _children(segment)
            if kind == b"moof"
            for piece in _pieces(moof, track.number)
        ]
        begin = min((start for start, _ in found), default=0)
        end = max((start + duration for start, duration in found), default=0)
        span = TrackSpan(begin / track.timescale + shift, end / track.timescale + shift)
        spans.append((track.is_video, span))
    return spans


def _edit_shift(trak: bytes, movie_scale: int, scale: int) -> float:
    """By how many seconds an edit list shifts a track's samples (§8.6.6)."""
    elst = _descend(trak, b"edts", b"elst")
    shift, place = 0.0, 8
    wide = bool(elst) and elst[0] == 1
    for _ in range(int.from_bytes(elst[4:8])):
        duration, moment = map(int, struct.unpack_from(">Qq" if wide else ">Ii", elst, place))
        if moment >= 0:
            return shift - moment / scale
        shift += duration / movie_scale
        place += 20 if wide else 12
    return shift


def _pieces(moof: bytes, number: int) -> Iterator[tuple[int, int]]:
    """Start and duration of a track's samples in a fragment, in the track's time scale."""
    for kind, traf in _children(moof):
        if kind != b"traf" or int.from_bytes(_descend(traf, b"tfhd")[4:8]) != number:
            continue
        sample = _sample_defaults(_descend(traf, b"tfhd"))
        runs = [_run(body, sample) for name, body in _children(traf) if name == b"trun"]
        yield _decode_start(traf), sum(run.duration for run in runs)


def _decode_start(traf: bytes) -> int:
    tfdt = _descend(traf, b"tfdt")
    return int.from_bytes(tfdt[4:12] if tfdt[0] == 1 else tfdt[4:8])


def _top_boxes(file: IO[bytes]) -> Iterator[tuple[bytes, int, int]]:
    """Type, offset and size of every box of the file."""
    offset = 0
    while header := file.read(8):
        size, kind = struct.unpack(">I4s", header)
        if size == 1:
            size = int.from_bytes(file.read(8))
        if size < 8:
            raise BoxError(f"box of {size} bytes")
        yield kind, offset, size
        offset += size
        file.seek(offset)


def _read(file: IO[bytes], box: tuple[bytes, int, int]) -> bytes:
    file.seek(box[1] + 8)
    return file.read(box[2] - 8)


def _children(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = 0
    while position + 8 <= len(body):
        size, kind = struct.unpack_from(">I4s", body, position)
        if size < 8:
            raise BoxError(f"box of {size} bytes")
        yield kind, body[position + 8 : position + size]
        position += size


def _descend(body: bytes, *path: bytes) -> bytes:
    for wanted in path:
        body = next((child for kind, child in _children(body) if kind == wanted), b"")
    return body


def _track(trak: bytes) -> _Track:
    tkhd = _descend(trak, b"tkhd")
    # Version 1 boxes have 64-bit times before the number and the scale.
    number = int.from_bytes(tkhd[20:24] if tkhd[0] == 1 else tkhd[12:16])
    timescale = _timescale(_descend(trak, b"mdia", b"mdhd"))
    is_video = _descend(trak, b"mdia", b"hdlr")[8:12] == b"vide"
    stsd = _descend(trak, b"mdia", b"minf", b"stbl", b"stsd")
    kind, entry = next(_children(stsd[STSD_HEADER_BYTES:]))
    return _Track(number, timescale, _codec(kind, entry), is_video)


def _timescale(head: bytes) -> int:
    """The time scale in the header of a movie or a track."""
    return int.from_bytes(head[20:24] if head[0] == 1 else head[12:16])


def _codec(kind: bytes, entry: bytes) -> str:
    """RFC 6381 §3.3: `avc1.640028` from the decoder configuration; our sound is always AAC-LC."""
    if kind == b"avc1":
        configuration = _descend(entry[VISUAL_ENTRY_BYTES:], b"avcC")
        return f"avc1.{configuration[1:4].hex()}"
    if kind == b"mp4a":
        return "mp4a.40.2"
    raise BoxError(f"sample entry {kind!r}")


def _fragment(moof: bytes, offset: int, size: int, leading: _Track) -> Fragment:
    for kind, traf in _children(moof):
        if kind != b"traf":
            continue
        tfhd = _descend(traf, b"tfhd")
        if int.from_bytes(tfhd[4:8]) != leading.number:
            continue
        sample = _sample_defaults(tfhd)
        runs = [_run(body, sample) for name, body in _children(traf) if name == b"trun"]
        return Fragment(
            offset=offset,
            size=size,
            start=_decode_start(traf) / leading.timescale,
            duration=sum(run.duration for run in runs) / leading.timescale,
            pictures=sum(run.count for run in runs),
            key_size=runs[0].first_end,
        )
    raise BoxError("a fragment without samples of the leading track")


class _Sample(msgspec.Struct, frozen=True):
    """Defaults for samples that do not state their own: duration in the track's scale, bytes. 0
    if not stated.
    """

    duration: int
    size: int


class _Run(msgspec.Struct, frozen=True):
    """Duration in the track's scale, number of samples, and the end of the first one from the
    fragment's start.
    """

    duration: int
    count: int
    first_end: int


def _sample_defaults(tfhd: bytes) -> _Sample:
    flags = int.from_bytes(tfhd[1:4])
    position = 8 + (8 if flags & TFHD_BASE else 0) + (4 if flags & TFHD_DESCRIPTION else 0)
    duration = int.from_bytes(tfhd[position : position + 4]) if flags & TFHD_DURATION else 0
    position += 4 if flags & TFHD_DURATION else 0
    size = int.from_bytes(tfhd[position : position + 4]) if flags & TFHD_SIZE else 0
    return _Sample(duration, size)


def _run(trun: bytes, sample: _Sample) -> _Run:
    flags, count = int.from_bytes(trun[1:4]), int.from_bytes(trun[4:8])
    if not flags & TRUN_OFFSET:
        raise BoxError("a run that does not say where its samples are")
    position = 12 + (4 if flags & TRUN_FIRST_FLAGS else 0)
    stride = sum(size for flag, size in TRUN_FIELDS.items() if flags & flag)
    duration = sample.duration * count
    size_at = position
    if flags & TRUN_DURATION:
        # A sample's record begins with the duration, then the size.
        places = range(position, position + stride * count, stride)
        duration = sum(int.from_bytes(trun[at : at + 4]) for at in places)
        size_at += 4
    size = int.from_bytes(trun[size_at : size_at + 4]) if flags & TRUN_SIZE else sample.size
    # Our transcoder counts offsets from the fragment's start (default-base-is-moof).
    return _Run(duration, count, int.from_bytes(trun[8:12]) + size)
