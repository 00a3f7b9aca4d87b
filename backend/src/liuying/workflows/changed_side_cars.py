"""Importing a known video again: what its side-cars say anew is taken over, field by field.

Only where the side-car itself changed since, and nobody else spoke: what the command line or a
manifest said at the import, and what the operator edited later, stays.
"""

from __future__ import annotations

from typing import Any

import msgspec

from liuying.core.catalogue.queries import details, videos
from liuying.core.playback.queries import assets
from liuying.media.subtitles import distinct
from liuying.workflows.editing import edit_video
from liuying.workflows.import_note import NAMES, digest, said_beside
from liuying.workflows.import_services import ImportServices
from liuying.workflows.subtitle_files import set_track
from liuying.workflows.video_meta import GivenMeta, VideoMeta


class Changes(msgspec.Struct, frozen=True):
    """What became of changed side-cars.

    Attributes:
        updated: Names of the fields that were taken over, in Chinese.
        kept: Names of those that somebody else had set.
    """

    updated: list[str]
    kept: list[str]


def take_over(services: ImportServices, video_id: int, meta: VideoMeta) -> Changes:
    """Bring a published video up to date with side-cars that were added or changed.

    Raises:
        ImportBusyError: The video is being imported or moved.
    """
    changes = Changes([], [])
    with services.database.read() as connection:
        row = details.detail_row(connection, video_id)
        current = _current(connection, video_id)
    note = dict((row.imported if row is not None else None) or {})
    if "written" not in note:  # Imported by a version that noted nothing.
        return changes
    now, before, written = said_beside(meta), note["side"], note["written"]
    given: dict[str, Any] = {}
    for name, shown in NAMES.items():
        if name not in now or now[name] == before.get(name):
            continue
        is_others = name in note["said"] or not _is_as_written(name, current, written)
        (changes.kept if is_others else changes.updated).append(shown)
        if not is_others:
            written[name] = now[name]
            given[name] = None if name == "cover" else getattr(meta.beside, name)
    cover = meta.cover if given.pop("cover", ...) is None else None
    if given or cover is not None:
        edit_video(services, video_id, GivenMeta(**given), cover)
    _take_over_subtitles(services, video_id, meta, before.get("subtitles", {}), changes)
    if changes.updated or changes.kept:
        note |= {"written": written, "side": {**before, **now}}
        with services.database.write() as connection:
            details.write_details(connection, video_id, {"imported": note})
    return changes


def _take_over_subtitles(
    services: ImportServices,
    video_id: int,
    meta: VideoMeta,
    before: dict[str, str],
    changes: Changes,
) -> None:
    """Tracks that are new or changed; one that came from elsewhere keeps its language."""
    for track in distinct(meta.subtitles):
        if before.get(track.lang) == digest(track.document.encode()):
            continue
        with services.database.read() as connection:
            row = videos.asset_key_row(connection, video_id)
            key = "" if row is None else row.asset_key
            is_there = assets.subtitle_path(connection, key, track.lang) is not None
        if is_there and track.lang not in before:
            changes.kept.append(f"字幕 {track.lang}")
            continue
        set_track(services, video_id, track.lang, track.label, track.document)
        changes.updated.append(f"字幕 {track.lang}")


def _is_as_written(name: str, current: dict[str, Any], written: dict[str, Any]) -> bool:
    """Whether nobody has edited a field since. Artists have no order; a cover is stored anew."""
    if name == "artists":
        return bool(current[name] == set(written[name]))
    return name == "cover" or bool(current[name] == written[name])


def _current(connection: Any, video_id: int) -> dict[str, Any]:
    """What the catalogue says now, by field."""
    row, detail = videos.whole_row(connection, video_id), details.detail_row(connection, video_id)
    return {
        "title": "" if row is None else row.title,
        "labels": [one.name for one in videos.labels_of(connection, [video_id])],
        "artists": {one.name for one in videos.artists_of(connection, video_id)},
        "description": "" if detail is None else detail.description,
        "premiered_at": None if detail is None else detail.premiered_at,
        "chapters": (None if detail is None else detail.chapters) or [],
    }
