"""Origins: the one spelling that browsers send."""

from __future__ import annotations

import pytest

from liuying.kit.origins import parse_origin, parse_origins


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://partner.example", "https://partner.example"),
        (" HTTPS://Partner.Example:443 ", "https://partner.example"),
        ("https://a.b-c.example:8443", "https://a.b-c.example:8443"),
        ("http://localhost:5173", "http://localhost:5173"),
        ("http://localhost:80", "http://localhost"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:3000", "http://[::1]:3000"),
    ],
)
def test_origins_are_spelled_as_browsers_do(given: str, expected: str) -> None:
    assert parse_origin(given) == expected


@pytest.mark.parametrize(
    "given",
    [
        "null",
        "*",
        "https://*",
        "https://*.example",
        "http://partner.example",
        "https://",
        "https://a.example/",
        "https://a.example/path",
        "https://user@a.example",
        "https://a.example:0",
        "https://a.example:70000",
        "https://a.example; script-src *",
        "https://a.example https://b.example",
        "https://a.example\nx: y",
        "https://例子.example",
        "https://-a.example",
        "https://" + "a" * 64 + ".example",
        "ftp://a.example",
        "a.example",
        "http://localhost.evil.example",
    ],
)
def test_anything_else_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="来源"):
        parse_origin(given)


def test_lists_lose_repetitions_and_gaps() -> None:
    assert parse_origins(" https://a.example, ,https://A.example,https://b.example,") == (
        "https://a.example",
        "https://b.example",
    )
    assert parse_origins("") == ()
