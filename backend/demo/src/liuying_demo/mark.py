"""Noting which rows are the demo's, so that they can be told from the operator's own.

What has a name that an operator may choose as well is noted by whoever inserts it
(`liuying_demo.furnish`). Films and artists come in by the import and are noted here.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from liuying.core.catalogue.tables import artist, video, video_artist
from liuying.core.playback.tables import asset
from liuying.kit.provenance import ids_made_by, note_made, provenance
from liuying_demo.catalogue import DemoCatalogue, source_name

SOURCE = "demo"
# Instead of a table: the operator took the demo away.
REMOVED = "removed"


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


def note_removal(connection: sa.Connection) -> None:
    """Note that the operator took the demo away: it does not come back by itself."""
    note_made(connection, SOURCE, REMOVED, [1])


def was_removed(connection: sa.Connection) -> bool:
    """Whether the operator took the demo away."""
    return bool(ids_made_by(connection, SOURCE, REMOVED))


def forget_removal(connection: sa.Connection) -> None:
    """The operator wants the demo after all."""
    of_removal = (provenance.c.source == SOURCE, provenance.c.kind == REMOVED)
    connection.execute(sa.delete(provenance).where(*of_removal))


def forget_rows(connection: sa.Connection) -> None:
    """Forget which rows the demo made, now that they are gone."""
    of_rows = (provenance.c.source == SOURCE, provenance.c.kind != REMOVED)
    connection.execute(sa.delete(provenance).where(*of_rows))
