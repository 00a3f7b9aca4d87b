"""Who gets into the console: one-time addresses, sessions, hosts, origins, roles, limits."""

from __future__ import annotations

import re

import pytest
from litestar.routes import HTTPRoute

from liuying.console.access import ROLE_OPTION
from liuying.features.operators.rules import IDLE_MS, LINK_MS, LONGEST_MS, Role
from liuying.installation.services import Services
from tests.console.desk import Desk

LINK = "/api/session/link"
# What says by itself that it needs no session.
OPEN = {LINK, "/api/session/passkey", "/api/session/passkey/options"}


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def routes(desk: Desk) -> list[tuple[str, str, Role | None]]:
    """Method, path and least role of each call."""
    found = []
    for route in desk.application.framework.routes:
        if not isinstance(route, HTTPRoute) or route.path.startswith("/api/schema"):
            continue
        for handler in route.route_handlers:
            for method in handler.http_methods - {"OPTIONS", "HEAD"}:
                assert ROLE_OPTION in handler.opt, f"{route.path} says for whom it is"
                path = re.sub(r"\{[^}]*\}", "999", route.path_format)
                found.append((str(method), path, handler.opt[ROLE_OPTION]))
    return found


def test_a_one_time_address_opens_one_session(desk: Desk) -> None:
    token = desk.link(Role.EDITOR, "小王")
    opened = desk.request("POST", LINK, {"token": token})
    assert opened.json()["rescont"]["name"] == "小王"
    said = opened.headers["set-cookie"].lower()
    assert all(one in said for one in ("httponly", "samesite=strict", "path=/"))
    me = desk.rescont("GET", "/api/session")
    assert (me["name"], me["role"]) == ("小王", "editor")
    desk.forget_cookies()
    again = desk.request("POST", LINK, {"token": token})
    assert (again.status_code, desk.cookies) == (401, {})
    assert desk.request("GET", "/api/session").status_code == 401


def test_it_ends_after_five_minutes(desk: Desk) -> None:
    token = desk.link()
    desk.time.now += LINK_MS
    assert desk.request("POST", LINK, {"token": token}).status_code == 401
    token = desk.link()
    desk.time.now += LINK_MS - 1
    assert desk.request("POST", LINK, {"token": token}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost:8000", "null", "http://localhost:91000"]
)
def test_a_page_of_another_origin_uses_no_address_up(desk: Desk, origin: str) -> None:
    token = desk.link()
    refused = desk.request("POST", LINK, {"token": token}, {"origin": origin})
    assert (refused.status_code, desk.cookies) == (403, {})
    assert desk.request("POST", LINK, {"token": token}).status_code == 200


def test_a_write_must_name_its_origin(desk: Desk) -> None:
    desk.log_in()
    assert desk.request("DELETE", "/api/session", headers={"origin": ""}).status_code == 403
    assert desk.request("GET", "/api/session").status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1:9100", "evil.example", "localhost", "localhost:80"])
@pytest.mark.parametrize("path", ["/", "/api/session", "/enter"])
def test_another_host_is_answered_nothing(desk: Desk, host: str, path: str) -> None:
    desk.log_in()
    assert desk.request("GET", path, headers={"host": host}).status_code == 403


def test_a_session_ends_when_it_is_idle_and_after_twelve_hours(desk: Desk) -> None:
    desk.log_in()
    desk.time.now += IDLE_MS - 1
    assert desk.request("GET", "/api/session").status_code == 200
    desk.time.now += IDLE_MS
    assert desk.request("GET", "/api/session").status_code == 401
    desk.log_in()
    for _ in range(LONGEST_MS // IDLE_MS * 2 - 1):
        desk.time.now += IDLE_MS // 2
        assert desk.request("GET", "/api/session").status_code == 200
    desk.time.now += IDLE_MS // 2
    assert desk.request("GET", "/api/session").status_code == 401


def test_what_a_page_asks_by_itself_keeps_no_session_alive(desk: Desk) -> None:
    desk.log_in()
    for _ in range(3):
        desk.time.now += IDLE_MS // 3
        answer = desk.request("GET", "/api/overview", headers={"x-background": "1"})
    assert answer.status_code == 401


def test_a_session_is_ended_at_once_from_another_one(desk: Desk) -> None:
    other = Desk(desk.services)
    other.log_in(Role.EDITOR, "小王")
    desk.log_in()
    listed = desk.rescont("GET", "/api/sessions")
    assert [(one["name"], one["is_mine"]) for one in listed] == [("站长", True), ("小王", False)]
    desk.rescont("DELETE", f"/api/sessions/{listed[1]['id']}")
    assert other.request("GET", "/api/session").status_code == 401
    assert desk.request("DELETE", "/api/sessions/999").status_code == 404
    other.close()


def test_logging_out_ends_the_session(desk: Desk) -> None:
    desk.log_in()
    kept = desk.cookies
    desk.rescont("DELETE", "/api/session")
    header = "; ".join(f"{name}={value}" for name, value in kept.items())
    assert desk.request("GET", "/api/session", headers={"cookie": header}).status_code == 401


def test_every_route_asks_for_a_session_and_a_role(desk: Desk) -> None:
    for method, path, role in routes(desk):
        desk.forget_cookies()
        assert (role is None) == (path in OPEN), path
        if role is None:
            continue
        assert desk.request(method, path).status_code == 401, path
    for held in Role:
        for method, path, role in routes(desk):
            if role is None:
                continue
            desk.log_in(held)
            is_refused = desk.request(method, path).status_code == 403
            assert is_refused == (not held.includes(role)), (held, method, path)
            desk.application.limits.reset()


def test_the_document_of_the_calls_is_the_owners(desk: Desk) -> None:
    assert desk.request("GET", "/api/schema/openapi.json").status_code == 401


def test_guessing_tokens_is_limited(desk: Desk) -> None:
    answers = [desk.request("POST", LINK, {"token": "A" * 43}).status_code for _ in range(11)]
    assert answers == [401] * 10 + [429]


@pytest.mark.parametrize("token", ["", "x", "A" * 42, "A" * 44, "é" * 43, "A" * 200])
def test_a_token_of_another_form_is_refused(desk: Desk, token: str) -> None:
    assert desk.request("POST", LINK, {"token": token}).status_code in {401, 422}


def test_over_tls_no_other_host_can_set_the_cookie(services: Services) -> None:
    desk = Desk(services, "https://console.example")
    desk.log_in()
    assert list(desk.cookies) == ["__Host-liuying_console"]
    opened = desk.request("POST", LINK, {"token": desk.link()})
    said = opened.headers["set-cookie"].lower()
    assert "secure" in said
    assert "domain" not in said
    desk.close()


def test_no_answer_is_framed_or_guessed_and_no_call_is_cached(services: Services) -> None:
    (folder := services.data_dir / "console").mkdir()
    (folder / "index.html").write_text("<title>控制台</title>")
    desk = Desk(services)
    for path in ("/", "/api/session", "/videos/12"):
        headers = desk.request("GET", path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "'unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        is_call = path.startswith("/api/")
        assert (headers["cache-control"] == "no-store") == is_call
    # Every page is the same document.
    assert desk.request("GET", "/videos/12").text == "<title>控制台</title>"
    desk.close()
