"""The ledger as workers use it: each function is one step inside the caller's transaction.

Each claim has its own owner, which every later step names: a worker that lost a job can no longer
change it.
"""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.core.jobs.rules import (
    LEASE_MS,
    MAX_ATTEMPTS,
    REST_STEP,
    Cause,
    Fault,
    Kind,
    State,
    judge,
)
from liuying.core.jobs.tables import job
from liuying.kit.clock import Milliseconds
from liuying.kit.inserting import insert_if_absent

CAUSE_LENGTH = 400
NO_CAUSE = {"fault": "", "cause": "", "cause_en": ""}
LOST = Cause(
    Fault.KILLED,
    f"处理进程反复中断，已试 {MAX_ATTEMPTS} 次",
    f"The worker ended {MAX_ATTEMPTS} times while it was at this file",
)


class NewJob(msgspec.Struct, frozen=True, kw_only=True):
    """A new entry of the ledger.

    Attributes:
        source: Absolute path of the file; of a video that is mended, what names it.
        wanted: The metadata given for it, as JSON.
        priority: Lower goes first.
        kind: What is to be done.
    """

    source: str
    wanted: dict[str, Any]
    priority: int
    kind: Kind = Kind.IMPORT


class Claim(msgspec.Struct, frozen=True):
    """A job held by this process as long as it renews the lease.

    Attributes:
        job_id: Its number.
        owner: Unique to this claim.
        source: The file.
        wanted: The metadata given for it.
        kind: What is to be done.
    """

    job_id: int
    owner: str
    source: str
    wanted: dict[str, Any]
    kind: Kind = Kind.IMPORT


def enqueue(connection: sa.Connection, new: NewJob, now: Milliseconds) -> tuple[int, bool]:
    """Add a file to the ledger unless it already waits there.

    Returns:
        The job's id, and whether it is new.
    """
    values = {
        "kind": new.kind.value,
        "source": new.source,
        "wanted": new.wanted,
        "state": State.WAITING.value,
        "priority": new.priority,
        "due_at": now,
        "created_at": now,
    }
    statement = sa.select(job.c.id).where(job.c.source == new.source, job.c.due_at.is_not(None))
    while True:
        is_new = insert_if_absent(connection, job, values)
        job_id = connection.execute(statement).scalar()
        if job_id is not None:  # Otherwise the conflicting job has just ended.
            return int(job_id), is_new


def hold_back(connection: sa.Connection, job_id: int, until: Milliseconds) -> None:
    """Let nobody claim a new job before its files are where a worker finds them."""
    connection.execute(sa.update(job).where(job.c.id == job_id).values(due_at=until))


def let_go(connection: sa.Connection, job_id: int, now: Milliseconds) -> None:
    """Its files are there. A job that was claimed meanwhile, or waits after a failure, stays as it
    is.
    """
    is_held = (job.c.id == job_id, job.c.state == State.WAITING.value, job.c.failures == 0)
    connection.execute(sa.update(job).where(*is_held).values(due_at=now))


def is_named(connection: sa.Connection, content: str) -> bool:
    """Whether a job that is open or may be retried names some content of the inbox."""
    may_go_on = sa.or_(job.c.due_at.is_not(None), job.c.state == State.FAILED.value)
    names = sa.cast(job.c.wanted, sa.Text).contains(content)
    statement = sa.select(job.c.id).where(may_go_on, names).limit(1)
    return connection.execute(statement).first() is not None


def wanted_of(connection: sa.Connection, job_id: int) -> dict[str, Any]:
    """What is said of a job's file now; empty where there is no such job."""
    return connection.execute(sa.select(job.c.wanted).where(job.c.id == job_id)).scalar() or {}


def change_wanted(connection: sa.Connection, job_id: int, wanted: dict[str, Any]) -> None:
    """Say something else of a job's file: who claims it next reads that, and who has claimed it
    compares it with what he read.
    """
    connection.execute(sa.update(job).where(job.c.id == job_id).values(wanted=wanted))


def is_due(connection: sa.Connection, now: Milliseconds) -> bool:
    """Whether anything can be claimed. It only reads, so idle workers take no lock."""
    return connection.execute(_most_urgent(now)).first() is not None


def is_leased(connection: sa.Connection) -> bool:
    """Whether any job is being worked on, or was left by a worker that died."""
    statement = sa.select(job.c.id).where(job.c.state == State.RUNNING.value)
    return connection.execute(statement.limit(1)).first() is not None


def _most_urgent(now: Milliseconds) -> sa.Select[tuple[int]]:
    return (
        sa.select(job.c.id).where(job.c.due_at <= now).order_by(job.c.priority, job.c.id).limit(1)
    )


def claim(connection: sa.Connection, owner: str, now: Milliseconds) -> Claim | None:
    """Claim the most urgent due job; two processes never get the same one.

    Args:
        owner: A text that no other claim ever uses.
    """
    _give_up_lost(connection, now)
    # PostgreSQL skips rows that another transaction is claiming; SQLite has one writer and ignores
    # the lock.
    most_urgent = _most_urgent(now).with_for_update(skip_locked=True).scalar_subquery()
    statement = (
        sa.update(job)
        .where(job.c.id == most_urgent)
        .values(
            state=State.RUNNING.value,
            lease_owner=owner,
            due_at=now + LEASE_MS,
            attempt=job.c.attempt + 1,
            started_at=sa.func.coalesce(job.c.started_at, now),
            stage="",
        )
        .returning(job.c.id, job.c.source, job.c.wanted, job.c.kind)
    )
    row = connection.execute(statement).first()
    if row is None:
        return None
    return Claim(row.id, owner, row.source, row.wanted, Kind(row.kind))


def _give_up_lost(connection: sa.Connection, now: Milliseconds) -> None:
    """A job whose claims all ended with their process is not retried for ever."""
    is_hopeless = sa.and_(job.c.state == State.RUNNING.value, job.c.attempt >= MAX_ATTEMPTS)
    connection.execute(
        sa.update(job).where(job.c.due_at <= now, is_hopeless).values(**_failed(LOST, now))
    )


def is_held(connection: sa.Connection, held: Claim) -> bool:
    """Whether a job still belongs to this claim: neither cancelled nor claimed by another."""
    return connection.execute(sa.select(job.c.id).where(*_held(held))).first() is not None


def is_cancelled(connection: sa.Connection, held: Claim) -> bool:
    """Whether the operator cancelled a job."""
    state = connection.execute(sa.select(job.c.state).where(job.c.id == held.job_id)).scalar()
    return state is not None and State(state) is State.CANCELLED


def beat(
    connection: sa.Connection, held: Claim, progress: float, stage: str, now: Milliseconds
) -> bool:
    """Renew a lease and report progress; False if the job no longer belongs to this claim."""
    return _change(connection, held, due_at=now + LEASE_MS, progress=progress, stage=stage)


def note_published(connection: sa.Connection, held: Claim) -> bool:
    """The first rendition is playable: the job has made a step, and the rest is less urgent.

    Returns:
        False if the job no longer belongs to this claim.
    """
    # From the row itself: a job that continues after a kill has made its step before.
    rest = sa.case((job.c.priority < REST_STEP, job.c.priority + REST_STEP), else_=job.c.priority)
    return _change(connection, held, priority=rest, attempt=1, failures=0, **NO_CAUSE)


def is_more_urgent_due(connection: sa.Connection, held: Claim, now: Milliseconds) -> bool:
    """Whether a more urgent job than the rest of this one is waiting."""
    own = sa.select(job.c.priority).where(job.c.id == held.job_id).scalar_subquery()
    return connection.execute(_most_urgent(now).where(job.c.priority < own)).first() is not None


def release(connection: sa.Connection, held: Claim, now: Milliseconds) -> bool:
    """Return a job as if it had not been claimed: another worker continues at once."""
    values = {"state": State.WAITING.value, "lease_owner": None, "due_at": now, "stage": ""}
    return _change(connection, held, attempt=job.c.attempt - 1, **values)


def finish(connection: sa.Connection, held: Claim, video_id: int | None, now: Milliseconds) -> bool:
    """Mark a job as done; False if it no longer belongs to this claim."""
    values = {
        "state": State.DONE.value,
        "due_at": None,
        "lease_owner": None,
        "video_id": video_id,
        "ended_at": now,
    }
    return _change(connection, held, progress=1.0, stage="", **NO_CAUSE, **values)


def fail(connection: sa.Connection, held: Claim, cause: Cause, now: Milliseconds) -> State | None:
    """Mark a job as failed: it is retried later or waits for the operator.

    Returns:
        Its new state; None if it no longer belongs to this claim.
    """
    before = connection.execute(sa.select(job.c.failures).where(*_held(held))).scalar()
    if before is None:
        return None
    failures = before + 1
    verdict = judge(cause.fault, failures, now)
    values = _failed(cause, now) | {
        "state": verdict.state.value,
        "due_at": verdict.due_at,
        "failures": failures,
    }
    if verdict.state is State.WAITING:
        values["ended_at"] = None
    return verdict.state if _change(connection, held, **values) else None


def _failed(cause: Cause, now: Milliseconds) -> dict[str, Any]:
    return {
        "state": State.FAILED.value,
        "lease_owner": None,
        "due_at": None,
        "stage": "",
        "fault": cause.fault.value,
        "cause": cause.text[:CAUSE_LENGTH],
        "cause_en": cause.english[:CAUSE_LENGTH],
        "ended_at": now,
    }


def _held(held: Claim) -> tuple[sa.ColumnElement[bool], ...]:
    return (job.c.id == held.job_id, job.c.lease_owner == held.owner)


def _change(connection: sa.Connection, held: Claim, **values: object) -> bool:
    statement = sa.update(job).where(*_held(held)).values(**values).returning(job.c.id)
    return connection.execute(statement).first() is not None
