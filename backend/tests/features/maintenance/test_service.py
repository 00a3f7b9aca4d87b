"""Who asks, who begins, and what became of those that are gone: the database decides."""

from __future__ import annotations

import threading

import pytest

from liuying.features.maintenance import service
from liuying.features.maintenance.rules import LEASE_MS, MINUTE_MS, Kind, RunState, last_due
from liuying.features.maintenance.service import KEPT_RUNS, Schedule
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS
from liuying.kit.errors import ConflictError, NotFoundError
from tests.catalogue_factory import NOW

MINUTE = 1200
DUE = last_due(MINUTE, NOW)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def ask(services: Services, kind: Kind = Kind.BACKUP, now: int = NOW) -> int:
    with services.database.write() as connection:
        return int(service.ask_for(connection, kind, {}, "站长", now).id)


def claim(services: Services, now: int = NOW) -> int | None:
    with services.database.write() as connection:
        row = service.claim_next(connection, "machine", now)
    return None if row is None else int(row.id)


def plan(services: Services, now: int) -> None:
    with services.database.write() as connection:
        service.plan_due(connection, now)


def states(services: Services, kind: Kind = Kind.BACKUP) -> list[str]:
    with services.database.read() as connection:
        return [row.state for row in service.newest_runs(connection, kind)]


def schedule(services: Services, *, changed_at: int, is_on: bool = True) -> None:
    wanted = Schedule(is_on=is_on, minute=MINUTE, changed_at=changed_at)
    with services.database.write() as connection:
        service.set_schedule(connection, Kind.BACKUP, wanted)


def test_of_many_that_ask_at_once_one_begins_it(services: Services) -> None:
    told: list[str] = []
    start = threading.Barrier(4)

    def press() -> None:
        start.wait()
        try:
            ask(services)
            told.append("asked")
        except ConflictError as error:
            told.append(error.message)

    threads = [threading.Thread(target=press) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == ["asked", *[service.IN_PROGRESS[Kind.BACKUP]] * 3]
    assert states(services) == ["waiting"]


def test_of_many_processes_one_does_it(services: Services) -> None:
    ask(services)
    found: list[int | None] = []
    start = threading.Barrier(4)

    def take() -> None:
        start.wait()
        found.append(claim(services))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(one is not None for one in found) == 1
    assert states(services) == ["running"]


def test_kinds_do_not_wait_for_one_another(services: Services) -> None:
    ask(services)
    ask(services, Kind.DOCTOR)
    assert claim(services) is not None
    assert claim(services) is not None
    assert claim(services) is None


def test_what_is_due_is_asked_for_once(services: Services) -> None:
    schedule(services, changed_at=DUE - DAY_MS)
    for now in (DUE - 1, DUE, DUE, DUE + MINUTE_MS):
        plan(services, now)
        if (run := claim(services, now)) is not None:
            with services.database.write() as connection:
                service.end_run(connection, run, RunState.DONE, now, result={"summary": "好"})
    # Yesterday's was made up for at the first look.
    assert states(services) == ["done", "done"]


def test_a_schedule_makes_up_for_nothing_from_before_it(services: Services) -> None:
    schedule(services, changed_at=DUE + 1)
    plan(services, DUE + 2)
    assert states(services) == []
    plan(services, DUE + DAY_MS)
    assert states(services) == ["waiting"]


def test_nothing_is_due_without_a_schedule(services: Services) -> None:
    schedule(services, changed_at=0, is_on=False)
    plan(services, NOW)
    assert states(services) == []


def test_what_is_due_waits_for_one_that_runs(services: Services) -> None:
    run = ask(services)
    schedule(services, changed_at=0)
    plan(services, NOW)
    assert states(services) == ["waiting"]
    with services.database.write() as connection:
        service.end_run(connection, run, RunState.DONE, NOW)
    plan(services, NOW)
    assert states(services) == ["waiting", "done"]


def test_a_run_without_signs_of_life_has_failed(services: Services) -> None:
    run = ask(services)
    assert claim(services) == run
    with services.database.write() as connection:
        assert service.keep_run(connection, run, "写入", 5, 9, NOW + LEASE_MS)
        assert list(service.end_lapsed(connection, NOW + 2 * LEASE_MS)) == []
        assert len(list(service.end_lapsed(connection, NOW + 2 * LEASE_MS + 1))) == 1
        # Its process comes back: it may not say that it is done.
        assert not service.keep_run(connection, run, "写入", 6, 9, NOW)
        assert not service.end_run(connection, run, RunState.DONE, NOW)
    with services.database.read() as connection:
        view = service.run_view(service.newest_runs(connection, Kind.BACKUP)[0])
    assert (view.state, view.fault) == (RunState.FAILED, service.INTERRUPTED)


def test_one_that_waits_is_stopped_at_once_and_one_that_runs_is_told(services: Services) -> None:
    run = ask(services)
    with services.database.write() as connection:
        service.stop_run(connection, run, NOW)
    assert states(services) == ["stopped"]
    second = ask(services)
    claim(services)
    with services.database.write() as connection:
        service.stop_run(connection, second, NOW)
        assert not service.keep_run(connection, second, "写入", 0, 0, NOW)
    assert states(services) == ["running", "stopped"]
    with services.database.write() as connection, pytest.raises(NotFoundError):
        service.stop_run(connection, run, NOW)


def test_old_runs_are_forgotten(services: Services) -> None:
    for _ in range(KEPT_RUNS + 3):
        run = ask(services)
        with services.database.write() as connection:
            service.end_run(connection, run, RunState.DONE, NOW)
    with services.database.read() as connection:
        assert len(service.newest_runs(connection, Kind.BACKUP, 1000)) == KEPT_RUNS
