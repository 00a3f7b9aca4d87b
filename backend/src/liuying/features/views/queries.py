"""Statements of views and play health. Each runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import PLAYABLE
from liuying.features.views.rules import PLAY_EVENTS, VIEWS
from liuying.features.views.tables import (
    failure_alarm,
    failure_mark,
    play_health,
    view_day,
    view_hour,
    view_mark,
    view_pending,
)
from liuying.kit.clock import DAY_MS, HOUR_MS, Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.driver_rows import read_number
from liuying.kit.inserting import (
    add_to_counters,
    insert_absent,
    insert_if_absent,
    upsert_many,
)
from liuying.kit.shared_limits import counting

HOURS = DAY_MS // HOUR_MS


def leave_marks(connection: sa.Connection, marks: Sequence[str], hour: int) -> set[str]:
    """Leave the marks of views in an hour; returns those that nobody had left."""
    rows = [{"mark": mark, "hour": hour} for mark in sorted(marks)]
    return insert_absent(connection, view_mark, rows, view_mark.c.mark)


def count_shared(connection: sa.Connection, asked: Mapping[str, object]) -> Sequence[AnyRow]:
    """Count views where processes share their limits: all that `service.count_views` does, in one
    statement. Each statement costs several times what a view does, and locks are held from one to
    the next.

    Args:
        asked: What the views are, each in a text with commas: `videos`, `viewers` (marks of
            viewers), `networks` and `of_videos` (keys of the two limits), both also `_before`.
            `hour` and `now` beside.

    Returns:
        Of each view its `place` from 1; whether the network may report it (`passes`), otherwise the
        `moments` of its uses, `before` midnight too; whether there is such a video (`is_playable`);
        whether it counts (`is_counted`).
    """
    return connection.execute(_count_shared(), asked).all()


@cache
def _count_shared() -> sa.TextClause:
    lists = ("videos", "viewers", "networks", "networks_before", "of_videos", "of_videos_before")
    arrays = ", ".join(f"string_to_array(:{name}, ',')" for name in lists)
    passing = counting(PLAY_EVENTS.rules, "networks_asked AS wanted")
    limited = counting(VIEWS.rules, "of_videos_asked AS wanted")
    return sa.text(f"""
        WITH asked AS MATERIALIZED (
            SELECT CAST(video AS bigint) AS video_id, mark, network, network_before, of_video,
                of_video_before, place
            FROM unnest({arrays}) WITH ORDINALITY AS one
                (video, mark, network, network_before, of_video, of_video_before, place)
        ), networks_asked AS (
            SELECT network AS key, network_before AS key_before, count(*)::integer AS asked
            FROM asked GROUP BY network, network_before
        ), networks_passing AS ({passing}),
        judged AS MATERIALIZED (
            SELECT asked.*, moments, before,
                granted >= row_number() OVER (PARTITION BY network ORDER BY place) AS passes,
                coalesce((SELECT {PLAYABLE} FROM video WHERE id = video_id), false) AS is_playable
            FROM asked JOIN networks_passing ON networks_passing.key = network
        ), marked AS (
            INSERT INTO view_mark (mark, hour)
            SELECT DISTINCT mark, CAST(:hour AS integer) FROM judged WHERE passes AND is_playable
            ORDER BY mark ON CONFLICT DO NOTHING RETURNING mark
        ), first AS MATERIALIZED (
            SELECT DISTINCT ON (mark) judged.* FROM judged JOIN marked USING (mark)
            WHERE passes AND is_playable ORDER BY mark, place
        ), of_videos_asked AS (
            SELECT of_video AS key, of_video_before AS key_before, count(*)::integer AS asked
            FROM first GROUP BY of_video, of_video_before
        ), of_videos_passing AS ({limited}),
        counted AS MATERIALIZED (
            SELECT place, video_id FROM (
                SELECT first.place, video_id, granted,
                    row_number() OVER (PARTITION BY of_video ORDER BY place) AS nth
                FROM first JOIN of_videos_passing ON of_videos_passing.key = of_video
            ) AS one WHERE nth <= granted
        ), hours AS (
            INSERT INTO view_hour (hour, video_id, views)
            SELECT CAST(:hour AS integer), video_id, count(*) FROM counted
            GROUP BY video_id ORDER BY video_id
            ON CONFLICT (hour, video_id) DO UPDATE SET views = view_hour.views + excluded.views
            RETURNING video_id
        ), pending AS (
            INSERT INTO view_pending (video_id, views)
            SELECT video_id, count(*) FROM hours JOIN counted USING (video_id)
            GROUP BY video_id ORDER BY video_id
            ON CONFLICT (video_id) DO UPDATE SET views = view_pending.views + excluded.views
        )
        SELECT judged.place, passes, is_playable, counted.place IS NOT NULL AS is_counted,
            CASE WHEN NOT passes THEN moments END AS moments,
            CASE WHEN NOT passes THEN before END AS before
        FROM judged LEFT JOIN counted USING (place) ORDER BY place
    """)  # noqa: S608  # our own names


def add_views(connection: sa.Connection, views: Mapping[int, int], hour: int) -> None:
    """Add views by video to an hour's buckets."""
    rows = [{"hour": hour, "video_id": one, "views": count} for one, count in sorted(views.items())]
    upsert_many(connection, view_hour, rows, added=["views"])


def sum_next_day(connection: sa.Connection, before_hour: int) -> None:
    """Sum the hours of the next day that has any into `view_day`, if it ends before that hour.

    Days are summed in their order, each once: nothing may be added to its hours afterwards.
    """
    first = (newest_summed_day(connection) + 1) * HOURS
    next_hour = sa.select(sa.func.min(view_hour.c.hour)).where(view_hour.c.hour >= first)
    hour = connection.execute(next_hour).scalar()
    if hour is None or (day := hour // HOURS) * HOURS + HOURS > before_hour:
        return
    is_within = view_hour.c.hour.between(day * HOURS, day * HOURS + HOURS - 1)
    total = sa.func.sum(view_hour.c.views)
    sums = sa.select(sa.literal(day), view_hour.c.video_id, total).where(is_within)
    rows = sums.group_by(view_hour.c.video_id)
    connection.execute(sa.insert(view_day).from_select(["day", "video_id", "views"], rows))


def newest_summed_day(connection: sa.Connection) -> int:
    """The last day that is summed; -1 if none is."""
    found = read_number(connection, "SELECT max(day) FROM view_day")
    return -1 if found is None else found


def views_since(connection: sa.Connection, hour: int) -> sa.FromClause:
    """Views by video since an hour, as `video_id` and `views` in several rows: by day where whole
    days are summed, by hour before and after those.
    """
    first, last = -(-hour // HOURS), newest_summed_day(connection)
    hours = sa.select(view_hour.c.video_id, view_hour.c.views)
    if last < first:
        return hours.where(view_hour.c.hour >= hour).subquery()
    before = view_hour.c.hour.between(hour, first * HOURS - 1)
    after = view_hour.c.hour >= (last + 1) * HOURS
    days = sa.select(view_day.c.video_id, view_day.c.views).where(view_day.c.day >= first)
    return sa.union_all(days, hours.where(before), hours.where(after)).subquery()


def add_pending_views(connection: sa.Connection, views: Mapping[int, int]) -> None:
    """Note views by video that must still be added to the videos."""
    rows = [{"video_id": one, "views": count} for one, count in sorted(views.items())]
    upsert_many(connection, view_pending, rows, added=["views"])


def forget_views(connection: sa.Connection, video_id: int) -> None:
    """Delete a video's views of this moment, before the video itself: who counts or settles views
    locks these rows and then the video's, too.
    """
    for table in (view_hour, view_pending):
        connection.execute(sa.delete(table).where(table.c.video_id == video_id))


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
    """Delete marks up to an hour and a day, buckets before an hour, and sums of days before its."""
    connection.execute(sa.delete(view_mark).where(view_mark.c.hour <= mark_hour))
    connection.execute(sa.delete(failure_mark).where(failure_mark.c.day <= failure_day))
    connection.execute(sa.delete(view_hour).where(view_hour.c.hour < view_hour_before))
    connection.execute(sa.delete(view_day).where(view_day.c.day < view_hour_before // HOURS))
