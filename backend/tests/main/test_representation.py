"""Encodings and conditional requests (RFC 9110)."""

from __future__ import annotations

import gzip

import brotli  # type: ignore[import-untyped]  # the package has no type information
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from liuying.main.web.representation import accepted_encodings, matches_etag, represent

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


def test_every_variant_is_the_same_body_under_its_own_etag() -> None:
    made = represent(BODY, [(b"content-type", b"text/plain")], is_compressible=True)
    variants = made.variants
    assert variants["identity"].body == BODY
    assert gzip.decompress(variants["gzip"].body) == BODY
    assert brotli.decompress(variants["br"].body) == BODY
    assert zstandard.decompress(variants["zstd"].body) == BODY
    assert len({variant.etag for variant in variants.values()}) == 4
    assert all((b"vary", b"accept-encoding") in variant.headers for variant in variants.values())


def test_small_bodies_stay_as_they_are() -> None:
    assert set(represent(b"x" * 100, [], is_compressible=True).variants) == {"identity"}


@pytest.mark.parametrize(
    ("header", "matches"),
    [(b'"a"', True), (b'W/"a"', True), (b'"b", "a"', True), (b"*", True), (b'"b"', False), (b"", False)],
)
def test_matching(header: bytes, matches: bool) -> None:
    assert matches_etag(header, b'"a"') is matches
