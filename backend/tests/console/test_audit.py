"""The audit log: written with what it tells of, never changed, shown and exported."""

from __future__ import annotations

import csv
import io

import pytest
import sqlalchemy as sa

from liuying.features.audit.service import PAGE, Actor, Entry, append, noted
from liuying.features.operators.queries import insert_passkey
from liuying.features.operators.rules import Role
from liuying.kit.database import Database
from tests.catalogue_factory import NOW
from tests.console.desk import Desk

ACTOR = Actor("小王", "editor", 7)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def entries(database: Database) -> list[str]:
    with database.read() as connection:
        statement = sa.text("SELECT action FROM console_audit ORDER BY id")
        return list(connection.execute(statement).scalars())


def add_and_fail(database: Database, statement: sa.TextClause) -> None:
    entry = Entry("artist.add", "山野")
    with noted(database, lambda: NOW, ACTOR, entry), database.write() as connection:
        connection.execute(statement)
        _ = 1 / 0


def test_an_entry_is_there_with_what_it_tells_of_or_not_at_all(desk: Desk) -> None:
    database = desk.services.database
    statement = sa.text("INSERT INTO artist (name) VALUES ('山野')")
    with pytest.raises(ZeroDivisionError):
        add_and_fail(database, statement)
    assert entries(database) == []
    with noted(database, desk.time, ACTOR, Entry("artist.add", "山野")):
        with database.write() as connection:
            connection.execute(statement)
        with database.write():
            pass
    assert entries(database) == ["artist.add"]
    with noted(database, desk.time, ACTOR, Entry("backup.make", "备份")):
        pass
    assert entries(database) == ["artist.add", "backup.make"]
    with database.write():
        pass
    assert len(entries(database)) == 2


@pytest.mark.parametrize(
    "change", ["DELETE FROM console_audit", "UPDATE console_audit SET name=''"]
)
def test_the_database_refuses_to_change_an_entry(desk: Desk, change: str) -> None:
    database = desk.services.database
    with database.write() as connection:
        append(connection, ACTOR, Entry("video.edit", "视频 1"), NOW)
    with pytest.raises(sa.exc.DBAPIError, match="append-only"), database.write() as connection:
        connection.execute(sa.text(change))
    assert entries(database) == ["video.edit"]


def test_what_is_done_to_sessions_and_passkeys_is_noted(desk: Desk) -> None:
    desk.log_in(Role.OWNER, "老板")
    desk.rescont("DELETE", "/api/session")
    desk.log_in()
    data = desk.rescont("GET", "/api/audit")["data"]
    assert [(one["action"], one["name"]) for one in data] == [
        ("session.open", "站长"),
        ("session.end", "老板"),
        ("session.open", "老板"),
    ]


def test_it_says_whose_session_and_passkey_ended(desk: Desk) -> None:
    desk.log_in(Role.VIEWER, "看客")
    with desk.services.database.write() as connection:
        values = {"label": "手机", "name": "小王", "role": "editor", "created_at": NOW}
        insert_passkey(
            connection, {"credential_id": "x", "public_key": b"x", "sign_count": 0, **values}
        )
    desk.log_in()
    desk.rescont("DELETE", "/api/sessions/1")
    desk.rescont("DELETE", "/api/passkeys/1")
    passkey, session, *_ = desk.rescont("GET", "/api/audit")["data"]
    assert passkey["before"] == {"label": "手机", "name": "小王", "role": "editor"}
    assert session["before"]["name"] == "看客"


def test_entries_are_paged_newest_first_and_exported(desk: Desk) -> None:
    with desk.services.database.write() as connection:
        for number in range(PAGE + 5):
            entry = Entry("video.edit", f"视频 {number}", {"title": "=1+1"}, {"title": "新"})
            append(connection, ACTOR, entry, NOW)
    desk.log_in()
    first = desk.rescont("GET", "/api/audit")
    assert len(first["data"]) == PAGE
    rest = desk.rescont("GET", f"/api/audit?before={first['next_before']}")
    assert rest["data"][-1]["subject"] == "视频 0"
    assert rest["next_before"] is None
    assert rest["data"][-1]["before"] == {"title": "=1+1"}
    table = desk.request("GET", "/api/audit/export")
    rows = list(csv.reader(io.StringIO(table.content.decode("utf-8-sig"))))
    assert len(rows) == 1 + PAGE + 5 + 1
    assert rows[1][5:7] == ["video.edit", "视频 0"]


def test_a_cell_is_no_formula(desk: Desk) -> None:
    with desk.services.database.write() as connection:
        append(connection, ACTOR, Entry("notice.add", "=HYPERLINK(1)"), NOW)
    desk.log_in()
    assert "'=HYPERLINK(1)" in desk.request("GET", "/api/audit/export").text
