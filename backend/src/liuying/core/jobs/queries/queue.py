"""The ledger as operators see it. Each function runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from liuying.core.jobs.rules import Fault, State
from liuying.core.jobs.tables import job
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow


def newest_jobs(
    connection: sa.Connection,
    state: State | None,
    limit: int,
    skipped: int = 0,
    without: Collection[Fault] = (),
) -> tuple[Sequence[AnyRow], int]:
    """Jobs newest first, optionally of one state, without some faults and without the first ones,
    and their total.
    """
    conditions = [] if state is None else [job.c.state == state.value]
    if without:
        conditions.append(job.c.fault.not_in(sorted(without)))
    newest = sa.select(job).where(*conditions).order_by(job.c.id.desc()).limit(limit)
    newest = newest.offset(skipped)
    total = sa.select(sa.func.count()).select_from(job).where(*conditions)
    return connection.execute(newest).all(), int(connection.execute(total).scalar_one())


def job_rows(connection: sa.Connection, job_ids: Collection[int]) -> Sequence[AnyRow]:
    """Several jobs."""
    return connection.execute(sa.select(job).where(job.c.id.in_(job_ids))).all()


def job_row(connection: sa.Connection, job_id: int) -> AnyRow | None:
    """One job."""
    return connection.execute(sa.select(job).where(job.c.id == job_id)).first()


def jobs_of_state(
    connection: sa.Connection, state: State, without: Collection[Fault] = ()
) -> list[int]:
    """Ids of all jobs in a state, oldest first, but for those that failed for one of `without`."""
    statement = (
        sa.select(job.c.id)
        .where(job.c.state == state.value, job.c.fault.not_in(sorted(without)))
        .order_by(job.c.id)
    )
    return list(connection.execute(statement).scalars())


def count_by_state(connection: sa.Connection) -> dict[str, int]:
    """Number of jobs by state."""
    statement = sa.select(job.c.state, sa.func.count()).group_by(job.c.state)
    return {state: int(count) for state, count in connection.execute(statement)}


def count_faults(connection: sa.Connection, faults: Collection[Fault]) -> int:
    """Number of failed jobs with any of these faults."""
    is_such = (job.c.state == State.FAILED.value, job.c.fault.in_(sorted(faults)))
    statement = sa.select(sa.func.count()).select_from(job).where(*is_such)
    return int(connection.execute(statement).scalar_one())


def count_states(connection: sa.Connection, states: Collection[State]) -> int:
    """Number of jobs in any of these states."""
    statement = sa.select(sa.func.count()).select_from(job).where(job.c.state.in_(sorted(states)))
    return int(connection.execute(statement).scalar_one())


def first_due(connection: sa.Connection, now: Milliseconds) -> Milliseconds | None:
    """Since when the oldest due job has been due."""
    is_due = (job.c.state == State.WAITING.value, job.c.due_at <= now)
    return connection.execute(sa.select(sa.func.min(job.c.due_at)).where(*is_due)).scalar()


def count_left(connection: sa.Connection, before: Milliseconds) -> int:
    """Number of running jobs whose lease was not renewed since a given time."""
    is_left = (job.c.state == State.RUNNING.value, job.c.due_at < before)
    statement = sa.select(sa.func.count()).select_from(job).where(*is_left)
    return connection.execute(statement).scalar_one()


def open_twin(connection: sa.Connection, source: str, job_id: int) -> int | None:
    """Another job in which the same file waits or runs."""
    is_twin = (job.c.source == source, job.c.due_at.is_not(None), job.c.id != job_id)
    return connection.execute(sa.select(job.c.id).where(*is_twin)).scalar()


def change_where(
    connection: sa.Connection, job_id: int, state: State, values: Mapping[str, object]
) -> bool:
    """Change a job that is still in a given state; False if it is not, or if its file is in
    another open job.
    """
    is_same = (job.c.id == job_id, job.c.state == state.value)
    statement = sa.update(job).where(*is_same).values(**values).returning(job.c.id)
    try:
        return connection.execute(statement).first() is not None
    except sa.exc.IntegrityError:
        return False


def reopen_failed(
    connection: sa.Connection, but: Collection[Fault], values: Mapping[str, object]
) -> int | None:
    """Change the newest failed job of each file that is in no open job, but for some faults.

    Returns:
        How many; None if one of the files came into another open job meanwhile.
    """
    is_meant = (job.c.state == State.FAILED.value, job.c.fault.not_in(sorted(but)))
    newest = sa.select(sa.func.max(job.c.id)).where(*is_meant).group_by(job.c.source)
    opened = sa.select(job.c.source).where(job.c.due_at.is_not(None))
    statement = sa.update(job).where(job.c.id.in_(newest), job.c.source.not_in(opened))
    try:
        return connection.execute(statement.values(**values)).rowcount
    except sa.exc.IntegrityError:
        return None


def delete_states(
    connection: sa.Connection, states: Collection[State], but: Collection[Fault] = ()
) -> int:
    """Delete the jobs in some states, but for some faults; returns how many."""
    is_meant = (job.c.state.in_(sorted(states)), job.c.fault.not_in(sorted(but)))
    return connection.execute(sa.delete(job).where(*is_meant)).rowcount


def delete_ended(
    connection: sa.Connection, states: Collection[State], before: Milliseconds
) -> None:
    """Delete the jobs in some states that ended before a given time."""
    is_old = (job.c.state.in_(sorted(states)), job.c.ended_at < before)
    connection.execute(sa.delete(job).where(*is_old))
