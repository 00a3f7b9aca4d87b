"""What is sent again within ten minutes is written once, on both databases."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liuying.http.housekeeping import Housekeeping
from liuying.installation.services import Services
from liuying.kit.clock import Milliseconds
from liuying.kit.database import Database
from liuying.kit.keyed_hashes import KeyedHashes
from liuying.kit.repeated_writes import (
    REPEATED_WITHIN_MS,
    prune_written,
    write_once,
    written_once,
)
from tests.catalogue_factory import NOW
from tests.waiting import wait_until

HASHES = KeyedHashes(bytes(32))
SENT = ("feedback", "203.0.113.7", "no sound")
# The last moment of a period.
LAST = NOW - NOW % REPEATED_WITHIN_MS + REPEATED_WITHIN_MS - 1
PATIENCE_S = 20.0
WINDOW_S = REPEATED_WITHIN_MS // 1000
WAITING = (
    "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND wait_event_type = 'Lock'"
    " AND left(query, 24) = 'INSERT INTO written_once' AND datname = current_database()"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def write(database: Database, now: Milliseconds, answer: str, sent: tuple[str, ...] = SENT) -> str:
    with database.write() as connection:
        return write_once(connection, HASHES, sent, now, lambda: answer)


def marks(services: Services) -> set[str]:
    with services.database.read() as connection:
        return set(connection.execute(sa.select(written_once.c.mark)).scalars())


# What is sent, and how many seconds after what was sent before.
Sent = st.tuples(st.sampled_from("ab"), st.integers(0, 2 * WINDOW_S))


@given(st.lists(Sent, max_size=12))
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_it_is_as_a_memory_of_ten_minutes(services: Services, sent: list[tuple[str, int]]) -> None:
    with services.database.write() as connection:
        connection.execute(sa.delete(written_once))
    now, known = NOW, dict[str, tuple[int, str]]()
    for number, (mark, seconds) in enumerate(sent):
        now += 1000 * seconds
        began, _ = known.get(mark, (-REPEATED_WITHIN_MS, ""))
        if now - began >= REPEATED_WITHIN_MS:
            known[mark] = (now, str(number))
        assert write(services.database, now, str(number), (mark,)) == known[mark][1]


def is_waiting(database: Database) -> bool:
    with database.read() as connection:
        return connection.exec_driver_sql(WAITING).first() is not None


@pytest.mark.parametrize("moments", [(LAST, LAST), (LAST, LAST + 7000), (LAST + 7000, LAST)])
def test_the_second_waits_for_the_first_and_is_answered_like_it(
    services: Services, moments: tuple[int, int]
) -> None:
    """As a visitor does who was told 503 while the commit went on; also where a period of the marks
    ends in between, or the second one's machine is behind.
    """
    another = Database(services.database.url)
    is_written, may_end = threading.Event(), threading.Event()

    def first() -> str:
        with services.database.write() as connection:
            answer = write_once(connection, HASHES, SENT, moments[0], lambda: "first")
            is_written.set()
            may_end.wait(PATIENCE_S)
        return answer

    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(first)
        is_written.wait(PATIENCE_S)
        two = pool.submit(write, another, moments[1], "second")
        try:
            if not another.is_sqlite:  # There the second one waits before it says anything.
                wait_until(lambda: is_waiting(services.database))
        finally:
            may_end.set()
        assert (one.result(PATIENCE_S), two.result(PATIENCE_S)) == ("first", "first")
    another.close()


def test_what_failed_is_written_by_the_next_one(services: Services) -> None:
    def fail() -> str:
        raise LookupError

    with pytest.raises(LookupError), services.database.write() as connection:
        write_once(connection, HASHES, SENT, NOW, fail)
    assert write(services.database, NOW, "second") == "second"


def test_a_clock_that_was_set_back_swallows_nothing_for_long(services: Services) -> None:
    write(services.database, NOW, "first")
    assert write(services.database, NOW - REPEATED_WITHIN_MS, "second") == "first"
    assert write(services.database, NOW - REPEATED_WITHIN_MS - 1, "third") == "third"


def test_marks_are_forgotten(services: Services) -> None:
    write(services.database, NOW, "first")
    written = marks(services)
    for waited, left in ((REPEATED_WITHIN_MS - 1, written), (REPEATED_WITHIN_MS, set())):
        later = msgspec.structs.replace(services, clock=lambda waited=waited: NOW + waited)
        Housekeeping(later).prune()
        assert marks(services) == left


def test_marks_of_two_times_do_not_tell_that_it_was_the_same(services: Services) -> None:
    """In two back-ups, say."""
    write(services.database, NOW, "first")
    before = marks(services)
    later = NOW + 2 * REPEATED_WITHIN_MS
    with services.database.write() as connection:
        prune_written(connection, later)
    write(services.database, later, "second")
    assert before
    assert not before & marks(services)
