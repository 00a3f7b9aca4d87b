"""Assets whose renditions have a file for every segment, as versions before published them, and
assets with files that were superseded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from liuying.core.playback.tables import asset, audio_track, rendition
from liuying.kit.clock import Milliseconds

_OF_SEGMENTS = (
    asset.c.state == "complete",
    sa.not_(asset.c.is_removed),
    sa.not_(asset.c.is_one_file),
)


def segmented_keys(connection: sa.Connection) -> Sequence[str]:
    """Keys of the complete assets outside the bin that may have a file for every segment."""
    statement = sa.select(asset.c.key).where(*_OF_SEGMENTS)
    return connection.execute(statement.order_by(asset.c.key)).scalars().all()


def count_segmented(connection: sa.Connection) -> int:
    """How many there are."""
    statement = sa.select(sa.func.count()).select_from(asset).where(*_OF_SEGMENTS)
    return connection.execute(statement).scalar_one()


def superseded_keys(connection: sa.Connection, before: Milliseconds) -> Sequence[str]:
    """Keys of the assets outside the bin some of whose files were superseded before a moment."""
    is_meant = (asset.c.superseded_at < before, sa.not_(asset.c.is_removed))
    statement = sa.select(asset.c.key).where(*is_meant)
    return connection.execute(statement.order_by(asset.c.key)).scalars().all()


def move_paths(connection: sa.Connection, key: str, moved: Mapping[str, str]) -> None:
    """Point an asset's renditions and audio tracks to other folders.

    Args:
        moved: New paths of media playlists, by old path.
    """
    for table in (rendition, audio_track):
        for old, new in moved.items():
            connection.execute(
                sa.update(table)
                .where(table.c.asset_key == key, table.c.path == old)
                .values(path=new)
            )
