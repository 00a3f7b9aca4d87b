"""The ledger on both databases: one claimer, leases, steps, and no word from those who lost
a job.
"""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy as sa

from liuying.core.jobs import service
from liuying.core.jobs.queries import ledger
from liuying.core.jobs.queries.ledger import Claim, NewJob
from liuying.core.jobs.queries.queue import jobs_of_state
from liuying.core.jobs.rules import (
    LEASE_MS,
    MAX_ATTEMPTS,
    MAX_FAILURES,
    REST_STEP,
    Cause,
    Fault,
    State,
)
from liuying.core.jobs.service import JobView
from liuying.core.jobs.tables import job
from liuying.installation.services import Services
from liuying.kit.clock import DAY_MS, to_iso
from liuying.kit.errors import InvalidInputError, NotFoundError
from tests.catalogue_factory import NOW

FULL = Cause(Fault.DISK_FULL, "磁盘空间不足", "The disk is full")
REFUSED = Cause(Fault.REFUSED, "文件是空的", "The file has no bytes")
CLAIMERS, JOBS = 6, 60


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class Ledger:
    """Each step in a transaction of its own, as workers have it."""

    def __init__(self, services: Services) -> None:
        self.database = services.database

    def put(self, source: str = "/a.mp4", priority: int = 1, now: int = NOW) -> tuple[int, bool]:
        with self.database.write() as connection:
            new = NewJob(source=source, wanted={"given": {"title": "海"}}, priority=priority)
            return ledger.enqueue(connection, new, now)

    def claim(self, owner: str = "one", now: int = NOW) -> Claim | None:
        with self.database.write() as connection:
            return ledger.claim(connection, owner, now)

    def must_claim(self, owner: str = "one", now: int = NOW) -> Claim:
        held = self.claim(owner, now)
        assert held is not None
        return held

    def do(self, step: Any, *arguments: Any) -> Any:
        with self.database.write() as connection:
            return step(connection, *arguments)

    def job(self, job_id: int) -> JobView:
        with self.database.read() as connection:
            return service.get_job(connection, job_id)

    def row(self, job_id: int) -> Any:
        with self.database.read() as connection:
            return connection.execute(sa.select(job).where(job.c.id == job_id)).one()


@pytest.fixture
def book(services: Services) -> Ledger:
    return Ledger(services)


def test_a_file_waits_once(book: Ledger) -> None:
    first, is_new = book.put()
    assert (is_new, book.put()) == (True, (first, False))
    held = book.must_claim()
    assert book.put() == (first, False)
    book.do(ledger.finish, held, 7, NOW)
    second, is_new = book.put()
    assert (is_new, second > first) == (True, True)


def test_the_most_urgent_goes_first(book: Ledger) -> None:
    ids = [book.put(f"/{number}.mp4", priority)[0] for number, priority in enumerate([1, 11, 0, 1])]
    assert [book.must_claim(str(turn)).job_id for turn in range(4)] == [
        ids[2],
        ids[0],
        ids[3],
        ids[1],
    ]
    assert book.claim("late") is None


def test_no_two_claimers_get_the_same_job(book: Ledger) -> None:
    for number in range(JOBS):
        book.put(f"/{number}.mp4")
    together = threading.Barrier(CLAIMERS)

    def take(name: int) -> list[int]:
        together.wait()
        taken: list[int] = []
        # With others on the same row PostgreSQL may find nothing for a moment.
        while book.do(ledger.is_due, NOW):
            held = book.claim(f"{name}:{len(taken)}")
            if held is not None:
                taken.append(held.job_id)
        return taken

    with ThreadPoolExecutor(CLAIMERS) as pool:
        taken = [one for found in pool.map(take, range(CLAIMERS)) for one in found]
    assert Counter(taken) == Counter(dict.fromkeys(range(1, JOBS + 1), 1))


def test_a_lease_that_ran_out_is_claimed_again(book: Ledger) -> None:
    job_id, _ = book.put()
    first = book.must_claim("first")
    assert book.claim("second", NOW + LEASE_MS - 1) is None
    assert book.do(ledger.beat, first, 0.4, "360P", NOW + LEASE_MS - 1) is True
    assert book.claim("second", NOW + 2 * LEASE_MS - 2) is None
    second = book.must_claim("second", NOW + 2 * LEASE_MS - 1)
    assert (second.job_id, second.wanted) == (job_id, {"given": {"title": "海"}})
    assert (book.job(job_id).attempt, book.job(job_id).progress) == (2, 0.4)


def test_who_lost_a_job_changes_nothing_of_it(book: Ledger) -> None:
    job_id, _ = book.put()
    lost = book.must_claim("lost")
    book.must_claim("owner", NOW + LEASE_MS)
    before = book.row(job_id)
    late = NOW + LEASE_MS + 1
    assert book.do(ledger.finish, lost, 9, late) is False
    assert book.do(ledger.fail, lost, FULL, late) is None
    assert book.do(ledger.beat, lost, 0.9, "清晰度", late) is False
    assert book.do(ledger.note_published, lost) is False
    assert book.do(ledger.release, lost, late) is False
    assert book.do(ledger.is_held, lost) is False
    assert book.row(job_id) == before


def test_a_cancelled_job_stays_so(book: Ledger) -> None:
    job_id, _ = book.put()
    held = book.must_claim()
    book.do(service.cancel_job, job_id, NOW)
    assert book.do(ledger.is_held, held) is False
    assert book.do(ledger.finish, held, 9, NOW) is False
    assert book.job(job_id).state is State.CANCELLED
    assert book.claim("other", NOW + DAY_MS) is None


def test_failures_wait_longer_and_end(book: Ledger) -> None:
    job_id, _ = book.put()
    now, waits = NOW, []
    for _ in range(MAX_FAILURES[Fault.DISK_FULL]):
        held = book.must_claim(f"at {now}", now)
        book.do(ledger.fail, held, FULL, now)
        due = book.row(job_id).due_at
        if due is not None:
            assert book.claim("early", due - 1) is None
            waits.append(due - now)
            now = due
    assert waits == [30_000, 120_000, 480_000, 1_920_000, 3_600_000]
    found = book.job(job_id)
    assert (found.state, found.fault, found.cause, found.cause_en) == (
        State.FAILED,
        "disk_full",
        FULL.text,
        FULL.english,
    )
    assert book.claim("never", now + DAY_MS) is None


def test_a_refused_file_fails_at_once(book: Ledger) -> None:
    job_id, _ = book.put()
    assert book.do(ledger.fail, book.must_claim(), REFUSED, NOW) is State.FAILED
    assert (book.job(job_id).ended_at, book.job(job_id).next_at) == (to_iso(NOW), None)


def test_a_published_first_rung_is_a_step(book: Ledger) -> None:
    long_id, _ = book.put("/long.mp4")
    book.do(ledger.fail, book.must_claim("a"), FULL, NOW)
    held = book.must_claim("b", NOW + 30_000)
    book.put("/other.mp4", now=NOW + 30_000)
    assert book.do(ledger.is_more_urgent_due, held, NOW + 30_000) is False
    for _ in range(2):  # a second time changes nothing
        assert book.do(ledger.note_published, held) is True
        found = book.job(long_id)
        assert (found.priority, found.attempt, found.failures, found.cause) == (
            1 + REST_STEP,
            1,
            0,
            "",
        )
    assert book.do(ledger.is_more_urgent_due, held, NOW + 30_000) is True
    book.do(ledger.release, held, NOW + 30_000)
    assert book.job(long_id).attempt == 0
    assert book.must_claim("c", NOW + 30_000).source == "/other.mp4"
    assert book.must_claim("d", NOW + 30_000).source == "/long.mp4"


def test_a_file_that_takes_its_worker_along_is_given_up(book: Ledger) -> None:
    job_id, _ = book.put()
    now = NOW
    for number in range(MAX_ATTEMPTS):
        assert book.must_claim(str(number), now).job_id == job_id
        now += LEASE_MS
    assert book.claim("once more", now) is None
    found = book.job(job_id)
    assert (found.state, found.fault, found.worker) == (State.FAILED, "killed", None)


def test_what_the_operator_may_change(book: Ledger) -> None:
    job_id, _ = book.put()
    held = book.must_claim()
    with pytest.raises(InvalidInputError, match="任务 1 进行中，不能重试"):
        book.do(service.retry_job, job_id, NOW)
    book.do(ledger.fail, held, FULL, NOW)
    book.do(service.retry_job, job_id, NOW)  # does not wait for its next try
    assert book.do(ledger.fail, book.must_claim("b"), REFUSED, NOW) is State.FAILED
    with pytest.raises(InvalidInputError, match="任务 1 失败，不能取消"):
        book.do(service.cancel_job, job_id, NOW)
    twin, _ = book.put()
    with pytest.raises(InvalidInputError, match=f"任务 1 的文件已在任务 {twin} 里"):
        book.do(service.retry_job, job_id, NOW)
    book.do(service.cancel_job, twin, NOW)
    book.do(service.retry_job, job_id, NOW)
    found = book.job(job_id)
    assert (found.state, found.attempt, found.failures, found.ended_at) == (
        State.WAITING,
        0,
        0,
        None,
    )
    book.do(ledger.finish, book.must_claim("c"), 5, NOW)
    with pytest.raises(InvalidInputError, match="完成，不能重试"):
        book.do(service.retry_job, job_id, NOW)
    with pytest.raises(NotFoundError, match="没有编号为 99 的任务"):
        book.do(service.cancel_job, 99, NOW)


def test_what_is_over_is_forgotten(book: Ledger) -> None:
    steps: list[tuple[Any, ...]] = [(ledger.finish, 1), (ledger.fail, REFUSED), (ledger.release,)]
    for number, (step, *more) in enumerate(steps):
        book.put(f"/{number}.mp4", priority=number)
        book.do(step, book.must_claim(str(number)), *more, NOW)
    with book.database.read() as connection:
        queue = service.measure_queue(connection, NOW + 5000)
        assert (queue.waiting, queue.running, queue.done, queue.failed, queue.oldest_wait_ms) == (
            1,
            0,
            1,
            1,
            5000,
        )
    book.do(service.prune_jobs, NOW + 30 * DAY_MS)
    assert book.job(1).state is State.DONE
    book.do(service.prune_jobs, NOW + 30 * DAY_MS + 1)
    with pytest.raises(NotFoundError):
        book.job(1)
    assert book.do(jobs_of_state, State.FAILED) == [2]
    with pytest.raises(InvalidInputError):
        book.do(service.clear_jobs, [State.WAITING, State.DONE])
    assert book.do(service.clear_jobs, [State.FAILED]) == 1
    assert book.job(3).state is State.WAITING
