"""The ledger as workers use it: each function is one step inside the caller's transaction.

A claim has an owner of its own, and every later step names it: whoever lost a job changes nothing
of it any more.
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
    """What is put into the ledger.

    Attributes:
        source: Absolute path of the file; of a video that is mended, what names it.
        wanted: What is said of it, as JSON has it.
        priority: Lower goes first.
        kind: What is to be done.
    """

    source: str
    wanted: dict[str, Any]
    priority: int
    kind: Kind = Kind.IMPORT


class Claim(msgspec.Struct, frozen=True):
    """A job that is this process's for as long as it renews the lease.

    Attributes:
        job_id: Its number.
        owner: Of this claim alone.
        source: The file.
        wanted: What is said of it.
        kind: What is to be done.
    """

    job_id: int
    owner: str
    source: str
    wanted: dict[str, Any]
    kind: Kind = Kind.IMPORT


def enqueue(connection: sa.Connection, new: NewJob, now: Milliseconds) -> tuple[int, bool]:
    """Put a file into the ledger unless it waits there already.

    Returns:
        The job's number, and whether it is new.
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
        if job_id is not None:  # else the one that was in the way has just ended
            return int(job_id), is_new


def is_due(connection: sa.Connection, now: Milliseconds) -> bool:
    """Whether anything can be claimed: a read, so that idle workers take no lock."""
    return connection.execute(_most_urgent(now)).first() is not None


def _most_urgent(now: Milliseconds) -> sa.Select[tuple[int]]:
    return (
        sa.select(job.c.id).where(job.c.due_at <= now).order_by(job.c.priority, job.c.id).limit(1)
    )


def claim(connection: sa.Connection, owner: str, now: Milliseconds) -> Claim | None:
    """Take the most urgent job that is due; of two processes that ask at once, never both.

    Args:
        owner: A text that no other claim ever has.
    """
    _give_up_lost(connection, now)
    # SQLite has one writer at a time and leaves the lock out; PostgreSQL passes over what another
    # is just taking.
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
    """A job whose claims all ended with their process is not tried for ever."""
    is_hopeless = sa.and_(job.c.state == State.RUNNING.value, job.c.attempt >= MAX_ATTEMPTS)
    connection.execute(
        sa.update(job).where(job.c.due_at <= now, is_hopeless).values(**_failed(LOST, now))
    )


def is_held(connection: sa.Connection, held: Claim) -> bool:
    """Whether a job is still this claim's: neither cancelled nor claimed by another."""
    return connection.execute(sa.select(job.c.id).where(*_held(held))).first() is not None


def is_cancelled(connection: sa.Connection, held: Claim) -> bool:
    """Whether the operator gave a job up."""
    state = connection.execute(sa.select(job.c.state).where(job.c.id == held.job_id)).scalar()
    return state is not None and State(state) is State.CANCELLED


def beat(
    connection: sa.Connection, held: Claim, progress: float, stage: str, now: Milliseconds
) -> bool:
    """Renew a lease and tell how far the work is; False where the job is no longer this claim's."""
    return _change(connection, held, due_at=now + LEASE_MS, progress=progress, stage=stage)


def note_published(connection: sa.Connection, held: Claim) -> bool:
    """The first rung can be watched: the job made a step, and what is left is less urgent.

    Returns:
        False where the job is no longer this claim's.
    """
    # From what the row says: a job that is continued after a kill has made its step before.
    rest = sa.case((job.c.priority < REST_STEP, job.c.priority + REST_STEP), else_=job.c.priority)
    return _change(connection, held, priority=rest, attempt=1, failures=0, **NO_CAUSE)


def is_more_urgent_due(connection: sa.Connection, held: Claim, now: Milliseconds) -> bool:
    """Whether a job waits that goes before what is left of this one."""
    own = sa.select(job.c.priority).where(job.c.id == held.job_id).scalar_subquery()
    return connection.execute(_most_urgent(now).where(job.c.priority < own)).first() is not None


def release(connection: sa.Connection, held: Claim, now: Milliseconds) -> bool:
    """Give a job back as if it had not been claimed: another goes on at once."""
    values = {"state": State.WAITING.value, "lease_owner": None, "due_at": now, "stage": ""}
    return _change(connection, held, attempt=job.c.attempt - 1, **values)


def finish(connection: sa.Connection, held: Claim, video_id: int | None, now: Milliseconds) -> bool:
    """A job is done; False where it is no longer this claim's."""
    values = {
        "state": State.DONE.value,
        "due_at": None,
        "lease_owner": None,
        "video_id": video_id,
        "ended_at": now,
    }
    return _change(connection, held, progress=1.0, stage="", **NO_CAUSE, **values)


def fail(connection: sa.Connection, held: Claim, cause: Cause, now: Milliseconds) -> State | None:
    """A job failed: it is tried again later, or waits for the operator.

    Returns:
        Its state; None where it is no longer this claim's.
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
