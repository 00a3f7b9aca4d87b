"""Statements of ranks: the snapshot, and its sources."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from liuying.core.catalogue.queries.listing import LISTED_AMONG, in_category
from liuying.core.catalogue.rules import EXCLUDED_CATEGORIES
from liuying.core.catalogue.tables import video
from liuying.features.favourites.tables import favourite
from liuying.features.views.queries import views_since
from liuying.features.views.rules import RANK_PLACES
from liuying.features.views.tables import rank_place
from liuying.kit.clock import Milliseconds
from liuying.kit.database import AnyRow
from liuying.kit.inserting import insert_all
from liuying.kit.number_columns import read_columns

RANKED = in_category(None)
RANKED_AMONG = sa.and_(LISTED_AMONG, video.c.category_id.not_in(EXCLUDED_CATEGORIES))
# A video and the score it is ranked by.
Place = tuple[int, int]
# Kind and period.
Rank = tuple[str, str]


def places_of(connection: sa.Connection, kind: str, period: str) -> list[Place]:
    """The still listed videos of a rank's snapshot, in order."""
    statement = (
        sa.select(rank_place.c.place, rank_place.c.video_id, rank_place.c.score)
        .join(video, video.c.id == rank_place.c.video_id)
        .where(RANKED, rank_place.c.kind == kind, rank_place.c.period == period)
    )
    ordered = sorted(read_columns(connection, statement).T.tolist())
    return [(video_id, score) for _place, video_id, score in ordered]


def snapshot(connection: sa.Connection) -> dict[Rank, list[Place]]:
    """Every rank as last written."""
    known: dict[Rank, list[Place]] = {}
    for row in connection.execute(sa.select(rank_place).order_by(rank_place.c.place)):
        known.setdefault((row.kind, row.period), []).append((row.video_id, row.score))
    return known


def replace_rank(connection: sa.Connection, rank: Rank, places: Sequence[Place]) -> None:
    """Replace the snapshot of a rank."""
    kind, period = rank
    is_rank = (rank_place.c.kind == kind, rank_place.c.period == period)
    connection.execute(sa.delete(rank_place).where(*is_rank))
    rows = [
        {"kind": kind, "period": period, "place": place, "video_id": video_id, "score": score}
        for place, (video_id, score) in enumerate(places, start=1)
    ]
    if rows:
        insert_all(connection, rank_place, rows)


def newest(connection: sa.Connection, start: Milliseconds) -> list[Place]:
    """The newest videos since `start`, with their times."""
    created = sa.select(video.c.id, video.c.created_at).where(RANKED, video.c.created_at >= start)
    statement = created.order_by(video.c.created_at.desc(), video.c.id.desc()).limit(RANK_PLACES)
    return _places(connection.execute(statement).all())


def watched_since(connection: sa.Connection, hour: int) -> list[Place]:
    """The most watched videos since an hour, with their views."""
    counted = views_since(connection, hour)
    return _most(connection, counted, sa.func.sum(counted.c.views))


def favourited_since(connection: sa.Connection, start: Milliseconds) -> list[Place]:
    """The most favourited videos since `start`, with the number of visitors."""
    counted = sa.select(favourite.c.video_id).where(favourite.c.created_at >= start).subquery()
    return _most(connection, counted, sa.func.count())


def _most(
    connection: sa.Connection, counted: sa.FromClause, count: sa.ColumnElement[int]
) -> list[Place]:
    """The videos with the highest counts in some rows."""
    total = count.label("score")
    statement = (
        sa.select(video.c.id, total)
        .join(counted, counted.c.video_id == video.c.id)
        .where(RANKED_AMONG)
        .group_by(video.c.id)
        .order_by(total.desc(), video.c.id.desc())
        .limit(RANK_PLACES)
    )
    return _places(connection.execute(statement).all())


def most_watched(connection: sa.Connection) -> list[Place]:
    """The most watched videos of all time, with their views."""
    statement = (
        sa.select(video.c.id, video.c.pageviews)
        .where(RANKED)
        .order_by(video.c.pageviews.desc(), video.c.id.desc())
        .limit(RANK_PLACES)
    )
    return _places(connection.execute(statement).all())


def _places(rows: Sequence[AnyRow]) -> list[Place]:
    return [(row[0], int(row[1])) for row in rows]
