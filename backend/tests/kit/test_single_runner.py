"""One of several processes does what needs doing once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from liuying.installation.services import Services
from liuying.kit import single_runner
from liuying.kit.advisory_locks import AdvisoryLock
from liuying.kit.database import Database
from liuying.kit.database_errors import STOOD_STILL, database_reason
from liuying.kit.single_runner import SingleRunner
from tests.waiting import wait_until

END_OTHERS = (
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
def engine() -> str:
    return "postgresql"


@pytest.fixture
def runners(services: Services, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[SingleRunner]]:
    """Those of three processes, which ask every time."""
    monkeypatch.setattr(single_runner, "ASKED_AGAIN_S", 0.0)
    databases = [Database(services.database.url) for _ in range(3)]
    found = [SingleRunner(one) for one in databases]
    yield found
    for runner, database in zip(found, databases, strict=True):
        runner.close()
        database.close()


def test_one_holds_the_seat_until_it_leaves(runners: list[SingleRunner]) -> None:
    for _ in range(3):
        assert [one.is_ours() for one in runners] == [True, False, False]
    runners[0].close()
    # The server gives it up when it has noticed that the connection ended.
    wait_until(runners[2].is_ours)
    assert [one.is_ours() for one in reversed(runners)] == [True, False, False]


def test_who_does_not_get_it_asks_without_a_new_connection(runners: list[SingleRunner]) -> None:
    assert [one.is_ours() for one in runners[:2]] == [True, False]
    opened: list[object] = []
    sa.event.listen(runners[1]._database.engine, "connect", lambda *event: opened.append(event))
    for _ in range(5):
        assert not runners[1].is_ours()
    assert opened == []
    # Nothing of the pool holds it either.
    runners[0].close()
    wait_until(runners[1].is_ours)
    assert [one.is_ours() for one in runners[1:]] == [True, False]


def test_whoever_does_not_learn_whether_he_has_it_gives_it_up(
    runners: list[SingleRunner],
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("interrupted")

    engine = runners[0]._database.engine
    sa.event.listen(engine, "after_cursor_execute", fail)
    with pytest.raises(RuntimeError):
        runners[0].is_ours()
    sa.event.remove(engine, "after_cursor_execute", fail)
    wait_until(runners[1].is_ours)
    assert [one.is_ours() for one in (runners[1], runners[0])] == [True, False]


def test_a_lost_connection_gives_it_up(runners: list[SingleRunner], services: Services) -> None:
    assert [one.is_ours() for one in runners] == [True, False, False]
    with services.database.read() as connection:
        connection.exec_driver_sql(END_OTHERS)
    with pytest.raises(sa.exc.OperationalError):
        runners[0].is_ours()
    wait_until(runners[1].is_ours)
    assert [one.is_ours() for one in runners[1:]] == [True, False]
    assert not runners[0].is_ours()


def test_one_that_stands_still_gives_it_up(
    runners: list[SingleRunner], services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single_runner, "SILENT_S", 1)
    assert runners[0].is_ours()
    with services.database.read() as connection:
        # Waits for the server to end the other one.
        seat = AdvisoryLock.RUNNER.value
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({seat}), pg_advisory_unlock({seat})")
    assert [one.is_ours() for one in runners[1:]] == [True, False]
    with pytest.raises(sa.exc.DBAPIError) as caught:
        runners[0].is_ours()
    assert database_reason(caught.value) is STOOD_STILL
    assert not runners[0].is_ours()


def test_a_server_that_is_away_is_said_so(services: Services) -> None:
    nowhere = sa.make_url(services.database.url).set(port=1)
    database = Database(nowhere.render_as_string(hide_password=False))
    with pytest.raises(sa.exc.OperationalError):
        SingleRunner(database).is_ours()


def test_one_process_on_sqlite_always_holds_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('alone') / 'liuying.db'}")
    assert SingleRunner(database).is_ours()
    database.close()
