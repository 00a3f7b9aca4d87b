"""Statements of reports. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from liuying.features.reports.tables import report, report_mark, reported_video
from liuying.kit.clock import Milliseconds, day_number
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_if_absent
from liuying.kit.rows import insert_row

_OPEN = reported_video.c.decided_at.is_(None)


def note_mark(connection: sa.Connection, mark: str, day: int) -> bool:
    """Note that a network reported a video on a day; whether it is the first time."""
    return insert_if_absent(connection, report_mark, {"mark": mark, "day": day})


def prune_marks(connection: sa.Connection, now: Milliseconds) -> None:
    """Forget which networks reported on days that are over."""
    connection.execute(sa.delete(report_mark).where(report_mark.c.day < day_number(now)))


def open_entry(
    connection: sa.Connection, video_id: int, values: Mapping[str, object], now: Milliseconds
) -> int:
    """The open entry of a video that is reported now.

    Args:
        values: Of the entry, if it is a new one.
    """
    first = {"video_id": video_id, "first_at": now, "last_at": now, **values}
    insert_if_absent(connection, reported_video, first)
    statement = (
        sa.update(reported_video)
        .where(reported_video.c.video_id == video_id, _OPEN)
        .values(last_at=now)
        .returning(reported_video.c.id)
    )
    return int(connection.execute(statement).scalar_one())


def count_report(connection: sa.Connection, entry_id: int) -> None:
    """Count a report in an entry."""
    statement = sa.update(reported_video).where(is_entry(entry_id))
    connection.execute(statement.values(reports=reported_video.c.reports + 1))


def insert_report(connection: sa.Connection, values: Mapping[str, object]) -> None:
    """Insert a report."""
    insert_row(connection, report, values)


def state_by_receipt(connection: sa.Connection, receipt_hash: str) -> str | None:
    """The state of the entry that a report belongs to; None for an unknown receipt."""
    statement = (
        sa.select(reported_video.c.state)
        .join(report, report.c.entry_id == reported_video.c.id)
        .where(report.c.receipt_hash == receipt_hash)
    )
    return connection.execute(statement).scalar()


def newest_entries(
    connection: sa.Connection, limit: int, *, only_open: bool
) -> tuple[Sequence[AnyRow], int]:
    """Reported videos, the latest report first, and the total."""
    where = _OPEN if only_open else sa.true()
    total = sa.select(sa.func.count()).select_from(reported_video).where(where)
    newest = (
        sa.select(reported_video)
        .where(where)
        .order_by(reported_video.c.last_at.desc(), reported_video.c.id.desc())
    )
    return connection.execute(newest.limit(limit)).all(), connection.execute(total).scalar_one()


def entry_row(connection: sa.Connection, entry_id: int) -> AnyRow | None:
    """One entry; None if there is none with this number."""
    statement = sa.select(reported_video).where(reported_video.c.id == entry_id)
    return connection.execute(statement).first()


def reports_of(connection: sa.Connection, entry_id: int, limit: int) -> Sequence[AnyRow]:
    """The reports of an entry, the latest first."""
    statement = sa.select(report).where(report.c.entry_id == entry_id).order_by(report.c.id.desc())
    return connection.execute(statement.limit(limit)).all()


def decide(
    connection: sa.Connection,
    where: sa.ColumnElement[bool],
    state: str,
    note: str,
    now: Milliseconds | None,
) -> int:
    """Set the state of the open entries that a condition selects; returns how many there were.

    Args:
        now: When they are decided; None leaves them open.
    """
    statement = sa.update(reported_video).where(_OPEN, where)
    return connection.execute(statement.values(state=state, note=note, decided_at=now)).rowcount


def change_state(
    connection: sa.Connection, video_ids: Collection[int], state: str, to: str
) -> None:
    """Set the state of decided entries of some videos that have a state."""
    statement = sa.update(reported_video).where(
        reported_video.c.video_id.in_(video_ids), reported_video.c.state == state
    )
    connection.execute(statement.values(state=to))


def is_entry(entry_id: int) -> sa.ColumnElement[bool]:
    """The entry with a number."""
    return reported_video.c.id == entry_id


def is_about(video_ids: Collection[int]) -> sa.ColumnElement[bool]:
    """The entries of some videos."""
    return reported_video.c.video_id.in_(video_ids)
