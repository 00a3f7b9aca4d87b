"""How operators see and change the ledger."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.core.jobs.queries import queue
from liuying.core.jobs.rules import OPEN_STATES, UNDECIDED, Fault, State
from liuying.kit.clock import DAY_MS, Milliseconds, to_iso, to_iso_if_known
from liuying.kit.errors import InvalidInputError, NotFoundError

NAMES = {
    State.WAITING: "等待",
    State.RUNNING: "进行中",
    State.DONE: "完成",
    State.FAILED: "失败",
    State.CANCELLED: "已取消",
}
# Finished jobs that need nobody are deleted after this.
# Before this much is done, the pace says nothing.
LEAST_PROGRESS = 0.02
KEPT_MS = 30 * DAY_MS


class JobView(msgspec.Struct, frozen=True, kw_only=True):
    """A job as commands show it. Times use the wire's form; `next_at` is when a waiting job is
    tried.
    """

    id: int
    kind: str
    source: str
    wanted: dict[str, Any]
    state: State
    priority: int
    attempt: int
    failures: int
    worker: str | None
    progress: float
    stage: str
    fault: str
    cause: str
    cause_en: str
    video_id: int | None
    created_at: str
    started_at: str | None
    ended_at: str | None
    next_at: str | None
    seconds_left: int | None


class Queue(msgspec.Struct, frozen=True):
    """Number of jobs by state.

    Attributes:
        undecided: Of the failed ones, those that wait for the operator to decide.
        oldest_wait_ms: How long the oldest due job has been waiting.
    """

    waiting: int
    running: int
    done: int
    failed: int
    cancelled: int
    undecided: int
    oldest_wait_ms: Milliseconds


def list_jobs(
    connection: sa.Connection,
    now: Milliseconds,
    state: State | None,
    limit: int,
    page: int = 1,
    without: Collection[Fault] = (),
) -> tuple[list[JobView], int]:
    """A page of jobs, newest first, and the total in the state.

    Args:
        now: To tell how long a running one will take.
        state: None for all.
        limit: Jobs a page.
        page: From 1.
        without: Leave out jobs that failed for one of these.
    """
    rows, total = queue.newest_jobs(connection, state, limit, (page - 1) * limit, without)
    return [_view(row, now) for row in rows], total


def get_job(connection: sa.Connection, job_id: int, now: Milliseconds = 0) -> JobView:
    """One job.

    Raises:
        NotFoundError: No job has this id.
    """
    row = queue.job_row(connection, job_id)
    if row is None:
        raise NotFoundError(f"没有编号为 {job_id} 的任务")
    return _view(row, now)


def find_jobs(
    connection: sa.Connection, job_ids: Collection[int], now: Milliseconds
) -> dict[int, JobView]:
    """Jobs by number; those that were deleted since are missing."""
    return {row.id: _view(row, now) for row in queue.job_rows(connection, job_ids)}


def measure_queue(connection: sa.Connection, now: Milliseconds) -> Queue:
    """Number of jobs by state, and how long the queue has been waiting for a worker."""
    counts = queue.count_by_state(connection)
    oldest = queue.first_due(connection, now)
    return Queue(
        **{state.value: counts.get(state.value, 0) for state in State},
        undecided=queue.count_faults(connection, UNDECIDED),
        oldest_wait_ms=0 if oldest is None else now - oldest,
    )


def retry_job(
    connection: sa.Connection,
    job_id: int,
    now: Milliseconds,
    *,
    accepts_match: bool = False,
    accepts_damage: bool = False,
) -> None:
    """Try a job again now as if it were new: one that failed, was cancelled, or waits for its next
    try.

    Args:
        accepts_match: Import the film even if it looks like one that was taken down.
        accepts_damage: Import it however many of its pictures are damaged.

    Raises:
        NotFoundError: No job has this id.
        InvalidInputError: It is running or done, or its file waits in another job.
    """
    found = get_job(connection, job_id)
    if found.state in {State.RUNNING, State.DONE}:
        raise InvalidInputError(f"任务 {job_id} {NAMES[found.state]}，不能重试")
    other = queue.open_twin(connection, found.source, job_id)
    if other is not None:
        raise InvalidInputError(f"任务 {job_id} 的文件已在任务 {other} 里")
    values = _afresh(now)
    said = {"accepts_match": accepts_match, "accepts_damage": accepts_damage}
    accepted = {name: True for name, is_said in said.items() if is_said}
    if accepted:
        values["wanted"] = found.wanted | accepted
    _change(connection, found, values)


def retry_failed(connection: sa.Connection, now: Milliseconds) -> int:
    """Try every failed job again, but for those that wait for the operator's decision.

    A file that waits or runs in another job stays as it is; of several failed jobs of one file the
    newest is tried.

    Returns:
        How many are tried.

    Raises:
        InvalidInputError: Somebody who queued one of the files was faster.
    """
    count = queue.reopen_failed(connection, UNDECIDED, _afresh(now))
    if count is None:
        raise InvalidInputError("队列刚刚变了，请再试一次")
    return count


def cancel_job(connection: sa.Connection, job_id: int, now: Milliseconds) -> None:
    """Cancel a job. Its worker notices within seconds; what is already playable stays.

    Raises:
        NotFoundError: No job has this id.
        InvalidInputError: It has ended.
    """
    found = get_job(connection, job_id)
    if found.state not in OPEN_STATES:
        raise InvalidInputError(f"任务 {job_id} {NAMES[found.state]}，不能取消")
    values = {
        "state": State.CANCELLED.value,
        "due_at": None,
        "lease_owner": None,
        "stage": "",
        "ended_at": now,
    }
    _change(connection, found, values)


def clear_jobs(
    connection: sa.Connection, states: Collection[State], *, spares_undecided: bool = False
) -> int:
    """Delete ended jobs; returns how many.

    Args:
        spares_undecided: Whether those stay that wait for the operator's decision.

    Raises:
        InvalidInputError: Jobs in this state have not ended.
    """
    if OPEN_STATES & set(states):
        raise InvalidInputError("等待和进行中的任务要先取消", "state")
    return queue.delete_states(connection, states, UNDECIDED if spares_undecided else ())


def prune_jobs(connection: sa.Connection, now: Milliseconds) -> None:
    """Delete jobs that were done or cancelled long ago. Failed ones wait for the operator."""
    queue.delete_ended(connection, [State.DONE, State.CANCELLED], now - KEPT_MS)


def _afresh(now: Milliseconds) -> dict[str, Any]:
    """What makes a job as if it were new. The cause stays until there is a new result."""
    return {
        "state": State.WAITING.value,
        "due_at": now,
        "attempt": 0,
        "failures": 0,
        "ended_at": None,
    }


def _change(connection: sa.Connection, found: JobView, values: dict[str, Any]) -> None:
    """Change a job that is still in the state in which it was seen.

    Raises:
        InvalidInputError: A worker, or somebody who queued the file, was faster.
    """
    if not queue.change_where(connection, found.id, found.state, values):
        raise InvalidInputError(f"任务 {found.id} 刚刚变了，请再试一次")


def _seconds_left(row: sa.Row[Any], now: Milliseconds) -> int | None:
    """What is left of a running job at the pace it had so far; None while that says little."""
    if row.started_at is None or row.progress < LEAST_PROGRESS:
        return None
    elapsed: Milliseconds = now - row.started_at
    return int(elapsed * (1 - row.progress) / row.progress / 1000)


def _view(row: sa.Row[Any], now: Milliseconds) -> JobView:
    return JobView(
        id=row.id,
        kind=row.kind,
        source=row.source,
        wanted=row.wanted,
        state=State(row.state),
        priority=row.priority,
        attempt=row.attempt,
        failures=row.failures,
        worker=row.lease_owner,
        progress=round(row.progress, 3),
        stage=row.stage,
        fault=row.fault,
        cause=row.cause,
        cause_en=row.cause_en,
        video_id=row.video_id,
        created_at=to_iso(row.created_at),
        started_at=to_iso_if_known(row.started_at),
        ended_at=to_iso_if_known(row.ended_at),
        next_at=to_iso_if_known(row.due_at) if row.state == State.WAITING.value else None,
        seconds_left=_seconds_left(row, now) if row.state == State.RUNNING.value else None,
    )
