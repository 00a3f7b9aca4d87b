"""How a published file is answered: its headers, and which of its bytes (RFC 9110 §13, §14)."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from liuying.kit import object_keys
from liuying.kit.representation import Header, matches_etag

MEDIA_TYPES = {suffix: one.encode() for suffix, one in object_keys.MEDIA_TYPES.items()}
CONDITIONS = frozenset({b"range", b"if-none-match", b"if-range"})
RANGE = re.compile(rb"(?i:bytes)=([0-9]{0,18})-([0-9]{0,18})")
# Identical for everybody who has the address, and without credentials: a CDN on another origin may
# serve it (settings, media_base).
OPEN_TO_ALL_ORIGINS: tuple[Header, ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"access-control-allow-origin", b"*"),
)


class ByteRange(msgspec.Struct, frozen=True):
    """Bytes from `start` to `end`, inclusive."""

    start: int
    end: int


def parse_range(header: bytes, size: int) -> ByteRange | None:
    """The single range that a `Range` header requests; None if the whole file is to be sent.

    Several ranges, other units and malformed headers are ignored, as RFC 9110 §14.2 allows.

    Raises:
        ValueError: The range is beyond the end: 416.
    """
    found = RANGE.fullmatch(header.strip())
    if found is None or found.groups() == (b"", b""):
        return None
    first, last = found.groups()
    if not first:
        length = min(int(last), size)
        if length == 0:
            raise ValueError("empty suffix")
        return ByteRange(size - length, size - 1)
    start, end = int(first), min(int(last), size - 1) if last else size - 1
    if last and int(last) < start:
        return None
    if start >= size:
        raise ValueError("past the end")
    return ByteRange(start, end)


class FileAnswer(msgspec.Struct, frozen=True):
    """How a file is answered.

    Attributes:
        status: 200, 206 or 304.
        headers: Those of the answer, with its length.
        offset: The first byte of the body.
        length: Bytes of the body; 0 without one.
    """

    status: int
    headers: list[Header]
    offset: int = 0
    length: int = 0


def answer_for(
    key: str,
    size: int,
    cache_control: bytes,
    headers: Iterable[Header],
    common: Iterable[Header] = OPEN_TO_ALL_ORIGINS,
) -> FileAnswer | None:
    """How a published file is answered; None if it has no media type of ours.

    Args:
        key: The object's.
        size: Bytes.
        headers: The request's.
        common: Further headers of every answer.

    Raises:
        ValueError: The requested range is beyond the end: 416.
    """
    folder, _, name = key.rpartition("/")
    stem, _, suffix = name.rpartition(".")
    media_type = MEDIA_TYPES.get(suffix)
    if media_type is None:
        return None
    # Published files never change under their name, so name and size identify the bytes.
    etag = f'"{folder.rpartition("/")[2]}-{stem}-{size:x}"'.encode()
    asked = {name: value for name, value in headers if name in CONDITIONS}
    base: list[Header] = [
        (b"etag", etag),
        (b"cache-control", cache_control),
        (b"accept-ranges", b"bytes"),
        *common,
    ]
    if b"if-none-match" in asked and matches_etag(asked[b"if-none-match"], etag):
        return FileAnswer(304, base)
    base.append((b"content-type", media_type))
    if b"range" in asked and asked.get(b"if-range", etag) == etag:
        wanted = parse_range(asked[b"range"], size)
        if wanted is not None:
            length = wanted.end - wanted.start + 1
            base.append((b"content-range", b"bytes %d-%d/%d" % (wanted.start, wanted.end, size)))
            base.append((b"content-length", b"%d" % length))
            return FileAnswer(206, base, wanted.start, length)
    base.append((b"content-length", b"%d" % size))
    return FileAnswer(200, base, 0, size)
