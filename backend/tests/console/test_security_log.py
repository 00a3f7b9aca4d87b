"""Attempts on the console are security events; they tell nobody's address and no token."""

from __future__ import annotations

import io

import pytest

from liuying.console.access import OPENING
from liuying.features.operators.rules import Role
from tests.console.desk import Desk
from tests.http.test_security_log import events, log

__all__ = ["log"]
LINK = "/api/session/link"


def noted(log: io.StringIO) -> list[tuple[str, str]]:
    return [(one["event"], one["message"].rpartition(": ")[2]) for one in events(log)]


@pytest.fixture
def desk(desk: Desk, log: io.StringIO) -> Desk:
    del log  # It listens from here on.
    return desk


def test_wrong_and_replayed_tokens(desk: Desk, log: io.StringIO) -> None:
    token = desk.link()
    desk.request("POST", LINK, {"token": "guessed"})
    desk.request("POST", LINK, {"token": token})
    assert noted(log) == [("console-login-refused", LINK)]
    desk.forget_cookies()
    desk.request("POST", LINK, {"token": token})
    assert noted(log) == [("console-login-refused", LINK)] * 2
    assert token not in log.getvalue()
    assert "guessed" not in log.getvalue()
    assert {len(one["network"]) for one in events(log)} == {8}


def test_foreign_pages_and_names(desk: Desk, log: io.StringIO) -> None:
    desk.log_in()
    desk.request("POST", LINK, {"token": "x"}, {"origin": "https://evil.example"})
    desk.request("GET", "/videos/12", headers={"host": "evil.example"})
    assert noted(log) == [("console-foreign", LINK), ("console-foreign", "page")]
    assert "evil" not in log.getvalue()


def test_roles_sessions_and_limits(desk: Desk, log: io.StringIO) -> None:
    desk.request("GET", "/api/audit")
    desk.log_in(Role.VIEWER)
    desk.request("GET", "/api/sessions")
    desk.request("DELETE", "/api/videos/105")
    for _ in range(OPENING.rules[0].most):
        answer = desk.request("POST", LINK, {"token": "guessed"})
    assert answer.status_code == 429
    found = noted(log)
    assert found[:3] == [
        ("console-session-refused", "/api/audit"),
        ("console-not-allowed", "/api/sessions"),
        ("console-not-allowed", "api"),
    ]
    assert found[-1] == ("console-limit-reached", LINK)


def test_what_is_answered_well_is_not_noted(desk: Desk, log: io.StringIO) -> None:
    desk.log_in()
    desk.request("GET", "/api/videos/9999")
    desk.request("GET", "/api/session")
    assert noted(log) == []
