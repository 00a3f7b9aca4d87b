"""Videos as operators see them, with the state of their assets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.tables import category, removed_video, video
from liuying.core.playback.tables import asset, rendition
from liuying.kit.database import AnyRow

# All columns of a video, its category's name as `category`, its asset's state and source, and when
# it was put into the bin.
_VIDEOS: sa.Select[Any] = (
    sa.select(
        video,
        category.c.name.label("category"),
        asset.c.state,
        asset.c.cause,
        asset.c.source_name,
        removed_video.c.removed_at,
    )
    .join(category, category.c.id == video.c.category_id)
    .outerjoin(asset, asset.c.key == video.c.asset_key)
    .outerjoin(removed_video, removed_video.c.video_id == video.c.id)
)


def select_videos(
    connection: sa.Connection,
    *,
    category_id: int | None,
    title: str | None,
    only_hidden: bool,
    by_views: bool,
    limit: int,
) -> Sequence[AnyRow]:
    """Videos outside the bin, newest or most watched first.

    Args:
        category_id: None for all.
        title: Characters that the title contains; None for any.
    """
    statement = _VIDEOS.where(removed_video.c.removed_at.is_(None))
    if category_id is not None:
        statement = statement.where(category.c.id == category_id)
    if title is not None:
        statement = statement.where(video.c.title.contains(title, autoescape=True))
    if only_hidden:
        statement = statement.where(video.c.is_hidden)
    first = video.c.pageviews if by_views else video.c.created_at
    ordered = statement.order_by(first.desc(), video.c.id.desc())
    return connection.execute(ordered.limit(limit)).all()


def videos_by_id(connection: sa.Connection, video_ids: Collection[int]) -> dict[int, AnyRow]:
    """The existing ones among some videos."""
    rows = connection.execute(_VIDEOS.where(video.c.id.in_(video_ids)))
    return {row.id: row for row in rows}


def lowest_renditions(connection: sa.Connection) -> Iterator[AnyRow]:
    """The rendition with the lowest bit rate of every complete video outside the bin:
    `video_id`, `title`, `path` and `is_protected`.
    """
    least = sa.func.min(rendition.c.bandwidth).over(partition_by=rendition.c.asset_key)
    ranked = sa.select(
        rendition.c.asset_key, rendition.c.path, rendition.c.bandwidth, least.label("least")
    ).subquery()
    statement = (
        sa.select(video.c.id.label("video_id"), video.c.title, ranked.c.path, asset.c.is_protected)
        .join(asset, asset.c.key == video.c.asset_key)
        .join(ranked, ranked.c.asset_key == asset.c.key)
        .where(
            asset.c.state == "complete",
            sa.not_(asset.c.is_removed),
            ranked.c.bandwidth == ranked.c.least,
        )
        .order_by(video.c.id)
    )
    seen = 0
    for row in connection.execute(statement):
        if row.video_id != seen:  # Two renditions may have the same bit rate.
            yield row
        seen = row.video_id
