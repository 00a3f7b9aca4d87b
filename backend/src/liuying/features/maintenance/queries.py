"""Statements of maintenance. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from liuying.features.maintenance.rules import Kind, RunState
from liuying.features.maintenance.tables import maintenance_run as run
from liuying.features.maintenance.tables import maintenance_schedule as schedule
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_if_absent, upsert

_IS_OPEN = run.c.ended_at.is_(None)


def insert(connection: sa.Connection, values: Mapping[str, object]) -> bool:
    """Ask for a run; False where one of its kind is open, or was made for the same moment."""
    return insert_if_absent(connection, run, values)


def row(connection: sa.Connection, run_id: int) -> AnyRow | None:
    """One run."""
    return connection.execute(sa.select(run).where(run.c.id == run_id)).first()


def open_run(connection: sa.Connection, kind: Kind) -> AnyRow | None:
    """The run of a kind that has not ended."""
    return connection.execute(sa.select(run).where(run.c.kind == kind.value, _IS_OPEN)).first()


def newest(connection: sa.Connection, kind: Kind, limit: int) -> Sequence[AnyRow]:
    """Runs of a kind, newest first."""
    statement = sa.select(run).where(run.c.kind == kind.value).order_by(run.c.id.desc())
    return connection.execute(statement.limit(limit)).all()


def was_made_for(connection: sa.Connection, kind: Kind, moment: Milliseconds) -> bool:
    """Whether there is a run for this moment of the schedule, or a later one."""
    is_it = (run.c.kind == kind.value, run.c.scheduled_for >= moment)
    return connection.execute(sa.select(run.c.id).where(*is_it).limit(1)).first() is not None


def waiting_ones(connection: sa.Connection) -> Sequence[AnyRow]:
    """Runs that nobody works on yet."""
    statement = sa.select(run).where(run.c.state == RunState.WAITING.value, _IS_OPEN)
    return connection.execute(statement.order_by(run.c.id)).all()


def lapsed_ones(connection: sa.Connection, now: Milliseconds) -> Sequence[AnyRow]:
    """Runs whose process gives no sign of life."""
    is_lapsed = (run.c.state == RunState.RUNNING.value, _IS_OPEN, run.c.held_until < now)
    return connection.execute(sa.select(run).where(*is_lapsed)).all()


def claim(connection: sa.Connection, run_id: int, values: Mapping[str, object]) -> bool:
    """Begin a run; False where another process has, or it was ended."""
    is_free = (run.c.id == run_id, run.c.state == RunState.WAITING.value, _IS_OPEN)
    return connection.execute(sa.update(run).where(*is_free).values(**values)).rowcount == 1


def keep(connection: sa.Connection, run_id: int, values: Mapping[str, object]) -> bool | None:
    """Note how far a run is. Returns whether it is unwanted; None where it was ended."""
    is_it = (run.c.id == run_id, run.c.state == RunState.RUNNING.value, _IS_OPEN)
    statement = sa.update(run).where(*is_it).values(**values).returning(run.c.is_unwanted)
    return connection.execute(statement).scalar()


def end(connection: sa.Connection, run_id: int, values: Mapping[str, object]) -> bool:
    """End a run; False where it has ended."""
    statement = sa.update(run).where(run.c.id == run_id, _IS_OPEN).values(**values)
    return connection.execute(statement).rowcount == 1


def prune(connection: sa.Connection, kind: Kind, kept: int) -> None:
    """Forget all runs of a kind but the newest."""
    ids = sa.select(run.c.id).where(run.c.kind == kind.value, sa.not_(_IS_OPEN))
    old = ids.order_by(run.c.id.desc()).offset(kept).limit(1000)
    connection.execute(sa.delete(run).where(run.c.id.in_(connection.scalars(old).all())))


def schedule_of(connection: sa.Connection, kind: Kind) -> AnyRow | None:
    """The schedule of a kind; None for its default."""
    return connection.execute(sa.select(schedule).where(schedule.c.kind == kind.value)).first()


def set_schedule(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Set the schedule of a kind."""
    upsert(connection, schedule, values, ["kind"])
