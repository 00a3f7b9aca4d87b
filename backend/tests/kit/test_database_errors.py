"""What a database says when it cannot be used, caught from the databases themselves."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from liuying.kit import database_errors
from liuying.kit.database import Database
from liuying.kit.database_errors import DatabaseReason, database_fault, database_reason

FILL = "INSERT INTO one SELECT zeroblob(100000)"


def fill(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA max_page_count = 3")
        connection.execute(FILL)


def write_where_it_is_forbidden(path: Path) -> None:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute(FILL)


def write_beside_another(path: Path) -> None:
    with (
        closing(sqlite3.connect(path)) as holder,
        closing(sqlite3.connect(path, timeout=0)) as connection,
    ):
        holder.execute("BEGIN IMMEDIATE")
        connection.execute(FILL)


def read_nonsense(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT * FROM one")


def open_nothing(path: Path) -> None:
    sqlite3.connect(path / "none").close()


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (fill, database_errors.FULL),
        (write_where_it_is_forbidden, database_errors.READ_ONLY),
        (write_beside_another, database_errors.LOCKED),
        (read_nonsense, database_errors.NO_DATABASE),
        (open_nothing, database_errors.UNOPENED),
    ],
)
def test_what_sqlite_says(
    tmp_path: Path, act: Callable[[Path], None], reason: DatabaseReason
) -> None:
    path = tmp_path / "one.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE one (content BLOB)")
    with pytest.raises(sqlite3.DatabaseError) as caught:
        act(path)
    assert database_reason(caught.value) is reason
    assert database_fault(caught.value) == reason.chinese


def ask(url: sa.URL, *statements: str, **options: str) -> None:
    engine = sa.create_engine(url, **options)
    try:
        with engine.connect() as connection:
            for statement in statements:
                connection.execute(sa.text(statement))
    finally:
        engine.dispose()


def said_by(url: sa.URL, *statements: str) -> sa.exc.DBAPIError:
    with pytest.raises(sa.exc.DBAPIError) as caught:
        ask(url, *statements)
    return caught.value


def test_what_postgresql_says(postgres: str) -> None:
    url = sa.make_url(postgres)
    assert database_reason(said_by(url.set(database="nowhere"))) is database_errors.NO_SUCH
    assert database_reason(said_by(url.set(username="nobody"))) is database_errors.NO_USER
    read_only = said_by(url, "SET TRANSACTION READ ONLY", "CREATE TABLE one (id INT)")
    assert database_reason(read_only) is database_errors.READ_ONLY
    assert (
        database_reason(said_by(url, "SELECT pg_terminate_backend(pg_backend_pid())"))
        is database_errors.STOPPING
    )
    for server in ("a@127.0.0.1:1/b", "a@/b?host=/nowhere"):
        gone = said_by(sa.make_url(f"postgresql+psycopg://{server}"))
        assert database_reason(gone) is database_errors.UNREACHED
    # Whatever else it refuses, the cause is not hidden.
    refused = psycopg.OperationalError(
        'connection failed: FATAL:  no pg_hba.conf entry for host "10.0.0.1"'
    )
    assert "pg_hba.conf" in database_fault(sa.exc.OperationalError("", {}, refused))


@pytest.mark.parametrize(
    "words",
    [
        "the connection is lost",
        "the connection is closed",
        "consuming input failed: SSL error: unexpected eof while reading",
        "consuming input failed: SSL connection has been closed unexpectedly",
        "consuming input failed: could not receive data from server: Connection reset by peer",
        "sending query failed: could not send data to server: Broken pipe",
    ],
)
def test_what_is_said_of_a_connection_that_broke(words: str) -> None:
    broken = sa.exc.OperationalError("", {}, psycopg.OperationalError(words))
    assert database_reason(broken) is database_errors.UNREACHED


@pytest.mark.parametrize(
    "words",
    [
        "starting up",
        "shutting down",
        "in recovery mode",
        "not yet accepting connections",
        "not accepting connections",
    ],
)
def test_what_a_server_says_until_it_is_ready(words: str) -> None:
    """It refuses connections without a code that the driver would tell."""
    said = f'connection to server at "127.0.0.1" failed: FATAL:  the database system is {words}'
    refused = sa.exc.OperationalError("", {}, psycopg.OperationalError(said))
    assert database_reason(refused) is database_errors.STOPPING


def test_a_standby_is_not_connected_to(postgres: str) -> None:
    """A proxy in front of several servers may lead there, at its start or through a fault of its
    own.
    """
    url = sa.make_url(postgres).set(database="standby")
    ask(
        sa.make_url(postgres),
        "CREATE DATABASE standby",
        "ALTER DATABASE standby SET default_transaction_read_only = on",
        isolation_level="AUTOCOMMIT",
    )
    database = Database(url.render_as_string(hide_password=False))
    try:
        with pytest.raises(sa.exc.OperationalError) as caught, database.read():
            pass
    finally:
        database.close()
    assert database_reason(caught.value) is database_errors.STANDBY


def test_what_is_not_known_is_quoted_in_a_line() -> None:
    said = psycopg.OperationalError("something new\nand more")
    assert database_fault(sa.exc.OperationalError("", {}, said)) == "something new"
    assert database_fault(sqlite3.OperationalError()) == "OperationalError"
