"""Statements of the console's table of videos, and sums about one video without anybody's identity
(days are UTC, like the buckets). Each runs inside the caller's transaction.

Filters, orders and pages look at `video` alone, hidden and withheld ones included; names are read
for the rows of a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from liuying.console.videos.schemas import Sort, VideoFilter, VideoState
from liuying.core.catalogue.tables import (
    artist,
    category,
    label,
    removed_video,
    video,
    video_artist,
    video_detail,
    video_label,
)
from liuying.features.favourites.tables import favourite
from liuying.features.reports.tables import reported_video
from liuying.features.sharing.queries import COUNT
from liuying.features.sharing.rules import UNLOCK_COUNT
from liuying.features.sharing.tables import share
from liuying.features.views.tables import play_health, view_hour
from liuying.kit.database import AnyRow
from liuying.kit.identifiers import MAX_ID
from liuying.kit.paging import Place

_COLUMNS = {
    Sort.CREATED: video.c.created_at,
    Sort.UPDATED: video.c.updated_at,
    Sort.VIEWS: video.c.pageviews,
    Sort.DURATION: video.c.duration,
}
_REMOVED = sa.select(removed_video.c.video_id)
_SCHEDULED = sa.select(video_detail.c.video_id).where(video_detail.c.publish_at.is_not(None))


def places(
    connection: sa.Connection,
    wanted: VideoFilter,
    sort: Sort,
    *,
    is_ascending: bool,
    after: Place | None,
    limit: int,
) -> list[Place]:
    """Places of the next videos of an order, ties by number."""
    score = _COLUMNS[sort]
    conditions = _conditions(connection, wanted)
    place = sa.tuple_(score, video.c.id)
    if after is not None:
        mark = sa.tuple_(sa.literal(after.score), sa.literal(after.id))
        conditions.append(place > mark if is_ascending else place < mark)
    order = (score.asc(), video.c.id.asc()) if is_ascending else (score.desc(), video.c.id.desc())
    statement = sa.select(score.label("score"), video.c.id).where(*conditions).order_by(*order)
    return [Place(row.score, row.id) for row in connection.execute(statement.limit(limit))]


def count(connection: sa.Connection, wanted: VideoFilter) -> int:
    """How many videos a filter leaves."""
    statement = (
        sa.select(sa.func.count()).select_from(video).where(*_conditions(connection, wanted))
    )
    return int(connection.execute(statement).scalar_one())


def matching_ids(connection: sa.Connection, wanted: VideoFilter, limit: int) -> list[int]:
    """The numbers of the videos that a filter leaves, in order."""
    statement = sa.select(video.c.id).where(*_conditions(connection, wanted)).order_by(video.c.id)
    return list(connection.execute(statement.limit(limit)).scalars())


def rows_of(connection: sa.Connection, ids: Sequence[int]) -> dict[int, AnyRow]:
    """Whole rows of some videos with `category_name`, `publish_at` and `removed_at`."""
    statement: sa.Select[Any] = (
        sa.select(
            video,
            category.c.name.label("category_name"),
            video_detail.c.publish_at,
            removed_video.c.removed_at,
        )
        .join(category, category.c.id == video.c.category_id)
        .outerjoin(video_detail, video_detail.c.video_id == video.c.id)
        .outerjoin(removed_video, removed_video.c.video_id == video.c.id)
        .where(video.c.id.in_(ids))
    )
    return {row.id: row for row in connection.execute(statement)}


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


def _conditions(connection: sa.Connection, wanted: VideoFilter) -> list[sa.ColumnElement[bool]]:
    is_removed = video.c.id.in_(_REMOVED)
    is_in_bin = wanted.state is VideoState.REMOVED
    conditions: list[sa.ColumnElement[bool]] = [is_removed if is_in_bin else sa.not_(is_removed)]
    if wanted.text:
        conditions.append(_says(connection, wanted.text))
    if wanted.category is not None:
        conditions.append(video.c.category_id == wanted.category)
    if wanted.label:
        found = sa.select(video_label.c.video_id).join(label, label.c.id == video_label.c.label_id)
        conditions.append(video.c.id.in_(found.where(label.c.name == wanted.label)))
    if wanted.artist:
        named = sa.select(video_artist.c.video_id)
        named = named.join(artist, artist.c.id == video_artist.c.artist_id)
        conditions.append(video.c.id.in_(named.where(artist.c.name == wanted.artist)))
    match wanted.state:
        case VideoState.SHOWN:
            conditions += [video.c.is_listed, sa.not_(video.c.is_hidden)]
        case VideoState.HIDDEN:
            conditions.append(video.c.is_hidden)
        case VideoState.SCHEDULED:
            conditions.append(video.c.id.in_(_SCHEDULED))
        case VideoState.UNFINISHED:
            conditions += [sa.not_(video.c.is_listed), video.c.id.not_in(_SCHEDULED)]
    return conditions


def _says(connection: sa.Connection, text: str) -> sa.ColumnElement[bool]:
    """The title contains the text, or the text is the video's number."""
    # SQLite's LIKE looks at no case by itself, and comparing lower cases takes twice as long.
    contains = (
        video.c.title.contains if connection.dialect.name == "sqlite" else video.c.title.icontains
    )
    is_said = contains(text, autoescape=True)
    is_number = text.isascii() and text.isdigit() and int(text) <= MAX_ID
    return sa.or_(is_said, video.c.id == int(text)) if is_number else is_said
