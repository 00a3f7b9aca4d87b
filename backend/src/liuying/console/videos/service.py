"""The table of videos, and one video with whatever describes it."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from liuying.console.videos import queries
from liuying.console.videos.schemas import (
    PAGE,
    Sort,
    SubtitleTrack,
    VideoDetail,
    VideoFilter,
    VideoPage,
    VideoRow,
    VideoState,
)
from liuying.core.catalogue.queries import videos
from liuying.core.catalogue.queries.details import detail_row
from liuying.core.catalogue.rules import is_locked
from liuying.core.playback.queries.assets import rendition_labels
from liuying.core.playback.queries.playable import subtitle_rows
from liuying.kit.clock import DAY_MS, to_iso, to_iso_if_known
from liuying.kit.database import AnyRow
from liuying.kit.errors import NotFoundError
from liuying.kit.paging import read_place
from liuying.workflows.queries.videos import videos_by_id
from liuying.workflows.removal import KEPT_DAYS

# Enough to tell two covers of a video apart.
COVER_NAME_LENGTH = 12


def list_videos(
    connection: sa.Connection, wanted: VideoFilter, sort: Sort, *, is_ascending: bool, after: str
) -> VideoPage:
    """A page of the table.

    Args:
        after: `next_after` of the page before; empty for the first one.
    """
    places = queries.places(
        connection,
        wanted,
        sort,
        is_ascending=is_ascending,
        after=read_place(after),
        limit=PAGE + 1,
    )
    shown = places[:PAGE]
    rows = queries.rows_of(connection, [place.id for place in shown])
    return VideoPage(
        data=[row_view(rows[place.id]) for place in shown],
        total=None if after else queries.count(connection, wanted),
        next_after=str(shown[-1]) if len(places) > PAGE else None,
    )


def video_detail(connection: sa.Connection, video_id: int) -> VideoDetail:
    """One video.

    Raises:
        NotFoundError: No such video.
    """
    row = queries.rows_of(connection, [video_id]).get(video_id)
    if row is None:
        raise NotFoundError(f"没有编号为 {video_id} 的视频")
    imported = videos_by_id(connection, [video_id])[video_id]
    details = detail_row(connection, video_id)
    key = row.asset_key
    return VideoDetail(
        video=row_view(row),
        labels=[one.name for one in videos.labels_of(connection, [video_id])],
        artists=[one.name for one in videos.artists_of(connection, video_id)],
        description=details.description if details else "",
        premiered_at=to_iso(details.premiered_at) if details and details.premiered_at else None,
        renditions=rendition_labels(connection, key),
        source_name=imported.source_name or "",
        cause=imported.cause or "",
        subtitles=[
            SubtitleTrack(one.lang, one.label)
            for one in (subtitle_rows(connection, key) if key else ())
        ],
        is_locked=is_locked(row.category_id),
    )


def row_view(row: AnyRow) -> VideoRow:
    """A row of the table."""
    return VideoRow(
        id=row.id,
        title=row.title,
        category=row.category_id,
        category_name=row.category_name,
        state=_state(row),
        created_at=to_iso(row.created_at),
        updated_at=to_iso(row.updated_at),
        publish_at=to_iso_if_known(row.publish_at),
        removed_at=to_iso_if_known(row.removed_at),
        purged_at=None if row.removed_at is None else to_iso(row.removed_at + KEPT_DAYS * DAY_MS),
        pageviews=row.pageviews,
        duration=row.duration,
        height=row.height,
        cover=_name_of(row.cover),
    )


def _name_of(cover: Mapping[str, str] | None) -> str:
    """The beginning of a picture's name, which is made from its content."""
    return (cover or {}).get("url", "").rpartition("/")[2][:COVER_NAME_LENGTH]


def _state(row: AnyRow) -> VideoState:
    if row.removed_at is not None:
        return VideoState.REMOVED
    if row.is_hidden:
        return VideoState.HIDDEN
    if row.publish_at is not None:
        return VideoState.SCHEDULED
    return VideoState.SHOWN if row.is_listed else VideoState.UNFINISHED
