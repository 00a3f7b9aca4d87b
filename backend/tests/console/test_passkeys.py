"""Passkeys: enrolled in a session, opening later ones."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from liuying.features.operators.rules import CHALLENGE_MS, LONGEST_MS, Role
from liuying.features.operators.tables import console_session
from tests.console.authenticator import USER_PRESENT, Authenticator
from tests.console.desk import ORIGIN, Desk

OPTIONS, LOGIN = "/api/session/passkey/options", "/api/session/passkey"


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def passkey(desk: Desk) -> Authenticator:
    """Enrolled by an editor; nobody is logged in any more."""
    desk.log_in(Role.EDITOR, "小王")
    made = Authenticator(ORIGIN, "localhost")
    answer = made.enrol(desk.rescont("POST", "/api/passkeys/options"))
    added = desk.rescont("POST", "/api/passkeys", {"answer": answer, "label": "我的手机"})
    assert (added["label"], added["role"]) == ("我的手机", "editor")
    desk.forget_cookies()
    return made


def sign_in(desk: Desk, passkey: Authenticator) -> int:
    answer = passkey.sign(desk.rescont("POST", OPTIONS))
    return desk.request("POST", LOGIN, {"answer": answer}).status_code


def test_a_passkey_opens_a_session_of_its_role(desk: Desk, passkey: Authenticator) -> None:
    assert sign_in(desk, passkey) == 200
    me = desk.rescont("GET", "/api/session")
    assert (me["name"], me["role"], me["has_passkeys"]) == ("小王", "editor", True)


def test_an_answer_opens_one_session(desk: Desk, passkey: Authenticator) -> None:
    answer = passkey.sign(desk.rescont("POST", OPTIONS))
    assert desk.request("POST", LOGIN, {"answer": answer}).status_code == 200
    assert desk.request("POST", LOGIN, {"answer": answer}).status_code == 401


def test_a_challenge_is_over_after_two_minutes(desk: Desk, passkey: Authenticator) -> None:
    answer = passkey.sign(desk.rescont("POST", OPTIONS))
    desk.time.now += CHALLENGE_MS
    assert desk.request("POST", LOGIN, {"answer": answer}).status_code == 401


def test_a_page_of_another_origin_cannot_pass_an_answer_on(
    desk: Desk, passkey: Authenticator
) -> None:
    passkey.origin = "http://localhost:8000"
    assert sign_in(desk, passkey) == 401


def test_a_passkey_of_another_host_or_nobody_is_refused(desk: Desk, passkey: Authenticator) -> None:
    assert sign_in(desk, Authenticator(ORIGIN, "localhost")) == 401
    passkey.host = "evil.example"
    assert sign_in(desk, passkey) == 401


def test_the_authenticator_must_verify_its_user(desk: Desk, passkey: Authenticator) -> None:
    passkey.flags = USER_PRESENT
    assert sign_in(desk, passkey) == 401


def test_a_removed_passkey_opens_nothing_and_its_sessions_end(
    desk: Desk, passkey: Authenticator
) -> None:
    phone = Desk(desk.services)
    assert sign_in(phone, passkey) == 200
    desk.log_in()
    number = desk.rescont("GET", "/api/passkeys")[0]["id"]
    desk.rescont("DELETE", f"/api/passkeys/{number}")
    assert phone.request("GET", "/api/session").status_code == 401
    assert sign_in(phone, passkey) == 401
    assert desk.request("DELETE", f"/api/passkeys/{number}").status_code == 404
    phone.close()


def test_sessions_that_are_over_are_not_kept(desk: Desk, passkey: Authenticator) -> None:
    assert sign_in(desk, passkey) == 200
    desk.time.now += LONGEST_MS
    assert sign_in(desk, passkey) == 200
    with desk.services.database.read() as connection:
        count = sa.select(sa.func.count()).select_from(console_session)
        assert connection.execute(count).scalar_one() == 1


def test_an_enrolment_belongs_to_its_session(desk: Desk, passkey: Authenticator) -> None:
    del passkey
    desk.log_in(Role.VIEWER, "小李")
    made = Authenticator(ORIGIN, "localhost")
    answer = made.enrol(desk.rescont("POST", "/api/passkeys/options"))
    body = {"answer": answer, "label": "电脑"}
    desk.log_in(Role.OWNER)
    assert desk.request("POST", "/api/passkeys", body).status_code == 422
    # A login's challenge enrols nothing either.
    answer = made.enrol(desk.rescont("POST", OPTIONS))
    assert desk.request("POST", "/api/passkeys", {**body, "answer": answer}).status_code == 422


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"response": 1},
        {"response": {}},
        {"response": {"clientDataJSON": "!!"}},
        {"response": {"clientDataJSON": "e30"}},
        {"id": 1, "response": {"clientDataJSON": "W10"}},
    ],
)
def test_an_answer_of_no_form_is_refused(desk: Desk, answer: dict[str, Any]) -> None:
    assert desk.request("POST", LOGIN, {"answer": answer}).status_code == 401
    desk.log_in()
    body = {"answer": answer, "label": "电脑"}
    assert desk.request("POST", "/api/passkeys", body).status_code == 422
