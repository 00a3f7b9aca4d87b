"""Encodings and conditional requests (RFC 9110)."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]  # the package has no type information
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from liuying.kit.representation import (
    ENCODERS,
    LARGEST_AT_ONCE,
    MAX_HEADER_LENGTH,
    VARIANT_BYTES,
    Representation,
    Variant,
    accepted_encodings,
    matches_etag,
)

BODY = "流影".encode() * 1000


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (b"", ()),
        (b"gzip, deflate, br, zstd", ("br", "zstd", "gzip")),
        (b"gzip", ("gzip",)),
        (b"br;q=0, gzip", ("gzip",)),
        (b"gzip;q=1.0, br;q=0.5", ("gzip", "br")),
        (b"*", ("br", "zstd", "gzip")),
        (b"identity, gzip;q=0.5", ()),
        (b"GZIP ; q=0.3", ("gzip",)),
        (b"br;q=high", ()),
    ],
)
def test_accepted_encodings(header: bytes, expected: tuple[str, ...]) -> None:
    assert accepted_encodings(header) == expected


@given(st.binary(max_size=80))
def test_any_header_is_survived(header: bytes) -> None:
    assert set(accepted_encodings(header)) <= {"br", "zstd", "gzip"}


DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "identity": bytes,
    "br": brotli.decompress,
    "zstd": zstandard.decompress,
    "gzip": gzip.decompress,
}


def ask(made: Representation, encoding: str, *etags: bytes) -> tuple[Variant, bool]:
    known = [(b"if-none-match", etag) for etag in etags]
    return asyncio.run(made.negotiate([(b"accept-encoding", encoding.encode()), *known]))


@pytest.mark.parametrize("body", [BODY, BODY * 50], ids=["at once", "in a thread"])
def test_every_variant_is_the_same_body_under_its_own_etag(body: bytes) -> None:
    made = Representation(body, [(b"content-type", b"text/plain")], is_compressible=True)
    etags = set()
    for encoding, decode in DECODERS.items():
        variant, is_known = ask(made, encoding)
        assert (decode(variant.body), is_known) == (body, False)
        assert (b"vary", b"accept-encoding") in variant.headers
        assert ((b"content-encoding", encoding.encode()) in variant.headers) == (
            encoding != "identity"
        )
        assert ask(made, encoding, b'"other"', variant.etag)[1]
        etags.add(variant.etag)
    assert len(etags) == 4


def test_what_the_client_has_is_not_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    etag = ask(Representation(BODY, [], is_compressible=True), "br")[0].etag

    def compress(_body: bytes, _level: int) -> bytes:
        raise AssertionError

    monkeypatch.setitem(ENCODERS, "br", compress)
    for known in (etag, b"*"):
        made = Representation(BODY, [], is_compressible=True)
        variant, is_known = ask(made, "br", known)
        assert (variant.etag, is_known) == (etag, True)
        assert variant.not_modified_head.startswith(b"HTTP/1.1 304 ")


def test_endless_headers_are_passed_over() -> None:
    made = Representation(BODY, [], is_compressible=True)
    assert ask(made, "gzip" + "," * MAX_HEADER_LENGTH)[0].body == BODY
    variant, is_known = ask(made, "gzip", b'"x",' * MAX_HEADER_LENGTH, b"*")
    assert (gzip.decompress(variant.body), is_known) == (BODY, False)


def test_an_encoding_is_made_when_it_is_asked_for() -> None:
    made = Representation(BODY, [], is_compressible=True)
    assert made.size == len(BODY)
    headers = [(b"accept-encoding", b"gzip, br")]
    found = made.find_ready(headers)
    assert found is not None
    assert found == ask(made, "br")
    assert made.find_ready([]) == ask(made, "identity")
    heads = sum(len(one.head) + VARIANT_BYTES for one in (found[0], ask(made, "")[0]))
    assert made.size == len(BODY) + len(found[0].body) + heads


def test_what_takes_long_to_compress_is_not_ready() -> None:
    made = Representation(BODY * (LARGEST_AT_ONCE // len(BODY) + 1), [], is_compressible=True)
    headers = [(b"accept-encoding", b"br")]
    assert made.find_ready(headers) is None
    assert made.find_ready([]) is not None
    assert ask(made, "br") == made.find_ready(headers)


@pytest.mark.parametrize(("body", "is_compressible"), [(b"x" * 100, True), (BODY, False)])
def test_some_bodies_stay_as_they_are(body: bytes, is_compressible: bool) -> None:
    made = Representation(body, [], is_compressible=is_compressible)
    assert ask(made, "br") == ask(made, "identity")


@pytest.mark.parametrize(
    ("header", "matches"),
    [
        (b'"a"', True),
        (b'W/"a"', True),
        (b'"b", "a"', True),
        (b"*", True),
        (b'"b"', False),
        (b"", False),
    ],
)
def test_matching(header: bytes, matches: bool) -> None:
    assert matches_etag(header, b'"a"') is matches
