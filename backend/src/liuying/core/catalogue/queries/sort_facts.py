"""Reading what the sort index is built from."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import LISTED, LISTED_BY, ListedBy, is_listed
from liuying.core.catalogue.sort_orders import SCORE_COLUMNS
from liuying.core.catalogue.tables import video, video_artist, video_label
from liuying.core.catalogue.video_facts import Array
from liuying.kit.driver_rows import read_some
from liuying.kit.number_columns import as_numbers
from liuying.kit.packed_rows import as_text

# In the order of `video_facts.FACTS`.
FACT_ROW = (video.c.id, video.c.category_id, *(video.c[name] for name in SCORE_COLUMNS))
FACTS_AT_ONCE = 20_000
# Asked at every change.
_SOME_FACTS = f"{sa.select(*LISTED_BY, *FACT_ROW)} WHERE video.id IN ({{}})"


def all_facts(connection: sa.Connection) -> Iterator[Array]:
    """What the orders depend on, for every listed video by id: arrays of ids, categories, times of
    creation and views.

    The database encodes a column of many videos as one text. Row by row the driver would take
    several times as long and keep the interpreter from other threads.
    """
    last = sa.bindparam("last", type_=sa.Integer)
    # Unlisted videos are only left out of the texts: this way the table is read once, in order of
    # its ids.
    some = (
        sa.select(*FACT_ROW, LISTED.label("is_shown")).where(video.c.id > last).order_by(video.c.id)
    )
    read = some.limit(FACTS_AT_ONCE).subquery()
    columns = [as_text(read.c[column.name]).filter(read.c.is_shown) for column in FACT_ROW]
    statement = sa.select(sa.func.max(read.c.id), *columns)
    newest = 0
    while (row := connection.execute(statement, {"last": newest}).one())[0] is not None:
        newest, *texts = row
        if texts[0] is not None:
            yield np.array([as_numbers(text) for text in texts])


def fact_rows(connection: sa.Connection, video_ids: Collection[int]) -> list[tuple[int, ...]]:
    """What the orders depend on (`FACT_ROW`), for some videos; unlisted ones are left out."""
    rows = read_some(connection, _SOME_FACTS, video_ids)
    before = len(LISTED_BY)
    return [row[before:] for row in rows if is_listed(ListedBy(*row[:before]))]


def _last_added(named: sa.Column[int]) -> sa.Select[Any]:
    """Videos of one artist or label as one text, like `all_facts`. Built once, because it is
    asked all the time.
    """
    video_id = named.table.c.video_id
    some = (
        sa.select(video_id.label("id"))
        .where(named == sa.bindparam("number"))
        .order_by(video_id.desc())
    )
    chosen = some.limit(sa.bindparam("limit")).subquery()
    return sa.select(as_text(chosen.c.id))


_OF_ARTIST, _OF_LABEL = _last_added(video_artist.c.artist_id), _last_added(video_label.c.label_id)
# More than exist: ids of videos in memory have 32 bits.
ALL = 2**31 - 1


def video_ids_of_artist(connection: sa.Connection, artist_id: int, limit: int = ALL) -> Array:
    """An artist's videos, listed or not, newest first."""
    return _numbers(
        connection.execute(_OF_ARTIST, {"number": artist_id, "limit": limit}).scalar_one()
    )


def video_ids_of_label(connection: sa.Connection, label_id: int, limit: int) -> Array:
    """A label's videos, listed or not, newest first."""
    return _numbers(
        connection.execute(_OF_LABEL, {"number": label_id, "limit": limit}).scalar_one()
    )


def _numbers(text: str | None) -> Array:
    # By id: aggregation guarantees no order of its own.
    return np.sort(as_numbers(text))[::-1]
