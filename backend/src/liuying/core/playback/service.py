"""What a player may choose from."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from liuying.core.playback.schemas import SourceView, SubtitleView
from liuying.core.playback.tables import asset, rendition, subtitle

HLS: Final = "application/vnd.apple.mpegurl"

_KEY = sa.bindparam("key", type_=sa.String)
_RENDITIONS = (
    sa.select(rendition).where(rendition.c.asset_key == _KEY).order_by(rendition.c.bandwidth)
)
_SUBTITLES = sa.select(subtitle).where(subtitle.c.asset_key == _KEY).order_by(subtitle.c.lang)
_PROGRESSIVE = sa.select(asset.c.progressive).where(asset.c.key == _KEY)
_STORYBOARD = sa.select(asset.c.storyboard).where(asset.c.key == _KEY)


def list_sources(connection: sa.Connection, asset_key: str, playlist: str) -> list[SourceView]:
    """The master playlist first (自动), then its renditions from the lowest, then the progressive
    file.
    """
    rows = connection.execute(_RENDITIONS, {"key": asset_key}).all()
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
    progressive = connection.execute(_PROGRESSIVE, {"key": asset_key}).scalar()
    if progressive:
        sources.append(SourceView(type="video/mp4", url=progressive, label="MP4"))
    return sources


def list_subtitles(connection: sa.Connection, asset_key: str) -> list[SubtitleView]:
    """Subtitle tracks by language."""
    rows = connection.execute(_SUBTITLES, {"key": asset_key}).all()
    return [SubtitleView(lang=row.lang, label=row.label, url=row.path) for row in rows]


def storyboard_of(connection: sa.Connection, asset_key: str) -> str | None:
    """Path of the storyboard's WebVTT, None where there is none."""
    return connection.execute(_STORYBOARD, {"key": asset_key}).scalar() or None


def is_protected(connection: sa.Connection, asset_key: str) -> bool:
    """Whether an asset's files are read with a signed_prefix only (`grants`)."""
    return bool(
        connection.execute(sa.select(asset.c.is_protected).where(asset.c.key == asset_key)).scalar()
    )
