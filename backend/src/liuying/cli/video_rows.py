"""What `liuying video` shows of videos."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa

from liuying.cli.output import shown_moment
from liuying.core.catalogue.queries import videos
from liuying.core.playback.queries.assets import audio_track_labels, rendition_labels
from liuying.kit.database import AnyRow, Database
from liuying.kit.object_store import ObjectStore
from liuying.workflows.originals import original_of, place_of
from liuying.workflows.queries.videos import videos_by_id

COLUMNS = {
    "id": "编号",
    "title": "标题",
    "category": "分类",
    "pageviews": "播放",
    "is_hidden": "隐藏",
    "state": "状态",
    "created_at": "创建时间",
}
DETAILS = COLUMNS | {
    "labels": "标签",
    "artists": "艺人",
    "renditions": "清晰度",
    "audio_tracks": "音轨",
    "seconds": "秒",
    "size": "尺寸",
    "source": "来源文件",
    "original": "保留的原文件",
    "cause": "问题",
    "bytes": "占用字节",
}
STATES = {"registered": "等待", "low": "仅首个清晰度", "complete": "完整", "failed": "失败"}


def row_of(row: AnyRow) -> dict[str, Any]:
    """What a list shows of a video, by the names of `COLUMNS`."""
    return {
        "id": row.id,
        "title": row.title,
        "category": row.category,
        "pageviews": row.pageviews,
        "is_hidden": row.is_hidden,
        "state": row.state,
        "is_scheduled": not row.is_listed,
        "is_removed": row.removed_at is not None,
        "created_at": shown_moment(row.created_at),
    }


def rows_of(database: Database, video_ids: Collection[int]) -> list[dict[str, Any]]:
    """Of these videos, in this order; what does not exist is left out."""
    with database.read() as connection:
        known = videos_by_id(connection, video_ids)
    return [row_of(known[video_id]) for video_id in dict.fromkeys(video_ids) if video_id in known]


def details_of(connection: sa.Connection, row: AnyRow, objects: ObjectStore) -> dict[str, Any]:
    """All that is known of a video, by the names of `DETAILS`."""
    original = None if row.asset_key is None else original_of(objects, row.asset_key)
    return row_of(row) | {
        "labels": [found.name for found in videos.labels_of(connection, [row.id])],
        "artists": [found.name for found in videos.artists_of(connection, row.id)],
        "renditions": rendition_labels(connection, row.asset_key),
        "audio_tracks": audio_track_labels(connection, row.asset_key),
        "seconds": row.duration / 1000,
        "size": f"{row.width}×{row.height}",
        "source": row.source_name,
        "original": None if original is None else place_of(objects, original),
        "cause": row.cause or None,
        "bytes": _bytes_of(objects, row.asset_key),
    }


def in_words(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row for the terminal: the state in Chinese."""
    state = STATES.get(row["state"], row["state"])
    if row.get("is_scheduled"):
        state = "定时发布"
    if row.get("is_removed"):
        state = "在回收站"
    return {**row, "state": state}


def _bytes_of(objects: ObjectStore, key: str | None) -> int:
    """What an asset takes on disk."""
    if key is None:
        return 0
    prefixes = objects.media.prefixes(key)
    return sum(one.size for prefix in prefixes for one in objects.objects(prefix))
