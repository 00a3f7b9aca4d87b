"""Sums about one video, without anybody's identity. Days are UTC, like the buckets."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.features.favourites.tables import favourite
from liuying.features.reports.tables import reported_video
from liuying.features.sharing.queries import COUNT
from liuying.features.sharing.rules import UNLOCK_COUNT
from liuying.features.sharing.tables import share
from liuying.features.views.tables import play_health, view_hour
from liuying.kit.database import AnyRow


def views_by_day(connection: sa.Connection, video_id: int, first_day: int) -> dict[int, int]:
    """Views of each day that has any, from a given day on."""
    day = (view_hour.c.hour // 24).label("day")
    statement = (
        sa.select(day, sa.func.sum(view_hour.c.views))
        .where(view_hour.c.video_id == video_id, view_hour.c.hour >= first_day * 24)
        .group_by(day)
    )
    return {int(number): int(views) for number, views in connection.execute(statement)}


def health_by_day(connection: sa.Connection, video_id: int, first_day: int) -> dict[int, AnyRow]:
    """How it played on each day that has reports, from a given day on."""
    statement = sa.select(play_health).where(
        play_health.c.video_id == video_id, play_health.c.day >= first_day
    )
    return {row.day: row for row in connection.execute(statement)}


def count_favourites(connection: sa.Connection, video_id: int) -> int:
    """Visitors who keep it."""
    statement = sa.select(sa.func.count()).select_from(favourite)
    return int(connection.execute(statement.where(favourite.c.video_id == video_id)).scalar_one())


def share_sums(connection: sa.Connection, video_id: int) -> tuple[int, int, int]:
    """Links that were made, visits that count for them, and visitors for whom it is unlocked."""
    counted = sa.select(COUNT.label("visits")).where(share.c.video_id == video_id).subquery()
    visits = counted.c.visits
    unlocked = sa.func.sum(sa.case((visits >= UNLOCK_COUNT, 1), else_=0))
    statement = sa.select(
        sa.func.count(), sa.func.coalesce(sa.func.sum(visits), 0), sa.func.coalesce(unlocked, 0)
    ).select_from(counted)
    row = connection.execute(statement).one()
    return int(row[0]), int(row[1]), int(row[2])


def count_reports(connection: sa.Connection, video_id: int) -> int:
    """How often it was reported, decided or not."""
    total = sa.func.coalesce(sa.func.sum(reported_video.c.reports), 0)
    statement = sa.select(total).where(reported_video.c.video_id == video_id)
    return int(connection.execute(statement).scalar_one())
