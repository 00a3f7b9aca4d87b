"""What the orders in memory are built from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import LISTED, LISTED_BY, is_listed
from liuying.core.catalogue.sort_orders import SCORE_COLUMNS
from liuying.core.catalogue.tables import video, video_artist, video_label
from liuying.core.catalogue.video_facts import Array
from liuying.kit.database import AnyRow

# In the order of `video_facts.FACTS`.
FACT_ROW = (video.c.id, video.c.category_id, *(video.c[name] for name in SCORE_COLUMNS))
FACTS_AT_ONCE = 20_000


def all_facts(connection: sa.Connection) -> Iterator[Array]:
    """What orders depend on, of every listed video, by number: rows of ids, categories, creation
    and views.

    The database writes a column of many videos as one text. Rows through the driver take several
    times as long, and the interpreter from whoever answers meanwhile.
    """
    last = sa.bindparam("last", type_=sa.Integer)
    # What is not listed is left out of the texts alone: by number the table is read once, in its
    # order.
    some = (
        sa.select(*FACT_ROW, LISTED.label("is_shown")).where(video.c.id > last).order_by(video.c.id)
    )
    read = some.limit(FACTS_AT_ONCE).subquery()
    columns = [
        sa.func.aggregate_strings(sa.cast(read.c[column.name], sa.Text), ",").filter(
            read.c.is_shown
        )
        for column in FACT_ROW
    ]
    statement = sa.select(sa.func.max(read.c.id), *columns)
    newest = 0
    while (row := connection.execute(statement, {"last": newest}).one())[0] is not None:
        newest, *texts = row
        if texts[0] is not None:
            yield np.array([np.fromstring(text, np.int64, sep=",") for text in texts])


def fact_rows(connection: sa.Connection, video_ids: Collection[int]) -> Sequence[AnyRow]:
    """What orders depend on, of some videos; those that are not listed are left out."""
    statement = sa.select(*FACT_ROW, *LISTED_BY).where(video.c.id.in_(video_ids))
    return [row for row in connection.execute(statement) if is_listed(row)]


def _last_added(named: sa.Column[int]) -> sa.Select[Any]:
    """Videos of one artist or label, as one text, like `all_facts`. Built once: it is asked all the
    time.
    """
    video_id = named.table.c.video_id
    some = (
        sa.select(video_id.label("id"))
        .where(named == sa.bindparam("number"))
        .order_by(video_id.desc())
    )
    chosen = some.limit(sa.bindparam("limit")).subquery()
    return sa.select(sa.func.aggregate_strings(sa.cast(chosen.c.id, sa.Text), ","))


_OF_ARTIST, _OF_LABEL = _last_added(video_artist.c.artist_id), _last_added(video_label.c.label_id)
# More than there are: what is listed in memory has numbers of 32 bits.
ALL = 2**31 - 1


def video_ids_of_artist(connection: sa.Connection, artist_id: int, limit: int = ALL) -> Array:
    """The videos of an artist, listed or not, the last added first."""
    return _numbers(
        connection.execute(_OF_ARTIST, {"number": artist_id, "limit": limit}).scalar_one()
    )


def video_ids_of_label(connection: sa.Connection, label_id: int, limit: int) -> Array:
    """The videos of a label, listed or not, the last added first."""
    return _numbers(
        connection.execute(_OF_LABEL, {"number": label_id, "limit": limit}).scalar_one()
    )


def _numbers(text: str | None) -> Array:
    # In the order of their numbers: what is aggregated has none of its own.
    return np.sort(as_numbers(text))[::-1]


def as_numbers(text: str | None) -> Array:
    """The numbers of a text that the database put together; none where there was nothing."""
    return np.zeros(0, np.int64) if text is None else np.fromstring(text, np.int64, sep=",")
