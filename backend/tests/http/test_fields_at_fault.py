"""Refusals of values name the fields at fault, by their names on the wire."""

from __future__ import annotations

import pytest

from liuying.kit.refusal_reasons import CHINESE
from tests.conftest import Client

CODE = {"x-visitor-code": "visitor0001"}


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "field"),
    [
        ("GET", "/api/rank?type=x", {}, None, "type"),
        ("GET", "/api/rank?period=x", {}, None, "period"),
        ("GET", "/api/rank?page=0", {}, None, "page"),
        ("GET", "/api/rank?page=1&page=2", {}, None, "page"),
        ("GET", "/api/rank?page=1e3", {}, None, "page"),
        ("GET", f"/api/videoSearch?serach={'x' * 65}", {}, None, "serach"),
        ("GET", "/api/videoshare?type=x", {}, None, "type"),
        ("GET", "/api/videosort/0?orderby=x", {}, None, "orderby"),
        ("GET", "/api/share/play?id=x", CODE, None, "id"),
        ("GET", f"/api/share/check?id={'x' * 65}", {}, None, "id"),
        ("GET", "/api/share/check", {}, None, "id"),
        ("GET", f"/api/favorites/userVideos?id={'x' * 65}", {}, None, "id"),
        ("GET", "/api/favorites?site=x", CODE, None, "site"),
        ("GET", "/api/favorites", {}, None, "X-Visitor-Code"),
        ("GET", "/api/favorites", {"x-visitor-code": "NO"}, None, "X-Visitor-Code"),
        ("GET", "/api/favorites?uuid=NO", {}, None, "uuid"),
        ("POST", "/api/favorites", CODE, {"site": "sg"}, "id"),
        ("POST", "/api/favorites", CODE, {"id": "x", "site": "sg"}, "id"),
        ("POST", "/api/favorites", CODE, {"id": 101, "site": "x"}, "site"),
        ("POST", "/api/favorites", {}, {"id": 101, "site": "sg", "uuid": "NO"}, "uuid"),
        ("DELETE", "/api/favorites", CODE, None, "id"),
        ("POST", "/api/favorites/ids", CODE, {}, "id"),
        ("POST", "/api/visitor/code", CODE, {}, "code"),
        ("POST", "/api/visitor/code", CODE, {"code": "NO"}, "code"),
        ("POST", "/api/visitor/code", CODE, {"code": "visitor0001"}, "code"),
        ("POST", "/api/play/event", CODE, {"id": 101, "event": "x"}, "event"),
        ("POST", "/api/play/event", CODE, {"event": "view"}, "id"),
        ("POST", "/api/share/visit", CODE, {}, "id"),
        ("POST", "/api/search/event", CODE, {}, "term"),
        ("POST", "/api/vendor/exchange", {}, {}, "code"),
        ("POST", "/api/vendor/exchange", {}, {"code": 7}, "code"),
    ],
)
def test_the_field_is_named(
    client: Client, method: str, path: str, headers: dict[str, str], body: object, field: str
) -> None:
    response = client.request(method, path, headers, body)
    answer = response.json()
    assert (response.status_code, answer["code"]) == (422, 422), answer
    assert [one["field"] for one in answer["rescont"]] == [field]
    assert all(CHINESE.search(one["reason"]) for one in answer["rescont"])
    assert CHINESE.search(answer["msg"])
