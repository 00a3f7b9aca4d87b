"""Reads fragmented MP4 as the validator needs it (ISO/IEC 14496-12 §8.8), apart from the product's
own reader.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import msgspec

NOT_SYNC = 0x10000


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One fragment's run of samples of one track, in seconds."""

    track: int
    decoded: float
    shown: float
    duration: float
    begins_with_key: bool
    samples: int
    first_end: int


class TrackHead(msgspec.Struct, frozen=True):
    """A track as the initialisation says: its scale, defaults of `trex`, and the edit list's start
    in seconds.
    """

    is_video: bool
    timescale: int
    defaults: tuple[int, int, int]
    start: float


def boxes_of(content: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Type, offset and body of the boxes in a row."""
    place = 0
    while place < len(content):
        size, kind = struct.unpack_from(">I4s", content, place)
        yield kind.decode("latin-1"), place, content[place + 8 : place + size]
        place += size


def _inside(body: bytes, *path: str) -> bytes:
    for wanted in path:
        body = next((found for kind, _, found in boxes_of(body) if kind == wanted), b"")
    return body


def track_heads(init: bytes) -> dict[int, TrackHead]:
    """The tracks of an initialisation section, by number."""
    moov = _inside(init, "moov")
    trex = {}
    for kind, _, body in boxes_of(_inside(moov, "mvex")):
        if kind == "trex":
            number, _, duration, size, flags = struct.unpack_from(">5I", body, 4)
            trex[number] = (duration, size, flags)
    heads = {}
    for kind, _, trak in boxes_of(moov):
        if kind != "trak":
            continue
        number = struct.unpack_from(
            ">I", _inside(trak, "tkhd"), 12 if _inside(trak, "tkhd")[0] == 0 else 20
        )[0]
        mdhd = _inside(trak, "mdia", "mdhd")
        scale = struct.unpack_from(">I", mdhd, 12 if mdhd[0] == 0 else 20)[0]
        is_video = _inside(trak, "mdia", "hdlr")[8:12] == b"vide"
        heads[number] = TrackHead(
            is_video, scale, trex[number], _edit_start(_inside(trak, "edts", "elst"), scale)
        )
    return heads


def _edit_start(elst: bytes, scale: int) -> float:
    """How much later than decoded a track is shown; our files have edits without empty ones."""
    if not elst:
        return 0.0
    form = ">Iii" if elst[0] == 0 else ">Qqi"
    entries = [
        struct.unpack_from(form, elst, 8 + at * struct.calcsize(form))
        for at in range(int.from_bytes(elst[4:8]))
    ]
    media_time: int = next(entry[1] for entry in entries if entry[1] >= 0)
    return -media_time / scale


def pieces_of(content: bytes, heads: dict[int, TrackHead]) -> Iterator[Piece]:
    """The runs of a segment."""
    for kind, _, moof in boxes_of(content):
        if kind == "moof":
            yield from (_piece(body, heads) for name, _, body in boxes_of(moof) if name == "traf")


def video_pieces(content: bytes, heads: dict[int, TrackHead]) -> Iterator[tuple[int, Piece]]:
    """The picture's runs, each with the place where its fragment begins."""
    for kind, offset, moof in boxes_of(content):
        for name, _, body in boxes_of(moof) if kind == "moof" else ():
            piece = _piece(body, heads) if name == "traf" else None
            if piece is not None and heads[piece.track].is_video:
                yield offset, piece


def _piece(traf: bytes, heads: dict[int, TrackHead]) -> Piece:
    tfhd, tfdt, trun = (_inside(traf, name) for name in ("tfhd", "tfdt", "trun"))
    number = int.from_bytes(tfhd[4:8])
    head, place = heads[number], 8
    duration, size, sample_flags = head.defaults
    present = int.from_bytes(tfhd[1:4])
    assert not present & 0x03
    assert sum(name == "trun" for name, _, _ in boxes_of(traf)) == 1
    stated = []
    for flag, default in ((0x08, duration), (0x10, size), (0x20, sample_flags)):
        stated.append(int.from_bytes(tfhd[place : place + 4]) if present & flag else default)
        place += 4 if present & flag else 0
    flags, count, place = int.from_bytes(trun[1:4]), int.from_bytes(trun[4:8]), 12
    assert flags & 0x01
    first_flags = int.from_bytes(trun[12:16]) if flags & 0x04 else None
    place += 4 if flags & 0x04 else 0
    samples = []
    for _ in range(count):
        values = [*stated, 0]
        for index, flag in enumerate((0x100, 0x200, 0x400, 0x800)):
            if flags & flag:
                values[index] = int.from_bytes(trun[place : place + 4], signed=index == 3)
                place += 4
        samples.append(values)
    decoded = int.from_bytes(tfdt[4:])
    return Piece(
        track=number,
        decoded=decoded / head.timescale,
        shown=(decoded + samples[0][3]) / head.timescale + head.start,
        duration=sum(one[0] for one in samples) / head.timescale,
        begins_with_key=not (samples[0][2] if first_flags is None else first_flags) & NOT_SYNC,
        samples=count,
        first_end=int.from_bytes(trun[8:12]) + samples[0][1],
    )
