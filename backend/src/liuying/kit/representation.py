"""One body, ready to send in each encoding, each with its own ETag (RFC 9110 §8.8.3).

It is compressed when a client first prefers an encoding, and then cached: most bodies are requested
in one encoding only.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Iterable
from functools import lru_cache

import brotli  # type: ignore[import-untyped]  # the package has no type information
import msgspec
import zstandard
from litestar.types import HTTPScope, Send
from xxhash import xxh3_128

Header = tuple[bytes, bytes]
# A smaller body would not save a network packet by compression.
SMALLEST_COMPRESSED = 860
# Up to this size compressing takes less time than handing it to a thread.
LARGEST_AT_ONCE = 24 * 1024
# Memory of a variant beside its body and head: objects, headers, what 304 answers repeat.
VARIANT_BYTES = 1000
# A longer `Accept-Encoding` or `If-None-Match` is ignored: parsing it would keep others waiting,
# and it would be remembered.
MAX_HEADER_LENGTH = 4096
IDENTITY = "identity"
# How each encoding is made at a level of Brotli's scale, 0-11; in order of preference if a client
# accepts several.
ENCODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "br": lambda body, level: bytes(brotli.compress(body, quality=level)),
    "zstd": lambda body, level: zstandard.compress(body, level=min(19, level * 2)),
    "gzip": lambda body, level: gzip.compress(body, compresslevel=min(9, level + 1), mtime=0),
}


ENCODING_HEADERS: dict[str, Header] = {
    name: (b"content-encoding", name.encode()) for name in ENCODERS
}
VARY: Header = (b"vary", b"accept-encoding")


class Variant(msgspec.Struct, frozen=True):
    """A body in one encoding with the headers of its 200 and 304 answers.

    Attributes:
        shared: The headers of every encoding.
        own: Those of this one; its ETag is the first.
        head: The 200 answer's status line and headers in wire form, without the empty line.
    """

    etag: bytes
    body: bytes
    shared: tuple[Header, ...]
    own: tuple[Header, ...]
    head: bytes

    @property
    def headers(self) -> list[Header]:
        """Those of the 200 answer."""
        return [*self.shared, *self.own]

    @property
    def not_modified_headers(self) -> list[Header]:
        """Those of the 304 answer."""
        return [*_still_said(self.shared), self.own[0]]

    @property
    def not_modified_head(self) -> bytes:
        """The 304 answer's status line and headers in wire form, without the empty line."""
        return b"".join(
            (b"HTTP/1.1 304 Not Modified\r\n", _lines(_still_said(self.shared)), _line(self.own[0]))
        )


class Representation:
    """A body in the encodings that clients have asked for.

    Args:
        body: The identity encoding.
        headers: Headers of the 200 answer without length, encoding, ETag and Vary.
        is_compressible: False for bodies that are already compressed.
        level: Effort of the Brotli encoder, 0-11; likewise for the others.
    """

    def __init__(
        self, body: bytes, headers: Iterable[Header], *, is_compressible: bool, level: int = 5
    ) -> None:
        self._headers = (*headers, VARY) if is_compressible else tuple(headers)
        self._level = level
        self._is_compressed = is_compressible and len(body) >= SMALLEST_COMPRESSED
        # Including the headers: browsers keep the old ones at a 304, and one of them states who may
        # frame the document. A fast hash serves: nobody gains from two bodies of one address that
        # are taken for each other.
        digest = xxh3_128(_lines(self._headers))
        digest.update(body)
        self._digest = digest.hexdigest()
        self._body = body
        self._variants: dict[str, Variant] = {}
        # Bytes held in memory.
        self.size = len(body)

    def find_ready(self, headers: Iterable[Header]) -> tuple[Variant, bool] | None:
        """Like `negotiate`; None if compressing it first would keep others waiting."""
        encoding, known = self._ask(headers)
        variant = self._variants.get(encoding)
        if variant is None:
            if _is_known(known, self._etag(encoding)):  # Of which nothing is sent.
                return self._variant(encoding, b""), True
            if encoding != IDENTITY and len(self._body) > LARGEST_AT_ONCE:
                return None
            variant = self._add(encoding, self._make(encoding))
        return variant, _is_known(known, variant.etag)

    async def negotiate(self, headers: Iterable[Header]) -> tuple[Variant, bool]:
        """The variant for these request headers, and whether the client already has it (304).

        A header on several lines counts as one list (RFC 9110 §5.3).
        """
        if (ready := self.find_ready(headers)) is not None:
            return ready
        encoding, known = self._ask(headers)
        variant = self._add(encoding, await asyncio.to_thread(self._make, encoding))
        return variant, _is_known(known, variant.etag)

    def _ask(self, headers: Iterable[Header]) -> tuple[str, list[bytes]]:
        """The encoding that request headers ask for, and the ETags that they contain."""
        accepted: list[bytes] = []
        known: list[bytes] = []
        for name, value in headers:
            if name == b"accept-encoding":
                accepted.append(value)
            elif name == b"if-none-match":
                known.append(value)
        encodings: tuple[str, ...] = ()
        if self._is_compressed and sum(map(len, accepted)) <= MAX_HEADER_LENGTH:
            encodings = accepted_encodings(b",".join(accepted))
        return (encodings[0] if encodings else IDENTITY), known

    def _add(self, encoding: str, variant: Variant) -> Variant:
        # Another reader may have asked for the same one meanwhile.
        if encoding not in self._variants:
            self._variants[encoding] = variant
            body = 0 if encoding == IDENTITY else len(variant.body)
            self.size += body + len(variant.head) + VARIANT_BYTES
        return self._variants[encoding]

    def _etag(self, encoding: str) -> bytes:
        return f'"{self._digest}-{encoding}"'.encode()

    def _make(self, encoding: str) -> Variant:
        body = self._body if encoding == IDENTITY else ENCODERS[encoding](self._body, self._level)
        return self._variant(encoding, body)

    def _variant(self, encoding: str, body: bytes) -> Variant:
        etag = self._etag(encoding)
        etag_header, length = (b"etag", etag), (b"content-length", b"%d" % len(body))
        own = (
            (etag_header, length)
            if encoding == IDENTITY
            else (etag_header, length, ENCODING_HEADERS[encoding])
        )
        return Variant(
            etag=etag,
            body=body,
            shared=self._headers,
            own=own,
            head=b"".join((b"HTTP/1.1 200 OK\r\n", _lines(self._headers), *map(_line, own))),
        )


async def send_variant(variant: Variant, is_known: bool, scope: HTTPScope, send: Send) -> None:
    """Answer a GET or HEAD request with the negotiated variant."""
    status, headers = (304, variant.not_modified_headers) if is_known else (200, variant.headers)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = b"" if is_known or scope["method"] == "HEAD" else variant.body
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _is_known(etags: list[bytes], etag: bytes) -> bool:
    return (
        bool(etags)
        and sum(map(len, etags)) <= MAX_HEADER_LENGTH
        and matches_etag(b",".join(etags), etag)
    )


def _line(header: Header) -> bytes:
    return b"%b: %b\r\n" % header


# The answers of a route differ only in ETag and length.
@lru_cache(maxsize=512)
def _lines(headers: tuple[Header, ...]) -> bytes:
    """Headers in wire form."""
    return b"".join(map(_line, headers))


@lru_cache(maxsize=512)
def _still_said(headers: tuple[Header, ...]) -> tuple[Header, ...]:
    """The headers of a 200 answer that a 304 repeats beside its ETag (RFC 9110 §15.4.5)."""
    again = {b"cache-control", b"vary", b"expires", b"content-location"}
    return tuple(header for header in headers if header[0] in again)


@lru_cache(maxsize=512)
def accepted_encodings(header: bytes) -> tuple[str, ...]:
    """Our encodings that an `Accept-Encoding` allows, best first (RFC 9110 §12.5.3)."""
    weights: dict[str, float] = {}
    for part in header.decode("latin-1").lower().split(","):
        name, _, parameters = part.strip().partition(";")
        weights[name.strip()] = _quality(parameters)
    allowed = [(weights.get(name, weights.get("*", 0.0)), name) for name in ENCODERS]
    identity = weights.get("identity", 0.0)
    ordered = sorted(allowed, key=lambda pair: -pair[0])
    return tuple(name for weight, name in ordered if weight > 0 and weight >= identity)


def _quality(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def matches_etag(if_none_match: bytes, etag: bytes) -> bool:
    """Whether an `If-None-Match` contains the ETag, compared weakly (RFC 9110 §13.1.2)."""
    if if_none_match == etag:
        return True
    candidates = (part.strip().removeprefix(b"W/") for part in if_none_match.split(b","))
    return any(candidate in {etag, b"*"} for candidate in candidates)
