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
from liuying.kit.repeated_writes import REPEATED_WITHIN_MS, write_once, written_once
from tests.catalogue_factory import NOW

MARK = "0" * 64
PATIENCE_S = 20.0
WINDOW_S = REPEATED_WITHIN_MS // 1000


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def write(database: Database, mark: str, now: Milliseconds, answer: str) -> str:
    with database.write() as connection:
        return write_once(connection, mark, now, lambda: answer)


def marks(services: Services) -> list[str]:
    with services.database.read() as connection:
        return list(connection.execute(sa.select(written_once.c.mark)).scalars())


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
        assert write(services.database, mark, now, str(number)) == known[mark][1]


def test_the_second_waits_for_the_first_and_is_answered_like_it(services: Services) -> None:
    """As a visitor does who was told 503 while the commit went on."""
    another = Database(services.database.url)
    is_written, may_end = threading.Event(), threading.Event()

    def first() -> str:
        with services.database.write() as connection:
            answer = write_once(connection, MARK, NOW, lambda: "first")
            is_written.set()
            may_end.wait(PATIENCE_S)
        return answer

    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(first)
        is_written.wait(PATIENCE_S)
        two = pool.submit(write, another, MARK, NOW + 7000, "second")
        may_end.set()
        assert (one.result(PATIENCE_S), two.result(PATIENCE_S)) == ("first", "first")
    another.close()


def test_what_failed_is_written_by_the_next_one(services: Services) -> None:
    def fail() -> str:
        raise LookupError

    with pytest.raises(LookupError), services.database.write() as connection:
        write_once(connection, MARK, NOW, fail)
    assert write(services.database, MARK, NOW, "second") == "second"


def test_a_clock_that_was_set_back_swallows_nothing_for_long(services: Services) -> None:
    write(services.database, MARK, NOW, "first")
    assert write(services.database, MARK, NOW - REPEATED_WITHIN_MS, "second") == "first"
    assert write(services.database, MARK, NOW - REPEATED_WITHIN_MS - 1, "third") == "third"


def test_marks_are_forgotten(services: Services) -> None:
    write(services.database, MARK, NOW, "first")
    for waited, left in ((REPEATED_WITHIN_MS - 1, [MARK]), (REPEATED_WITHIN_MS, [])):
        later = msgspec.structs.replace(services, clock=lambda waited=waited: NOW + waited)
        Housekeeping(later).prune()
        assert marks(services) == left
