"""What a player can choose from."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from liuying.core.playback.queries import playable
from liuying.core.playback.schemas import AudioTrackView, SourceView, SubtitleView

HLS: Final = "application/vnd.apple.mpegurl"


def list_sources(connection: sa.Connection, asset_key: str, playlist: str) -> list[SourceView]:
    """The master playlist (自动), its renditions from the lowest up, then the progressive file."""
    rows = playable.rendition_rows(connection, asset_key)
    sources = [SourceView(type=HLS, url=playlist, label="自动")] if playlist else []
    sources += [
        SourceView(
            type=HLS,
            url=row.path,
            label=row.label,
            height=min(row.width, row.height),
            bandwidth=row.bandwidth,
        )
        for row in rows
    ]
    progressive = playable.progressive_path(connection, asset_key)
    if progressive:
        sources.append(SourceView(type="video/mp4", url=progressive, label="MP4"))
    return sources


def list_subtitles(connection: sa.Connection, asset_key: str) -> list[SubtitleView]:
    """Subtitle tracks by language."""
    rows = playable.subtitle_rows(connection, asset_key)
    return [SubtitleView(lang=row.lang, label=row.label, url=row.path) for row in rows]


def list_audio_tracks(connection: sa.Connection, asset_key: str) -> list[AudioTrackView]:
    """The audio tracks of a film that has several, in its order."""
    rows = playable.audio_track_rows(connection, asset_key)
    return [
        AudioTrackView(lang=row.lang, label=row.label, url=row.path, is_default=row.is_default)
        for row in rows
    ]
