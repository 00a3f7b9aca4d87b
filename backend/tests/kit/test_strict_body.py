"""Bodies of calls: only plain JSON of bounded size and depth (docs/security.md#t13,
docs/security.md#t19).
"""

from __future__ import annotations

import gzip
import json

from tests.conftest import Client

PATHS = ["/api/favorites", "/api/favorites/ids", "/api/syssuggest", "/api/visitor/code"]
JSON = {"content-type": "application/json", "x-visitor-code": "annaanna0001"}


def status(client: Client, path: str, content: bytes, **headers: str) -> int:
    """The answer's status; it must stand in the envelope."""
    sent = JSON | {name.replace("_", "-"): value for name, value in headers.items()}
    response = client.request("POST", path, sent, content=content)
    assert response.json()["code"] == response.status_code
    assert response.headers["cache-control"] == "no-store"
    return response.status_code


def test_other_media_types_are_refused(client: Client) -> None:
    for path in PATHS:
        for kind in (
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/msgpack",
            "application/jsonp",
            "",
            "multipart/form-data",
        ):
            assert status(client, path, b'{"id":105}', content_type=kind) == 415, kind
    for kind in ("application/json; charset=utf-8", "Application/JSON"):
        assert status(client, "/api/favorites", b'{"id":105}', content_type=kind) == 200, kind


def test_compressed_bodies_are_refused(client: Client) -> None:
    for encoding in ("gzip", "br", "deflate", "zstd", "x-gzip", "gzip, identity"):
        assert (
            status(
                client, "/api/favorites", gzip.compress(b'{"id":105}'), content_encoding=encoding
            )
            == 415
        )
    assert status(client, "/api/favorites", b'{"id":105}', content_encoding="identity") == 200


def test_malformed_json_is_refused(client: Client) -> None:
    bodies = [
        b"",
        b"{",
        b"nothing",
        b'{"id":105',
        b'{"id":105}x',
        b'{"id":NaN}',
        b'{"id":1e999}',
        b'{"id":' + b"1" * 5000 + b"}",
        b'{"id":105,"title":"\xff"}',
        b'{"id":105,"title":"\\ud800"}',
        b'{"id":105,"title":"\\udc00\\ud800"}',
        b"\xef\xbb\xbf{}",
        b"[" * 100_000 + b"]" * 100_000,
        b'{"id":' * 900 + b"1" + b"}" * 900,
        b"\x00",
    ]
    for path in PATHS:
        for body in bodies:
            assert status(client, path, body) == 422, body[:40]
    assert status(client, "/api/favorites", b'{"id":105,"title":"a\\u0000"}') == 422
    assert (
        status(client, "/api/favorites", b'{"id":105,"nothing":"a\\u0000"}') == 200
    )  # never looked at
    assert status(client, "/api/favorites", b'{"id":105.0}') == 200  # JSON has one kind of number
    assert status(client, "/api/favorites", b'{"id":105.5}') == 422


def test_diagnostics_of_every_shape_are_stored_or_refused(client: Client) -> None:
    report = '{"content":"画面一直停在开头","diagnostics":%s}'
    deep = '{"a":' * 40 + "1" + "}" * 40
    for diagnostics in (
        deep,
        '{"a":%s}' % ("9" * 200),
        '{"a":"\\u0000"}',
        '{"a":"%s"}' % ("x" * 8192),
        "[]",
        '"a"',
    ):
        assert status(client, "/api/syssuggest", (report % diagnostics).encode()) == 422, (
            diagnostics[:40]
        )
    fine = json.dumps(
        {"error": "MEDIA_ERR_DECODE", "levels": [1, 2, {"height": 360}], "text": "x" * 8000}
    )
    assert status(client, "/api/syssuggest", (report % fine).encode()) == 200


def test_large_bodies_are_refused(client: Client) -> None:
    for path in PATHS:
        assert status(client, path, b'{"id":105,"title":"' + b"a" * 256 * 1024 + b'"}') == 413
    assert status(client, "/api/favorites", b'{"id":105' + b" " * (256 * 1024 - 10) + b"}") == 200


def test_the_field_at_fault_is_named(client: Client) -> None:
    response = client.request("POST", "/api/favorites", JSON, json={"id": "105"})
    assert response.json()["rescont"][0]["field"] == "id"
    assert response.json()["msg"] == "请求参数有误"
