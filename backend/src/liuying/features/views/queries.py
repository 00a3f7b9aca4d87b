"""Statements of views and play health. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from liuying.features.views.tables import (
    failure_alarm,
    failure_mark,
    play_health,
    view_hour,
    view_mark,
    view_pending,
)
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.inserting import (
    add_to_counters,
    add_to_many_counters,
    insert_absent,
    insert_if_absent,
)


def leave_marks(connection: sa.Connection, marks: Sequence[str], hour: int) -> set[str]:
    """Leave the marks of views in an hour; returns those that nobody had left."""
    rows = [{"mark": mark, "hour": hour} for mark in sorted(marks)]
    return insert_absent(connection, view_mark, rows, view_mark.c.mark)


def add_views(connection: sa.Connection, views: Mapping[int, int], hour: int) -> None:
    """Add views by video to an hour's buckets."""
    rows = [{"hour": hour, "video_id": one, "views": count} for one, count in sorted(views.items())]
    add_to_many_counters(connection, view_hour, rows, "views")


def add_pending_views(connection: sa.Connection, views: Mapping[int, int]) -> None:
    """Note views by video that must still be added to the videos."""
    rows = [{"video_id": one, "views": count} for one, count in sorted(views.items())]
    add_to_many_counters(connection, view_pending, rows, "views")


def take_pending(connection: sa.Connection) -> dict[int, int]:
    """Pending views by video; they count as taken when the caller commits."""
    # In the order in which views are added: neither waits for the other in turn.
    in_order = sa.select(view_pending.c.video_id).order_by(view_pending.c.video_id)
    connection.execute(in_order.with_for_update())
    rows = connection.execute(
        sa.delete(view_pending).returning(view_pending.c.video_id, view_pending.c.views)
    )
    return {row.video_id: row.views for row in rows}


def add_health(
    connection: sa.Connection, day: int, video_id: int, counts: Mapping[str, int]
) -> None:
    """Add a report to a video's sums of the day."""
    add_to_counters(connection, play_health, {"day": day, "video_id": video_id}, counts)


def health_sums(connection: sa.Connection, since_day: int) -> Sequence[AnyRow]:
    """Sums per video since a day, most failures first."""
    names = ("starts", "start_ms", "stalls", "failures", "failed_networks")
    sums = [sa.func.sum(play_health.c[name]).label(name) for name in names]
    statement = (
        sa.select(play_health.c.video_id, *sums)
        .where(play_health.c.day > since_day)
        .group_by(play_health.c.video_id)
        .order_by(sa.desc("failures"), sa.desc("stalls"), play_health.c.video_id)
    )
    return connection.execute(statement).all()


def take_alarm(
    connection: sa.Connection, video_id: int, claimed_at: Milliseconds, told_before: Milliseconds
) -> bool:
    """Claim the alarm for a video unless the operator was told after `told_before`.

    Args:
        claimed_at: The moment that is noted until it is confirmed.
    """
    if insert_if_absent(connection, failure_alarm, {"video_id": video_id, "told_at": claimed_at}):
        return True
    is_due = (failure_alarm.c.video_id == video_id, failure_alarm.c.told_at <= told_before)
    statement = sa.update(failure_alarm).where(*is_due).values(told_at=claimed_at)
    return connection.execute(statement).rowcount == 1


def confirm_alarms(
    connection: sa.Connection, video_ids: Sequence[int], told_at: Milliseconds
) -> None:
    """Note that the operator was told."""
    statement = sa.update(failure_alarm).where(failure_alarm.c.video_id.in_(video_ids))
    connection.execute(statement.values(told_at=told_at))


def release_alarm(connection: sa.Connection, video_id: int) -> None:
    """Release the claim: the operator could not be told."""
    connection.execute(sa.delete(failure_alarm).where(failure_alarm.c.video_id == video_id))


def delete_old(
    connection: sa.Connection, *, mark_hour: int, failure_day: int, view_hour_before: int
) -> None:
    """Delete marks up to an hour and a day, and buckets before an hour."""
    connection.execute(sa.delete(view_mark).where(view_mark.c.hour <= mark_hour))
    connection.execute(sa.delete(failure_mark).where(failure_mark.c.day <= failure_day))
    connection.execute(sa.delete(view_hour).where(view_hour.c.hour < view_hour_before))
