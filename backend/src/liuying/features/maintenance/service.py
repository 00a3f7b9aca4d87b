"""Asking for maintenance, and noting how far it is.

The database decides who does what: of all that ask for a run of a kind, or see it due, one inserts
it; of all processes that would work on it, one claims it. Whoever works on it gives signs of life;
without them the run counts as failed, and the next one may begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from liuying.features.maintenance import queries
from liuying.features.maintenance.rules import LEASE_MS, Kind, RunState, last_due
from liuying.kit.clock import Milliseconds, to_iso, to_iso_if_known
from liuying.kit.database import AnyRow
from liuying.kit.errors import ConflictError, NotFoundError

BY_SCHEDULE = "定时"
INTERRUPTED = "做到一半时，控制台的进程被中断；没有完成的部分已清理，可以再做一次"
IN_PROGRESS = {
    Kind.BACKUP: "正在备份，请等它结束",
    Kind.DRILL: "正在演练恢复，请等它结束",
    Kind.DOCTOR: "正在体检，请等它结束",
    Kind.REPAIR: "正在处理，请等它结束",
}
KEPT_RUNS = 100
FAULT_LENGTH = 400


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """When something is done daily.

    Attributes:
        minute: Of the day, UTC.
        kept: How many scheduled backups are kept.
        options: As a run has them.
        changed_at: Moments before it are not made up for.
    """

    is_on: bool
    minute: int
    kept: int = 7
    options: Mapping[str, Any] = {}
    changed_at: Milliseconds = 0


# 03:30 and 04:00 in China.
DEFAULTS = {
    Kind.BACKUP: Schedule(
        is_on=False, minute=1200, options={"with_media": True, "with_originals": True}
    ),
    Kind.DOCTOR: Schedule(is_on=True, minute=1170),
}


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """A run as the console shows it. Times use the wire's form.

    Attributes:
        stage: What is being done, in Chinese.
        done: Bytes of this stage.
        total: Bytes of this stage altogether; 0 where that is unknown.
        asked_by: An operator's name, or that it was due.
        fault: Why it failed, in Chinese.
        summary: What came of it, in Chinese.
        host: The machine that does it.
    """

    id: int
    kind: Kind
    state: RunState
    stage: str
    done: int
    total: int
    asked_by: str
    is_scheduled: bool
    created_at: str
    started_at: str | None
    ended_at: str | None
    fault: str
    summary: str
    host: str


def ask_for(
    connection: sa.Connection,
    kind: Kind,
    options: Mapping[str, Any],
    asked_by: str,
    now: Milliseconds,
) -> AnyRow:
    """Ask for a run.

    Raises:
        ConflictError: One of its kind has not ended.
    """
    if not queries.insert(connection, _new(kind, options, asked_by, now)):
        raise ConflictError(IN_PROGRESS[kind])
    found = queries.open_run(connection, kind)
    assert found is not None  # noqa: S101 - inserted by this transaction
    return found


def due_ones(
    connection: sa.Connection, now: Milliseconds
) -> Iterator[tuple[Kind, Milliseconds, Schedule]]:
    """What is due and was not asked for. What was due while nobody ran is made up for once."""
    for kind in DEFAULTS:
        schedule = schedule_of(connection, kind)
        due = last_due(schedule.minute, now)
        if not schedule.is_on or due < schedule.changed_at:
            continue
        if not queries.was_made_for(connection, kind, due):
            yield kind, due, schedule


def plan_due(connection: sa.Connection, now: Milliseconds) -> None:
    """Ask for what is due. Where a run of its kind has not ended, it is asked for after that."""
    for kind, due, schedule in list(due_ones(connection, now)):
        values = _new(kind, schedule.options, BY_SCHEDULE, now)
        queries.insert(connection, {**values, "scheduled_for": due})


def has_work(connection: sa.Connection, now: Milliseconds, *, is_planning: bool) -> bool:
    """Whether something waits, was given up, or is due: to be asked before anything is written."""
    return bool(
        queries.waiting_ones(connection)
        or queries.lapsed_ones(connection, now)
        or (is_planning and any(due_ones(connection, now)))
    )


def open_run(connection: sa.Connection, kind: Kind) -> AnyRow | None:
    """The run of a kind that has not ended."""
    return queries.open_run(connection, kind)


def get_run(connection: sa.Connection, run_id: int) -> AnyRow | None:
    """One run."""
    return queries.row(connection, run_id)


def schedule_of(connection: sa.Connection, kind: Kind) -> Schedule:
    """The schedule of a kind."""
    row = queries.schedule_of(connection, kind)
    if row is None:
        return DEFAULTS[kind]
    return Schedule(
        is_on=row.is_on,
        minute=row.minute,
        kept=row.kept,
        options=row.options,
        changed_at=row.changed_at,
    )


def has_schedule(connection: sa.Connection, kind: Kind) -> bool:
    """Whether somebody ever set the schedule of a kind."""
    return queries.schedule_of(connection, kind) is not None


def set_schedule(connection: sa.Connection, kind: Kind, schedule: Schedule) -> None:
    """Set the schedule of a kind."""
    queries.set_schedule(connection, {"kind": kind.value, **msgspec.structs.asdict(schedule)})


def claim_next(connection: sa.Connection, host: str, now: Milliseconds) -> AnyRow | None:
    """Begin a run that waits; None where none does."""
    values = {
        "state": RunState.RUNNING.value,
        "started_at": now,
        "held_until": now + LEASE_MS,
        "host": host[:80],
    }
    for row in queries.waiting_ones(connection):
        if queries.claim(connection, row.id, values):
            return row
    return None


def end_lapsed(connection: sa.Connection, now: Milliseconds) -> Iterator[AnyRow]:
    """End the runs whose process is gone."""
    for row in queries.lapsed_ones(connection, now):
        if end_run(connection, row.id, RunState.FAILED, now, fault=INTERRUPTED):
            yield row


def keep_run(
    connection: sa.Connection, run_id: int, stage: str, done: int, total: int, now: Milliseconds
) -> bool:
    """Give a sign of life; whether the run is still wanted."""
    values = {"stage": stage, "done": done, "total": total, "held_until": now + LEASE_MS}
    return queries.keep(connection, run_id, values) is False


def end_run(
    connection: sa.Connection,
    run_id: int,
    state: RunState,
    now: Milliseconds,
    *,
    result: object = None,
    fault: str = "",
) -> bool:
    """End a run, and forget old ones; False where it has ended."""
    values = {
        "state": state.value,
        "ended_at": now,
        "result": None if result is None else msgspec.to_builtins(result),
        "fault": fault[:FAULT_LENGTH],
    }
    is_ended = queries.end(connection, run_id, values)
    row = queries.row(connection, run_id)
    if row is not None:
        queries.prune(connection, Kind(row.kind), KEPT_RUNS)
    return is_ended


def stop_run(connection: sa.Connection, run_id: int, now: Milliseconds) -> None:
    """Stop a run: at once where nobody works on it, otherwise as soon as its process hears.

    Raises:
        NotFoundError: There is none that has not ended.
    """
    row = queries.row(connection, run_id)
    if row is None or row.ended_at is not None:
        raise NotFoundError("已经结束，不用停止")
    if queries.keep(connection, run_id, {"is_unwanted": True}) is None:
        end_run(connection, run_id, RunState.STOPPED, now)


def newest_runs(connection: sa.Connection, kind: Kind, limit: int = KEPT_RUNS) -> Sequence[AnyRow]:
    """Runs of a kind, newest first."""
    return queries.newest(connection, kind, limit)


def run_view(row: AnyRow) -> RunView:
    """A run as the console shows it."""
    result = row.result or {}
    times = {name: to_iso_if_known(getattr(row, name)) for name in ("started_at", "ended_at")}
    return RunView(
        id=row.id,
        kind=Kind(row.kind),
        state=RunState(row.state),
        stage=row.stage,
        done=row.done,
        total=row.total,
        asked_by=row.asked_by,
        is_scheduled=row.scheduled_for is not None,
        created_at=to_iso(row.created_at),
        fault=row.fault,
        summary=str(result.get("summary", "")),
        host=row.host,
        **times,
    )


def _new(
    kind: Kind, options: Mapping[str, Any], asked_by: str, now: Milliseconds
) -> dict[str, object]:
    return {
        "kind": kind.value,
        "state": RunState.WAITING.value,
        "options": dict(options),
        "asked_by": asked_by[:40],
        "created_at": now,
    }
