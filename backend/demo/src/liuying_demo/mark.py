"""Noting which rows are the demo's, so that they can be told from the operator's own.

What has a name that an operator may choose as well is noted by whoever inserts it
(`liuying_demo.furnish`). Films and artists come in by the import and are noted here.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, video, video_artist
from liuying.core.playback.tables import asset
from liuying.kit.provenance import ids_made_by, note_made
from liuying_demo.catalogue import DemoCatalogue, source_name

SOURCE = "demo"


def note_rows(connection: sa.Connection, table: sa.Table, row_ids: Iterable[int]) -> None:
    """Note rows that the demo has just inserted."""
    note_made(connection, SOURCE, table.name, row_ids)


def note_imported(connection: sa.Connection, catalogue: DemoCatalogue) -> None:
    """Note the demo's films that are there, and the artists that appear in no other film."""
    names = [source_name(entry) for entry in catalogue.videos]
    films = (
        sa.select(video.c.id)
        .join(asset, video.c.asset_key == asset.c.key)
        .where(asset.c.source_name.in_(names))
    )
    note_rows(connection, video, connection.scalars(films))
    mine = ids_made_by(connection, SOURCE, video.name)
    seen: dict[int, set[int]] = {}
    appearing = (
        sa.select(artist.c.id, video_artist.c.video_id)
        .join(video_artist, video_artist.c.artist_id == artist.c.id)
        .where(artist.c.name.in_([entry.name for entry in catalogue.artists]))
    )
    for artist_id, video_id in connection.execute(appearing):
        seen.setdefault(artist_id, set()).add(video_id)
    note_rows(connection, artist, [one for one, videos in seen.items() if videos <= mine])
