"""The asset of an import and the video that shows it."""

from __future__ import annotations

import sqlalchemy as sa

from liuying.core.catalogue.tables import video
from liuying.core.playback.tables import asset
from liuying.kit.database import AnyRow


def asset_of_content(connection: sa.Connection, source_hash: str) -> AnyRow | None:
    """Key, state, `is_protected`, `is_removed`, `video_id` of the asset with a file's content."""
    return _shown_asset(connection, asset.c.source_hash == source_hash)


def asset_of_key(connection: sa.Connection, key: str) -> AnyRow | None:
    """Key, state, `is_protected`, `is_removed` and `video_id` of the asset with a key."""
    return _shown_asset(connection, asset.c.key == key)


def _shown_asset(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> AnyRow | None:
    columns = (asset.c.key, asset.c.state, asset.c.is_protected, asset.c.is_removed)
    statement = sa.select(*columns, video.c.id.label("video_id")).outerjoin(
        video, video.c.asset_key == asset.c.key
    )
    return connection.execute(statement.where(condition)).first()
