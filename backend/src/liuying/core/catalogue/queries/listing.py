"""Which videos lists show, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from liuying.core.catalogue.rows import VideoRow
from liuying.core.catalogue.rules import ALL_CATEGORIES, EXCLUDED_CATEGORIES, WITHHELD_PREFIX
from liuying.core.catalogue.sort_orders import SORT_ORDERS, SortOrder
from liuying.core.catalogue.tables import video, video_artist
from liuying.kit.database import AnyRow
from liuying.kit.paging import PageRequest, Place

PLAYABLE = sa.and_(video.c.is_listed, sa.not_(video.c.is_hidden))
OFFERED = sa.not_(video.c.title.startswith(WITHHELD_PREFIX, autoescape=True))
LISTED = sa.and_(PLAYABLE, OFFERED)
# `LISTED` for few videos: not by an index of all that is listed, which SQLite would begin with.
LISTED_AMONG = sa.and_(
    sa.func.coalesce(video.c.is_listed, sa.false()), sa.not_(video.c.is_hidden), OFFERED
)

LISTED_BY = (video.c.is_listed, video.c.is_hidden, video.c.title)


def is_listed(row: AnyRow | VideoRow) -> bool:
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


def count_videos(connection: sa.Connection, where: sa.ColumnElement[bool]) -> int:
    """How many videos fulfil a condition."""
    statement = sa.select(sa.func.count()).select_from(video).where(where)
    return connection.execute(statement).scalar_one()


def every_listed_id(connection: sa.Connection) -> Iterator[int]:
    """Numbers of the videos that lists show."""
    statement = sa.select(video.c.id).where(LISTED).order_by(video.c.id)
    return iter(connection.execute(statement).scalars())


def places_of_category(
    connection: sa.Connection, category_id: int, order: SortOrder, limit: int
) -> Sequence[AnyRow]:
    """The first places of a category's list; of the list of all where it is 0."""
    return places(connection, _of_list(category_id), order, 0, limit)


def page_of_category(
    connection: sa.Connection, category_id: int, order: SortOrder, request: PageRequest
) -> tuple[Sequence[AnyRow], int, int]:
    """As `page_of_artist`, of a category's list; of the list of all where it is 0."""
    return _page(connection, _of_list(category_id), order, request)


def count_of_artist(connection: sa.Connection, artist_id: int) -> int:
    """How many listed videos an artist has."""
    return count_videos(connection, by_artist(artist_id))


def page_of_artist(
    connection: sa.Connection, artist_id: int, order: SortOrder, request: PageRequest
) -> tuple[Sequence[AnyRow], int, int]:
    """A page of an artist's listed videos.

    Returns:
        Their places (`id`, `score`), how many there are in all, and how many go before the page.
    """
    return _page(connection, by_artist(artist_id), order, request)


def _of_list(category_id: int) -> sa.ColumnElement[bool]:
    return in_category(None if category_id == ALL_CATEGORIES else category_id)


def _page(
    connection: sa.Connection, where: sa.ColumnElement[bool], order: SortOrder, request: PageRequest
) -> tuple[Sequence[AnyRow], int, int]:
    total = count_videos(connection, where)
    offset = skipped = request.offset
    if request.after is not None:
        where = sa.and_(where, is_behind(order, request.after))
        offset, skipped = total - count_videos(connection, where), 0
    return places(connection, where, order, skipped, request.per_page), total, offset
