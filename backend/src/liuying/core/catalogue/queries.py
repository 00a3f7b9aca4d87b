"""Every SQL statement of the catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa

from liuying.core.catalogue.rows import LabelRow, VideoRow
from liuying.core.catalogue.rules import EXCLUDED_CATEGORIES, WITHHELD_PREFIX
from liuying.core.catalogue.sort_orders import SCORE_COLUMNS, SORT_ORDERS, SortOrder
from liuying.core.catalogue.tables import artist, category, label, video, video_artist, video_label
from liuying.core.catalogue.video_facts import Array
from liuying.kit.database import AnyRow
from liuying.kit.packed_rows import PackedRows
from liuying.kit.paging import Place

ROW = (
    video.c.id,
    video.c.title,
    video.c.category_id,
    category.c.name.label("category_name"),
    video.c.created_at,
    video.c.updated_at,
    video.c.pageviews,
    video.c.asset_key,
    video.c.duration,
    video.c.width,
    video.c.height,
    video.c.playlist,
    video.c.cover,
)

PLAYABLE = sa.and_(video.c.is_listed, sa.not_(video.c.is_hidden))
OFFERED = sa.not_(video.c.title.startswith(WITHHELD_PREFIX, autoescape=True))
LISTED = sa.and_(PLAYABLE, OFFERED)
# `LISTED` for few videos: not by an index of all that is listed, which SQLite would begin with.
LISTED_AMONG = sa.and_(
    sa.func.coalesce(video.c.is_listed, sa.false()), sa.not_(video.c.is_hidden), OFFERED
)

LISTED_BY = (video.c.is_listed, video.c.is_hidden, video.c.title)


def _is_listed(row: AnyRow | VideoRow) -> bool:
    """What `LISTED` says. With it in the statement SQLite reads all that is listed rather than a
    few rows by number.
    """
    return bool(row.is_listed and not row.is_hidden and not row.title.startswith(WITHHELD_PREFIX))


def in_category(category_id: int | None) -> sa.ColumnElement[bool]:
    """The videos of one category; of all but the excluded ones where it is None."""
    if category_id is None:
        return sa.and_(LISTED, video.c.category_id.not_in(EXCLUDED_CATEGORIES))
    return sa.and_(LISTED, video.c.category_id == category_id)


def by_artist(artist_id: int) -> sa.ColumnElement[bool]:
    """The listed videos of one artist."""
    return sa.and_(
        LISTED,
        video.c.id.in_(
            sa.select(video_artist.c.video_id).where(video_artist.c.artist_id == artist_id)
        ),
    )


def _score(order: SortOrder) -> sa.Column[int]:
    return video.c[SORT_ORDERS[order].column]


def ordering(order: SortOrder) -> tuple[sa.UnaryExpression[Any], ...]:
    """By the order's column, falling; ties by id so that pages never overlap."""
    return _score(order).desc(), video.c.id.desc()


def is_behind(order: SortOrder, place: Place) -> sa.ColumnElement[bool]:
    """The videos that come after a place."""
    return sa.tuple_(_score(order), video.c.id) < sa.tuple_(
        sa.literal(place.score), sa.literal(place.id)
    )


def places(
    connection: sa.Connection,
    where: sa.ColumnElement[bool],
    order: SortOrder,
    offset: int,
    limit: int,
) -> Sequence[AnyRow]:
    """Where videos stand, in order: `id` and `score`."""
    statement = (
        sa.select(video.c.id, _score(order).label("score")).where(where).order_by(*ordering(order))
    )
    return connection.execute(statement.offset(offset).limit(limit)).all()


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
    """The same of some videos; those that are not listed are left out."""
    statement = sa.select(*FACT_ROW, *LISTED_BY).where(video.c.id.in_(video_ids))
    return [row for row in connection.execute(statement) if _is_listed(row)]


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
    """The same of a label."""
    return _numbers(
        connection.execute(_OF_LABEL, {"number": label_id, "limit": limit}).scalar_one()
    )


def _numbers(text: str | None) -> Array:
    # In the order of their numbers: what is aggregated has none of its own.
    return np.sort(_as_numbers(text))[::-1]


def _as_numbers(text: str | None) -> Array:
    return np.zeros(0, np.int64) if text is None else np.fromstring(text, np.int64, sep=",")


def select_rows() -> sa.Select[Any]:
    return sa.select(*ROW).join(category, category.c.id == video.c.category_id)


# Built once: what an answer costs is in good part the building of its statements.
_SOME = sa.bindparam("ids", type_=sa.Integer, expanding=True)
_PLAYABLE_ROW = select_rows().where(PLAYABLE, video.c.id == sa.bindparam("id"))
_ROWS = PackedRows(
    select_rows().add_columns(video.c.is_listed, video.c.is_hidden).where(video.c.id.in_(_SOME)),
    VideoRow,
)
_LABELS = PackedRows(
    sa.select(video_label.c.video_id, video_label.c.position, label.c.id, label.c.name)
    .join(label, label.c.id == video_label.c.label_id)
    .where(video_label.c.video_id.in_(_SOME)),
    LabelRow,
)
_ARTIST_IDS = (
    sa.select(video_artist.c.video_id, video_artist.c.artist_id)
    .where(video_artist.c.video_id.in_(_SOME))
    .order_by(video_artist.c.video_id, video_artist.c.artist_id)
)
_LABEL_IDS = (
    sa.select(video_label.c.label_id)
    .where(video_label.c.video_id == sa.bindparam("id"))
    .order_by(video_label.c.position, video_label.c.label_id)
)


def count_videos(connection: sa.Connection, where: sa.ColumnElement[bool]) -> int:
    return connection.execute(
        sa.select(sa.func.count()).select_from(video).where(where)
    ).scalar_one()


def video_row(connection: sa.Connection, video_id: int) -> AnyRow | None:
    """A playable video, also one whose title keeps it out of lists."""
    return connection.execute(_PLAYABLE_ROW, {"id": video_id}).one_or_none()


def rows_by_id(connection: sa.Connection, ids: Collection[int]) -> dict[int, VideoRow]:
    """Listed videos among some numbers."""
    return {row.id: row for row in _ROWS.read(connection, {"ids": list(ids)}) if _is_listed(row)}


def labels_of(connection: sa.Connection, video_ids: Iterable[int]) -> list[LabelRow]:
    """The labels of some videos; of each in its order."""
    found = _LABELS.read(connection, {"ids": list(video_ids)})
    return sorted(found, key=lambda row: (row.video_id, row.position, row.id))


def artist_names_of(connection: sa.Connection, video_ids: Collection[int]) -> Sequence[AnyRow]:
    statement = (
        sa.select(video_artist.c.video_id, artist.c.name)
        .join(artist, artist.c.id == video_artist.c.artist_id)
        .where(video_artist.c.video_id.in_(video_ids))
        .order_by(video_artist.c.video_id, artist.c.initial, artist.c.name)
    )
    return connection.execute(statement).all()


def category_rows(connection: sa.Connection) -> Sequence[AnyRow]:
    """The categories that are shown, in the operator's order."""
    statement = (
        sa.select(category)
        .where(category.c.id.not_in(EXCLUDED_CATEGORIES))
        .order_by(category.c.position, category.c.id)
    )
    return connection.execute(statement).all()


def artist_rows(connection: sa.Connection) -> list[tuple[AnyRow, int]]:
    """Artists with their number of listed videos, by name."""
    counts = _listed_counts(connection, video_artist.c.artist_id)
    statement = sa.select(artist).order_by(artist.c.initial, artist.c.name)
    return [(row, counts[row.id]) for row in connection.execute(statement)]


def artist_row(connection: sa.Connection, number: int) -> tuple[AnyRow, int]:
    """An artist with the number of listed videos, which may be none."""
    row = connection.execute(sa.select(artist).where(artist.c.id == number)).one()
    return row, _listed_counts(connection, video_artist.c.artist_id, number)[number]


def _listed_counts(
    connection: sa.Connection, name: sa.Column[int], only: int | None = None
) -> Counter[int]:
    """How many listed videos each name has: all that have it, which an index alone tells, less the
    few others.
    """
    counted = sa.select(name.label("id"), sa.func.count().label("videos")).group_by(name)
    if only is not None:
        counted = counted.where(name == only)
    unlisted = name.table.c.video_id.in_(sa.select(video.c.id).where(sa.not_(LISTED)))
    counts = Counter(_pairs(connection, counted))
    counts.subtract(_pairs(connection, counted.where(unlisted)))
    return counts


def _pairs(connection: sa.Connection, counted: sa.Select[int, int]) -> dict[int, int]:
    """Two columns of numbers, each as one text: rows through the driver give the interpreter away
    one by one.
    """
    found = counted.subquery()
    texts = [sa.func.aggregate_strings(sa.cast(column, sa.Text), ",") for column in found.c]
    numbers = [_as_numbers(text) for text in connection.execute(sa.select(*texts)).one()]
    return dict(zip(*(column.tolist() for column in numbers), strict=True))


def artists_of(connection: sa.Connection, video_id: int) -> Sequence[AnyRow]:
    """The artists of a video, by name."""
    statement = (
        sa.select(artist)
        .join(video_artist, video_artist.c.artist_id == artist.c.id)
        .where(video_artist.c.video_id == video_id)
        .order_by(artist.c.initial, artist.c.name)
    )
    return connection.execute(statement).all()


def label_ids_of(connection: sa.Connection, video_id: int) -> list[int]:
    """The labels of a video."""
    return list(connection.execute(_LABEL_IDS, {"id": video_id}).scalars())


def artist_ids_of(connection: sa.Connection, video_ids: Collection[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for video_id, artist_id in connection.execute(_ARTIST_IDS, {"ids": list(video_ids)}):
        found.setdefault(video_id, []).append(artist_id)
    return found


def label_rows(connection: sa.Connection) -> list[tuple[AnyRow, int]]:
    """Labels in use with their number of listed videos, the most used first."""
    counts = _listed_counts(connection, video_label.c.label_id)
    rows = connection.execute(sa.select(label.c.id, label.c.name).order_by(label.c.id))
    used = [(row, counts[row.id]) for row in rows if counts[row.id]]
    return sorted(used, key=lambda pair: -pair[1])


def label_row(connection: sa.Connection, number: int) -> tuple[AnyRow, int]:
    """A label with the number of listed videos, which may be none."""
    row = connection.execute(sa.select(label.c.id, label.c.name).where(label.c.id == number)).one()
    return row, _listed_counts(connection, video_label.c.label_id, number)[number]
