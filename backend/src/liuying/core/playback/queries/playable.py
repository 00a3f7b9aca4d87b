"""Statements of playback, built once: building them is a good part of an answer's cost."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from liuying.core.playback.tables import asset, audio_track, rendition, subtitle
from liuying.kit.database import AnyRow

_KEY = sa.bindparam("key", type_=sa.String)
_RENDITIONS = (
    sa.select(rendition).where(rendition.c.asset_key == _KEY).order_by(rendition.c.bandwidth)
)
_SUBTITLES = sa.select(subtitle).where(subtitle.c.asset_key == _KEY).order_by(subtitle.c.lang)
_AUDIO_TRACKS = (
    sa.select(audio_track).where(audio_track.c.asset_key == _KEY).order_by(audio_track.c.number)
)
_PROGRESSIVE = sa.select(asset.c.progressive).where(asset.c.key == _KEY)
_STORYBOARD = sa.select(asset.c.storyboard).where(asset.c.key == _KEY)
_IS_PROTECTED = sa.select(asset.c.is_protected).where(
    asset.c.key == _KEY, sa.not_(asset.c.is_removed)
)


def rendition_rows(connection: sa.Connection, asset_key: str) -> Sequence[AnyRow]:
    """An asset's renditions, lowest first."""
    return connection.execute(_RENDITIONS, {"key": asset_key}).all()


def subtitle_rows(connection: sa.Connection, asset_key: str) -> Sequence[AnyRow]:
    """An asset's subtitle tracks by language."""
    return connection.execute(_SUBTITLES, {"key": asset_key}).all()


def audio_track_rows(connection: sa.Connection, asset_key: str) -> Sequence[AnyRow]:
    """An asset's audio tracks in the file's order; none if its renditions contain the sound."""
    return connection.execute(_AUDIO_TRACKS, {"key": asset_key}).all()


def progressive_path(connection: sa.Connection, asset_key: str) -> str | None:
    """Path of an asset's progressive MP4; None if it has none."""
    return connection.execute(_PROGRESSIVE, {"key": asset_key}).scalar() or None


def storyboard_of(connection: sa.Connection, asset_key: str) -> str | None:
    """Path of the storyboard's WebVTT; None if there is none."""
    return connection.execute(_STORYBOARD, {"key": asset_key}).scalar() or None


def protection_of(connection: sa.Connection, asset_key: str) -> bool | None:
    """Whether an asset's files need a signed URL; None if there is no such asset, or its video
    is in the bin.
    """
    found = connection.execute(_IS_PROTECTED, {"key": asset_key}).scalar()
    return None if found is None else bool(found)


def protected_among(connection: sa.Connection, asset_keys: Collection[str]) -> set[str]:
    """Those of some assets whose files need a signed URL."""
    statement = sa.select(asset.c.key).where(asset.c.key.in_(asset_keys), asset.c.is_protected)
    return set(connection.execute(statement).scalars())


def is_protected(connection: sa.Connection, asset_key: str) -> bool:
    """Whether an asset's files need a signed URL."""
    return bool(connection.execute(_IS_PROTECTED, {"key": asset_key}).scalar())
