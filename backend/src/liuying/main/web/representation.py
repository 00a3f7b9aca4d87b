"""One body, ready to send in each encoding: compressed once, with an ETag of its own for each (RFC 9110 §8.8.3)."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from functools import lru_cache

import brotli  # type: ignore[import-untyped]  # the package has no type information
import msgspec
import zstandard

Header = tuple[bytes, bytes]
# Below this a compressed body is no smaller on the wire than a network packet anyway.
SMALLEST_COMPRESSED = 860
# In order of preference where a client accepts several alike.
ENCODINGS = ("br", "zstd", "gzip")


class Variant(msgspec.Struct, frozen=True):
    """A body in one encoding with the headers of its 200 and 304 answers.

    `head` and `not_modified_head` are the same headers as they stand on the wire, from the status line on and without
    the empty line that ends them.
    """

    etag: bytes
    body: bytes
    headers: list[Header]
    not_modified_headers: list[Header]
    head: bytes
    not_modified_head: bytes


class Representation(msgspec.Struct, frozen=True):
    """A body in every encoding that makes it smaller. `identity` is always there."""

    variants: dict[str, Variant]

    def choose(self, accept_encoding: bytes) -> Variant:
        """The variant that a client with this `Accept-Encoding` prefers."""
        for encoding in accepted_encodings(accept_encoding):
            if encoding in self.variants:
                return self.variants[encoding]
        return self.variants["identity"]

    def negotiate(self, headers: Iterable[Header]) -> tuple[Variant, bool]:
        """The variant that these request headers ask for, and whether the client has it already (304).

        A header that stands on several lines counts as one list (RFC 9110 §5.3).
        """
        accepted: list[bytes] = []
        known: list[bytes] = []
        for name, value in headers:
            if name == b"accept-encoding":
                accepted.append(value)
            elif name == b"if-none-match":
                known.append(value)
        variant = self.choose(b",".join(accepted))
        return variant, bool(known) and matches_etag(b",".join(known), variant.etag)

    @property
    def size(self) -> int:
        """Bytes held in memory."""
        return sum(len(variant.body) for variant in self.variants.values())


def represent(body: bytes, headers: Iterable[Header], *, is_compressible: bool, level: int = 5) -> Representation:
    """Compress a body in all encodings and give each its ETag.

    Args:
        body: The identity encoding.
        headers: Headers of the 200 answer, without length, encoding, ETag and Vary.
        is_compressible: False for bodies that are compressed already.
        level: Effort of the Brotli encoder, 0-11.
    """
    bodies = {"identity": body}
    if is_compressible and len(body) >= SMALLEST_COMPRESSED:
        compressed = {
            "br": brotli.compress(body, quality=level),
            "zstd": zstandard.compress(body, level=min(19, level * 2)),
            "gzip": gzip.compress(body, compresslevel=min(9, level + 1), mtime=0),
        }
        bodies |= {name: data for name, data in compressed.items() if len(data) < len(body)}
    base = list(headers)
    # The headers too: browsers keep the old ones at a 304, and one of them says who may frame the document.
    described = b"".join(b"%b:%b\n" % header for header in base)
    digest = hashlib.blake2b(described + body, digest_size=12).hexdigest()
    if is_compressible:
        base.append((b"vary", b"accept-encoding"))
    return Representation({name: _variant(name, data, digest, base) for name, data in bodies.items()})


def _variant(encoding: str, body: bytes, digest: str, base: list[Header]) -> Variant:
    etag = f'"{digest}-{encoding}"'.encode()
    headers = [*base, (b"etag", etag), (b"content-length", str(len(body)).encode())]
    if encoding != "identity":
        headers.append((b"content-encoding", encoding.encode()))
    kept = {b"cache-control", b"vary", b"etag", b"expires", b"content-location"}  # RFC 9110 §15.4.5
    not_modified = [header for header in headers if header[0] in kept]
    return Variant(
        etag=etag,
        body=body,
        headers=headers,
        not_modified_headers=not_modified,
        head=_on_the_wire(b"HTTP/1.1 200 OK", headers),
        not_modified_head=_on_the_wire(b"HTTP/1.1 304 Not Modified", not_modified),
    )


def _on_the_wire(status_line: bytes, headers: list[Header]) -> bytes:
    return b"".join([status_line, b"\r\n", *(b"%b: %b\r\n" % header for header in headers)])


@lru_cache(maxsize=512)
def accepted_encodings(header: bytes) -> tuple[str, ...]:
    """Encodings of ours that an `Accept-Encoding` allows, the best first (RFC 9110 §12.5.3)."""
    weights: dict[str, float] = {}
    for part in header.decode("latin-1").lower().split(","):
        name, _, parameters = part.strip().partition(";")
        weights[name.strip()] = _quality(parameters)
    allowed = [(weights.get(name, weights.get("*", 0.0)), name) for name in ENCODINGS]
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
    """Whether an `If-None-Match` names the ETag, compared weakly (RFC 9110 §13.1.2)."""
    if if_none_match == etag:
        return True
    candidates = (part.strip().removeprefix(b"W/") for part in if_none_match.split(b","))
    return any(candidate in {etag, b"*"} for candidate in candidates)
