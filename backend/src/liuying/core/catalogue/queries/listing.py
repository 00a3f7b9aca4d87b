"""Which videos lists show, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

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
# `LISTED` for a few videos: it keeps SQLite from starting with the index of all listed ones.
LISTED_AMONG = sa.and_(
    sa.func.coalesce(video.c.is_listed, sa.false()), sa.not_(video.c.is_hidden), OFFERED
)

LISTED_BY = (video.c.is_listed, video.c.is_hidden, video.c.title)


class ListedBy(NamedTuple):
    """What `LISTED` depends on, in the order of `LISTED_BY`."""

    is_listed: bool
    is_hidden: bool
    title: str


def is_listed(row: ListedBy | VideoRow) -> bool:
    """What `LISTED` says, for one row. In the statement it would make SQLite read everything
    listed instead of a few rows by number.
    """
    return bool(row.is_listed and not row.is_hidden and not row.title.startswith(WITHHELD_PREFIX))


def in_category(category_id: int | None) -> sa.ColumnElement[bool]:
    """The videos of one category; None means all but the excluded categories."""
    if category_id is None:
        return sa.and_(LISTED, video.c.category_id.not_in(EXCLUDED_CATEGORIES))
    return sa.and_(LISTED, video.c.category_id == category_id)


def by_artist(artist_id: int) -> sa.ColumnElement[bool]:
    """An artist's listed videos."""
    return sa.and_(
        LISTED,
        video.c.id.in_(
            sa.select(video_artist.c.video_id).where(video_artist.c.artist_id == artist_id)
        ),
    )


def _score(order: SortOrder) -> sa.Column[int]:
    return video.c[SORT_ORDERS[order].column]


def ordering(order: SortOrder) -> tuple[sa.UnaryExpression[Any], ...]:
    """By the order's column, descending; ties by id, so that pages never overlap."""
    return _score(order).desc(), video.c.id.desc()


def is_behind(order: SortOrder, place: Place) -> sa.ColumnElement[bool]:
    """The videos after a place."""
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
    """The places of videos in order: `id` and `score`."""
    statement = (
        sa.select(video.c.id, _score(order).label("score")).where(where).order_by(*ordering(order))
    )
    return connection.execute(statement.offset(offset).limit(limit)).all()


def count_videos(connection: sa.Connection, where: sa.ColumnElement[bool]) -> int:
    """Number of videos that match a condition."""
    statement = sa.select(sa.func.count()).select_from(video).where(where)
    return connection.execute(statement).scalar_one()


def every_listed_id(connection: sa.Connection) -> Iterator[int]:
    """Ids of all listed videos."""
    statement = sa.select(video.c.id).where(LISTED).order_by(video.c.id)
    return iter(connection.execute(statement).scalars())


def places_of_category(
    connection: sa.Connection, category_id: int, order: SortOrder, limit: int
) -> Sequence[AnyRow]:
    """The first places of a category's list; category 0 means all."""
    return places(connection, _of_list(category_id), order, 0, limit)


def page_of_category(
    connection: sa.Connection, category_id: int, order: SortOrder, request: PageRequest
) -> tuple[Sequence[AnyRow], int, int]:
    """Like `page_of_artist`, for a category's list; category 0 means all."""
    return _page(connection, _of_list(category_id), order, request)


def page_of_artist(
    connection: sa.Connection, artist_id: int, order: SortOrder, request: PageRequest
) -> tuple[Sequence[AnyRow], int, int]:
    """One page of an artist's listed videos.

    Returns:
        Their places (`id`, `score`), the total, and how many precede the page.
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
